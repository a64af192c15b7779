import {
  columnMessage,
  type ProblemCount,
  type Problem,
  type SuppressedCount,
  type RunMode,
} from '../../core/outcome.js';
import { counted, whole, wrapped, shortened, printableLine } from '../../core/text.js';
import { isOfRun, kindOfCode, DUPLICATE_KINDS, type DuplicateKind } from '../../core/duplicates.js';
import { basename } from 'node:path';
import { type RowPlace, refusal } from '../reasons.js';
import { CALL_CODES, type CallSummary } from '../../core/time.js';
import {
  type ObservationScore,
  type ListQuality,
  QUALITY_PART_NAMES,
  QUALITY_PARTS,
} from '../../core/quality.js';
import type { RowReport } from '../../core/report.js';
import { CORRECTED, UNKNOWN_NAME } from '../../core/table.js';

const WORDS = {
  sync: 'by identifiers',
  phone: 'by phone',
} as const satisfies Record<DuplicateKind, string>;

/**
 * How many rows were left out as duplicates, and why: `7 rows are duplicates: 3 by identifiers, 4 by phone; 2 of them of
 * earlier runs`. Empty where there are none.
 */
export function duplicatesText(duplicates: readonly ProblemCount[]): string {
  const all = sumOf(duplicates);
  if (all === 0) return '';
  const kinds = DUPLICATE_KINDS.map((kind) => {
    const rows = sumOf(duplicates.filter(({ code }) => kindOfCode(code) === kind));
    return rows === 0 ? '' : `${whole(rows)} ${WORDS[kind]}`;
  });
  const named = kinds.filter((text) => text !== '').join(', ');
  const ofRuns = sumOf(duplicates.filter(isOfRun));
  const runs = ofRuns === 0 ? '' : `; ${whole(ofRuns)} of them of earlier runs`;
  return `${counted(all, 'row is a duplicate', 'rows are duplicates')}: ${named}${runs}`;
}

const sumOf = (counts: readonly ProblemCount[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);

/** A part of all in percent. Rounding never shows 0.0 % for some, nor 100.0 % for less than all. */
export function share(part: number, all: number): string {
  if (part === all) return '100.0 %';
  const percent = (part / all) * 100;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return percent > 99.9 ? '> 99.9 %' : `${percent.toFixed(1)} %`;
}

export type Line = readonly [label: string, value: string, note: string];

/**
 * Lines of a label, a right-aligned figure and a note, as plain text, each ended by `\n`.
 * @param width of the terminal in characters; without it, nothing is wrapped
 */
export function aligned(lines: readonly Line[], width?: number): string {
  const label = Math.max(...lines.map((line) => line[0].length));
  const value = Math.max(...lines.map((line) => line[1].length));
  return lines
    .map(([a, b, c]) => wrapped(`${a.padEnd(label)}  ${b.padStart(value)}  `, c, width).trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}

/** A moment to the minute, in UTC: `2026-11-20 17:45 UTC`. */
export const momentOf = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Date and time as clocks show them here, with their distance from UTC: `2026-11-20 18:45:00 +01:00`. */
export function localTime(milliseconds: number): string {
  const offset = -new Date(milliseconds).getTimezoneOffset();
  const local = new Date(milliseconds + offset * 60_000).toISOString();
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const distance = `${offset < 0 ? '-' : '+'}${padded(hours)}:${padded(minutes)}`;
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${distance}`;
}

/** A time span in its two largest units: `0.3 s`, `1 min 5 s`, `2 h 0 min`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  return hours === 0 ? `${minutes} min ${seconds % 60} s` : `${hours} h ${minutes % 60} min`;
}

const padded = (value: number): string => String(value).padStart(2, '0');

/** What is done with the rows of a run. */
export const deedOf = (mode: RunMode): string =>
  mode === 'reconcile' ? 'compared' : mode === 'undo' ? 'taken back' : 'sent';

/** What a run has yet to do. */
export const waitingSentence = (rows: number, mode: RunMode): string =>
  `${counted(rows, 'row is', 'rows are')} yet to be ${deedOf(mode)}`;

/** What to do after a run, for a person: a command, a link or a button follows. */
export const NEXT_STEPS = {
  resume: 'Go on with this run',
  mend: (which: string): string => `Correct the rows in ${which}, then import them`,
  compare: 'All rows that failed are there already: see what differs',
  recover: 'Restore the clients that the contact center keeps as deleted',
  look: 'Look at the report',
} as const;

/** What became of a run since. */
export const TAKEN_BACK = 'This run was taken back.';

/** Why nobody has to fear for the other rows. */
export const NOT_SENT_TWICE = 'What ended well is not sent twice.';

/** Rows that are examples of several, for a person: `rows 2, 7, …`. */
export function placesText(
  rows: number,
  examples: readonly RowPlace[],
  inputs: readonly string[],
): string {
  const places = examples.map((place) => placeText(place, inputs)).join(', ');
  return `${rows === 1 ? 'row' : 'rows'} ${places}${rows > examples.length ? ', …' : ''}`;
}

/** The position of a row for a person: file (of several inputs), sheet, row number. */
export const placeText = (place: RowPlace, inputs: readonly string[]): string =>
  placeParts(place, inputs).join(' ');

/** The same, part by part. */
export function placeParts({ input, sheet, row }: RowPlace, inputs: readonly string[]): string[] {
  const file = inputs.length > 1 ? basename(inputs[input] ?? '') : null;
  return [file, sheet, String(row)].filter((part) => part !== null);
}

/** The parts of a score that were looked at, each with its points and with the rows that lose some. */
export const qualityLines = ({ parts, whole: found }: ListQuality): Line[] => [
  ...QUALITY_PART_NAMES.flatMap((part): Line[] => {
    const its = parts[part];
    if (!its) return [];
    const lost = its.lost === 0 ? '' : `, ${whole(its.lost)} of them left out`;
    const rows = its.rows === 0 ? '' : `${counted(its.rows, 'row')}${lost}`;
    const points = `${its.points.toFixed(1)} of ${its.of.toFixed(1)}`;
    return [[QUALITY_PARTS[part].label, points, rows]];
  }),
  ...(found
    ? [['the list as a whole', `-${found.points.toFixed(1)}`, observationsText(found)] as const]
    : []),
];

/** How much was found out about the list as a whole. */
const observationsText = ({ doubts, notes }: ObservationScore): string =>
  [doubts > 0 && counted(doubts, 'doubt'), notes > 0 && counted(notes, 'note')]
    .filter((text) => text !== false)
    .join(', ');

/** The score as one line. */
export const scoreText = ({ score, rows, lost, outside = 0 }: ListQuality): string => {
  const others = outside === 0 ? '' : `; the mapping does not take ${whole(outside)} more`;
  return `Quality of the list: ${score} of 100; ${whole(lost)} of ${counted(rows, 'row')} left out (rejected or skipped)${others}.`;
};

/** What the rows cost that are left out; empty text where nobody gives a price. */
export const costText = ({ lost, price, cost }: ListQuality): string =>
  price === undefined || cost === undefined
    ? ''
    : `At ${price.toFixed(2)} for each, ${counted(lost, 'row')} cost ${money(cost)}.`;

/** The score and its parts, as plain text; lines ended by `\n`. */
export function qualityText(quality: ListQuality): string {
  const parts = aligned(qualityLines(quality).map(([label, ...rest]) => [`  ${label}`, ...rest]));
  const cost = costText(quality);
  return `${scoreText(quality)}\n${parts}${cost === '' ? '' : `${cost}\n`}`;
}

/** When clients may be called, as one line. */
export function callsText({ asOf, now, today, later, never }: CallSummary): string {
  const at = `${asOf.slice(0, 16).replace('T', ' ')} UTC`;
  return `May be called, as of ${at}: ${whole(now)} now, ${whole(today)} later today, ${whole(later)} later, ${whole(never)} never.`;
}

/** An amount with two decimals and commas between thousands. */
function money(amount: number): string {
  const [units = '0', cents = '00'] = amount.toFixed(2).split('.');
  return `${whole(Number(units))}.${cents}`;
}

/** Why a row did not end well: the contact center's words, then the row's problems. */
export const reasonText = (row: RowReport): string => withProblems(refusal(row), row);

/** A text, then the problems of the row. */
export function withProblems(text: string | null | undefined, { problems }: RowReport): string {
  return [text, problemText(problems)].filter((part) => part).join('; ');
}

/** The problems of a row as one text: `Column: message (value)`, joined with `; `. */
export function problemText(problems: readonly Problem[]): string {
  return problems.map(one).join('; ');
}

const one = (problem: Problem): string =>
  columnMessage(problem) + (problem.value === null ? '' : ` (${shortened(problem.value)})`);

const COLUMNS = 5;

/**
 * How many values were left out or corrected, and of which columns: `312 values were left out: Alt Phone 300, E-mail 12;
 * 2 cells were corrected by hand: Mobile 2; 3 remarks on what was sent: Name 3`.
 */
export function remarksText(remarks: readonly ProblemCount[]): string {
  const corrected = remarks.filter(({ code }) => code === CORRECTED);
  const others = remarks.filter(({ code }) => code !== CORRECTED);
  const leftOut = others.filter(({ code }) => leavesOut(code));
  const noted = others.filter(({ code }) => !leavesOut(code));
  const texts = [
    countedText(leftOut, ['value was', 'values were'], 'left out'),
    countedText(corrected, ['cell was', 'cells were'], 'corrected by hand'),
    countedText(noted, ['remark', 'remarks'], 'on what was sent', 'whole rows'),
  ];
  return printableLine(texts.filter((text) => text !== '').join('; '));
}

function countedText(
  remarks: readonly ProblemCount[],
  [one, several]: readonly [one: string, several: string],
  what: string,
  unnamed = 'constants',
): string {
  const columns = new Map<string, number>();
  for (const { column, code, count } of remarks) {
    const name = column ?? (code === UNKNOWN_NAME ? 'names without a column' : unnamed);
    columns.set(name, (columns.get(name) ?? 0) + count);
  }
  const sorted = [...columns].sort(([, a], [, b]) => b - a);
  const all = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (all === 0) return '';
  const named = sorted.slice(0, COLUMNS).map(([name, count]) => `${name} ${whole(count)}`);
  const rest = sorted.length > COLUMNS ? ', …' : '';
  return `${counted(all, one, several)} ${what}: ${named.join(', ')}${rest}`;
}

/** What lists did, in a line: `not to be called: "national" 312 rows and 20 phones, "own" 5 rows`. Empty where nothing. */
export function suppressedText(counts: readonly SuppressedCount[] = []): string {
  if (counts.length === 0) return '';
  const lists = counts.map(({ list, rows, phones }) => {
    const parts = [rows > 0 && counted(rows, 'row'), phones > 0 && counted(phones, 'phone')];
    return `"${list}" ${parts.filter((part) => part !== false).join(' and ')}`;
  });
  return printableLine(`not to be called: ${lists.join(', ')}`);
}

/** Codes of remarks on what is sent as it is, or as it was read: nothing of it is left out. */
const ON_WHAT_IS_SENT: ReadonlySet<string> = new Set([
  ...[
    'cells_missing',
    'merged_cell',
    'hidden_row',
    'stray_quote',
    'shared_phone',
    'not_compared',
    'too_old',
    'age_unknown',
  ],
  ...['ambiguous_phone', 'phone_rewritten', 'phone_elsewhere', 'ambiguous_time_zone'],
  ...Object.values(CALL_CODES),
]);

/** Whether a remark with this code says that a value was left out of a row that was sent. */
export const leavesOut = (code: string): boolean => !ON_WHAT_IS_SENT.has(code);
