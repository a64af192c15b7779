import { mapRow } from '../mapping/compile.js';
import { parsePlaced, type Plain, flow, quoted } from '../config/document.js';
import { MODE_TRAITS, type Mode, type ProblemCount, ProblemCounts } from '../core/outcome.js';
import type { Cell } from '../core/table.js';
import { isRecord } from '../core/text.js';
import type { Installation } from '../installation/installation.js';
import { type WrittenUse, writtenUses } from '../mapping/column-uses.js';
import { traitsOf } from '../source/source.js';
import { assign, columnSuggestion } from './assign.js';
import { type ColumnSuggestion, columnsOf, readColumns, type Remembered } from './columns.js';
import {
  type Draft,
  type Item,
  type Note,
  type Place,
  decisionsOf,
  draftOf,
  toFillIn,
} from './draft.js';
import {
  type ChosenCountry,
  areaCodesIn,
  chooseCountry,
  countryOfCode,
  isProven,
  withAreaCodes,
} from './phones.js';
import { isTotal, type Table, type TableSource, type Totals, totalsAt } from './read-file.js';
import { type Column, languageOf } from './understand.js';
import { dayOrder, type ReadTable } from './values.js';
import { compiledFor } from './view.js';

/** What came of the first rows with the drafted mapping: what a check of them says. */
export interface Trial {
  readonly rows: number;
  readonly clients: number;
  readonly rejected: number;
  /** Totals below the table are among them, and repeated rows where the mode skips these. */
  readonly skipped: number;
  /** Rows that would be clients and have the identifiers of an earlier one. */
  readonly repeated: number;
  readonly problems: readonly ProblemCount[];
}

export interface Suggestion {
  readonly source: {
    readonly encoding: string | null;
    readonly delimiter: string | null;
    readonly sheet: string | null;
    readonly headerRow: number | 'none';
    /** Sheets with rows that were not read. */
    readonly otherSheets: readonly string[];
    /** The row at which the mapping stops reading; `null` where it reads to the end. */
    readonly until: { readonly column: string; readonly startsWith: string } | null;
  };
  readonly columns: readonly ColumnSuggestion[];
  /** The mapping as YAML, with comments. */
  readonly mapping: string;
  /** Required card fields and synchronization identifiers without a column. */
  readonly missing: readonly string[];
  /** What has to be filled in before the mapping can be used, by its place in it. */
  readonly toFillIn: readonly string[];
  /** What a person should decide, one sentence each. */
  readonly decisions: readonly string[];
  /** `null` where the draft cannot be tried, since something that it needs is missing. */
  readonly trial: Trial | null;
}

export interface SuggestTableRequest {
  readonly table: Table;
  readonly source: TableSource;
  readonly installation: Pick<Installation, 'card' | 'clientRoles'>;
  /** @default 'create' */
  readonly mode?: Mode | undefined;
  /** Country of numbers without a country code, two letters. Default: found out. */
  readonly country?: string | undefined;
  readonly remembered?: Remembered | undefined;
}

/**
 * Drafts a mapping for a table: what its columns mean, by their names and by what they hold, and the YAML for it. Pure:
 * reads no file.
 */
export function suggestTable(
  request: SuggestTableRequest,
  read: ReadTable = readTable(request),
): Suggestion {
  const { source, installation, mode = 'create' } = request;
  const { table, totals, assigned } = read;
  const below = request.table.first.length - table.first.length;
  const draft = draftOf({ read, source, installation, mode });
  const yaml = mappingText(draft);
  const open = toFillIn(draft);
  return {
    source: {
      encoding: source.info?.encoding ?? null,
      delimiter: source.info?.delimiter ?? null,
      sheet: source.sheet ?? null,
      headerRow: source.headerRow,
      otherSheets: source.info?.otherSheets ?? [],
      until: totals && { column: totals.column, startsWith: totals.startsWith },
    },
    columns: assigned.map(columnSuggestion),
    mapping: yaml,
    missing: draft.missing,
    toFillIn: open,
    decisions: decisionsOf(draft),
    trial: open.length > 0 ? null : tryMapping(yaml, table, installation, below, source),
  };
}

/** Finds out what the columns of a table mean. Pure, and what takes the time of a suggestion. */
export function readTable(request: Omit<SuggestTableRequest, 'source'>): ReadTable {
  const { installation, mode = 'create', remembered = new Map() } = request;
  const totals = totalsAt(request.table.headers, request.table.last ?? []);
  const table = totals ? withoutTotals(request.table, totals) : request.table;
  // Letters in place of a header are words of no language.
  const headers = table.hasNames === false ? table.headers.map(() => '') : table.headers;
  const language = languageOf(headers);
  const areas = areaCodesIn({ ...table, headers });
  const whole = withAreaCodes(table, areas);
  const guessed = chooseCountry({ ...whole, headers }, request.country);
  const plain = columnsOf(whole, areas);
  const first = readColumns(plain, guessed.code);
  const country = countryOfAll(first, guessed);
  const columns = country.code === guessed.code ? first : readColumns(plain, country.code);
  const assigned = assign({ columns, installation, mode, country: country.code, remembered });
  return { table, totals, language, country, columns, assigned, dayOrder: dayOrder(columns) };
}

/** The country that a column says of all numbers beside it, where nobody gave another one. */
function countryOfAll(columns: readonly Column[], guessed: ChosenCountry): ChosenCountry {
  if (guessed.isGiven) return guessed;
  for (const column of columns) {
    const { beside } = column;
    if (!beside || beside.codes.size > 1 || !isProven(beside)) continue;
    const code = countryOfCode(beside, column);
    if (code === undefined) continue;
    const others = beside.national - beside.withCountry;
    const why = `"${beside.column.header}" says so`;
    const doubt = `${others} numbers of "${column.header}" have no country in "${beside.column.header}"`;
    return { code, why, isGiven: false, ...(others > 0 ? { doubt } : {}) };
  }
  return guessed;
}

/** The table as it is read with the draft: the totals that end it are no data. */
function withoutTotals(table: Table, totals: Totals): Table {
  const { headers, sample, first, rows } = table;
  const isData = (cells: readonly Cell[]): boolean => !isTotal(headers, cells, totals);
  const data = first.slice(0, first.findLastIndex(({ cells }) => isData(cells)) + 1);
  return {
    ...table,
    sample: sample.slice(0, sample.findLastIndex(isData) + 1),
    first: data,
    // Where the first rows are all, they show more totals than the last few rows do.
    rows: rows === first.length ? data.length : rows && rows - totals.rows,
  };
}

/** Maps the first rows with a drafted mapping, as an import would. `below`: how many more stand below the table. */
function tryMapping(
  yaml: string,
  { headers, first }: Table,
  installation: Pick<Installation, 'card' | 'clientRoles'>,
  below: number,
  { info }: TableSource,
): Trial {
  const document = parsePlaced('the drafted mapping', yaml);
  const { mapping, compiled } = compiledFor(document, new Map(), headers, installation);
  const width = info && traitsOf(info.format).storesEmptyCells ? headers.length : undefined;
  const columns = { headers, width, delimiter: info?.delimiter };
  const counts = { client: 0, rejected: 0, skipped: 0 };
  const problems = new ProblemCounts();
  const seen = new Set<string>();
  for (const each of first) {
    const mapped = mapRow(each, columns, compiled);
    counts[mapped.status]++;
    if (mapped.status === 'client') seen.add(JSON.stringify(mapped.identifiers));
    if (mapped.status === 'rejected')
      for (const problem of mapped.problems) problems.add(problem, each.row);
  }
  const { client, rejected, skipped } = counts;
  const repeated = client - seen.size;
  const duplicates = mapping.duplicates.by.includes('sync') ? repeated : 0;
  return {
    ...{ rows: first.length + below, clients: client - duplicates, rejected, repeated },
    skipped: skipped + below + duplicates,
    problems: problems.list(),
  };
}

/*
 * The text of a draft: YAML, with a comment for each note. What a draft only offers stands there as a comment as well. When
 * the text is edited, comments that the edit has made wrong are found among those that the draft gives, word for word.
 */

/** The mapping as YAML: what is sure, what may be uncommented, what is missing, and what is left out. */
export const mappingText = (draft: Draft): string =>
  `${linesOf(draft)
    .map(({ text }) => text)
    .join('\n')
    .trimEnd()}\n`;

/** A line, and what it is about: it becomes wrong when that changes. */
interface Line {
  readonly text: string;
  readonly columns?: readonly string[];
  readonly target?: string;
  /** A value that the map of the target lacks. */
  readonly word?: string;
  /** A reason behind a value. */
  readonly behind?: string;
  /** How many lines below it is the heading of: it goes with the last of them. */
  readonly heads?: number;
}

type Subject = Omit<Line, 'text'>;

const WIDE = 110;
const LISTS = ['phones', 'emails', 'addresses'] as const;

function linesOf(draft: Draft): Line[] {
  const { mode, source, items } = draft;
  const at = (...places: readonly Place[]): Item[] =>
    items.filter(({ place }) => places.includes(place));
  const fields = items.filter(({ place }) => place.startsWith('fields.'));
  const hasFields = fields.some(({ state }) => state === 'taken');
  const open = toFillIn(draft);
  const lines: Line[] = [
    comment(0, `Drafted by "cardline suggest" from ${draft.file}.`),
    comment(0, 'Numbers from 0 to 1 say how sure a column is.'),
    comment(0, 'Lines that begin with # do nothing; take the sign off to use one.'),
    BLANK,
    ...(mode === 'create' ? [] : [{ text: `mode: ${mode}` }]),
    ...(Object.keys(source).length === 0 ? [] : [{ text: `source: ${flow(source)}` }]),
    ...at('uuid').flatMap((item) => itemLines(0, item)),
    BLANK,
    ...(MODE_TRAITS[mode].campaign === 'unused' ? [] : [comment(0, CAMPAIGN)]),
    ...at('callback').flatMap((item) => [
      ...itemLines(0, item),
      ...CALLBACK.map((text) => comment(0, text)),
    ]),
    ...at('clientId').flatMap((item) => itemLines(0, item)),
    BLANK,
    ...at('where').flatMap((item) => itemLines(0, item)),
    BLANK,
    { text: 'client:' },
    ...at('clientRoleId', 'type', 'timeZone').flatMap((item) => itemLines(1, item)),
    { text: hasFields ? '  fields:' : '  fields: {}' },
    ...fields.flatMap((item) => itemLines(2, item)),
    ...LISTS.flatMap((place) => listLines(place, at(place))),
    ...leftOutLines(draft),
    ...(open.length === 0 ? [] : [BLANK, comment(0, missingText(open))]),
  ];
  return lines.filter((line, index) => line !== BLANK || lines[index - 1] !== BLANK);
}

const CAMPAIGN = 'campaign: { name: … } # which campaign is meant; or --campaign with the command';
const CALLBACK = [
  ...['callback:', '  name: COLUMN', '  phone: COLUMN', '  operatorId: COLUMN'],
  '  callAt: { column: COLUMN, pattern: dd.MM.yyyy HH:mm, timeZone: { value: … } }',
  '  callAutomatically: { value: true }',
];

const BLANK: Line = { text: '' };

/** Nothing of a file breaks out of a comment. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u0085\u2028\u2029]+/gu, ' ');

const comment = (depth: number, text: string, subject: Subject = {}): Line => ({
  text: `${'  '.repeat(depth)}# ${oneLine(text)}`,
  ...subject,
});

const isList = (place: Place): boolean => LISTS.some((list) => list === place);

const keyOf = (place: Place): string => place.replace(/^fields\./, '');

function subjectOf({ place, columns = [], state }: Item): Subject {
  if (state === 'note' && isList(place)) return {};
  return { columns, ...(columns.length === 0 || state !== 'taken' ? { target: place } : {}) };
}

function itemLines(depth: number, item: Item): Line[] {
  const { place, value, state, behind, above = [], below = [] } = item;
  const subject = subjectOf(item);
  const texts =
    value === undefined ? [] : isList(place) ? entryTexts(value) : pairTexts(keyOf(place), value);
  const written = texts.map((text, index): Line => {
    const reason = index === 0 && behind !== undefined ? ` # ${oneLine(behind)}` : '';
    if (state !== 'taken') return comment(depth, `${text}${reason}`, subject);
    const line = `${'  '.repeat(depth)}${text}${reason}`;
    return reason === '' ? { text: line } : { text: line, target: place, behind: reason };
  });
  return [
    ...above.flatMap((note) => noteLines(depth, depth, note, item)),
    ...written,
    ...below.flatMap((note) => noteLines(depth, isList(place) ? depth : depth + 1, note, item)),
  ];
}

const SIGNS: Readonly<Record<Note['kind'], string>> = {
  ...{ reason: '', decide: 'DECIDE: ', 'fill in': 'FILL IN: ' },
};

/** @param depth that of the item, whose place the choices of the note take */
function noteLines(depth: number, own: number, note: Note, item: Item): Line[] {
  const { place } = item;
  const { text, kind, choices = [], column, word, heads } = note;
  const whole = column === undefined ? subjectOf(item) : { columns: [column] };
  const part = word === undefined ? whole : { word, target: place };
  const subject: Subject = heads === undefined ? part : { heads };
  const above = text === '' ? [] : [comment(own, `${SIGNS[kind]}${text}`, subject)];
  const offered = choices.map(({ value, means, is }) => {
    const written = isList(place) ? `- ${flow(value)}` : `${quoted(keyOf(place))}: ${flow(value)}`;
    const why = means === undefined ? '' : ` # ${means}`;
    return comment(depth, `${is === undefined ? '' : 'perhaps: '}${written}${why}`, subject);
  });
  return [...above, ...offered];
}

/** A list whose sure entries stand there, and whose likely ones can be uncommented. */
function listLines(place: (typeof LISTS)[number], items: readonly Item[]): Line[] {
  const others = items.filter(({ state }) => state === 'note' || state === 'gap');
  const entries = items.filter((item) => !others.includes(item));
  const isTaken = entries.some(({ state }) => state === 'taken');
  return [
    ...others.flatMap((item) => itemLines(1, item)),
    ...(entries.length === 0 ? [] : [isTaken ? { text: `  ${place}:` } : comment(1, `${place}:`)]),
    ...entries.flatMap((item) => itemLines(2, item)),
  ];
}

function leftOutLines({ leftOut }: Draft): Line[] {
  if (leftOut.length === 0) return [];
  const each = leftOut.map(({ column, why }) =>
    comment(0, `  ${quoted(column)}: ${why}`, { columns: [column] }),
  );
  return [BLANK, comment(0, 'Columns that are left out:', { heads: each.length }), ...each];
}

const missingText = (places: readonly string[]): string =>
  `Missing: ${places.join(', ')}. Search for FILL IN above.`;

/** `key: value`, with a map of values one pair a line. */
function pairTexts(key: string, value: Plain): string[] {
  const short = `${quoted(key)}: ${flow(value)}`;
  const all = isRecord(value) && value['all'];
  if (Array.isArray(all))
    return [`${key}:`, '  all:', ...all.map((each: Plain) => `    - ${flow(each)}`)];
  const isLong = isMapped(value) && (short.length > WIDE || short.includes('map'));
  return isLong ? [`${quoted(key)}:`, ...keyTexts(value).map((line) => `  ${line}`)] : [short];
}

const isMapped = (value: Plain): boolean => isRecord(value) && 'map' in value;

function entryTexts(value: Plain): string[] {
  if (!isMapped(value)) return [`- ${flow(value)}`];
  return keyTexts(value).map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`));
}

function keyTexts(value: Plain): string[] {
  return Object.entries(value).flatMap(([key, inner]: [string, Plain]) =>
    key === 'map' && isRecord(inner)
      ? ['map:', ...Object.entries(inner).map(([from, to]) => `  ${quoted(from)}: ${flow(to)}`)]
      : [`${key}: ${flow(inner)}`],
  );
}

/**
 * A text that was edited, without the comments of its draft that the edit has made wrong: the reason for a column that
 * became something else, the request to fill in what is filled in now. What the edit does not concern stays.
 * @param before the text as it was, YAML without mistakes
 * @param after the text as it is
 */
export function withoutStaleNotes(before: string, after: string, draft: Draft): string {
  const usesIn = (text: string): readonly WrittenUse[] => writtenUses(parsePlaced('', text).value);
  const [old, now] = [usesIn(before), usesIn(after)];
  const drafted = linesOf(draft);
  const lines = after.split('\n');
  const gone = new Set<number>();
  const places = drafted.map((_, index) => placeOf(drafted, index, lines));
  drafted.forEach((line, index) => {
    const at = places[index] ?? -1;
    if (at >= 0 && isWrong(line, old, now)) gone.add(at);
  });
  drafted.forEach(({ heads = 0 }, index) => {
    const below = places.slice(index + 1, index + 1 + heads);
    const at = places[index] ?? -1;
    if (heads > 0 && at >= 0 && below.every((each) => each < 0 || gone.has(each))) gone.add(at);
  });
  for (const { target = '', behind } of drafted)
    if (behind !== undefined && ofTarget(old, target) !== ofTarget(now, target))
      lines.forEach(
        (text, at) => (lines[at] = text.endsWith(behind) ? text.slice(0, -behind.length) : text),
      );
  const filled = now.map(({ target }): string => target);
  // `client.fields.city (…)` is the target `fields.city`.
  const targetAt = (place: string): string => place.replace(/ \(.*$/, '').replace(/^client\./, '');
  const left = toFillIn(draft).filter((place) => !filled.includes(targetAt(place)));
  const missing = comment(0, missingText(toFillIn(draft))).text;
  return lines
    .flatMap((text, at) => {
      if (text !== missing) return gone.has(at) ? [] : text;
      return left.length === 0 ? [] : comment(0, missingText(left)).text;
    })
    .join('\n');
}

/** Where a line of a draft stands in a text; -1 where it has gone or was changed. Equal lines keep their order. */
function placeOf(drafted: readonly Line[], index: number, lines: readonly string[]): number {
  const text = drafted[index]?.text;
  const own = drafted.flatMap((line, at) => (line.text === text ? [at] : []));
  const there = lines.flatMap((line, at) => (line === text ? [at] : []));
  return own.length === there.length ? (there[own.indexOf(index)] ?? -1) : -1;
}

/** Whether a line of a draft that held for the mapping before holds for this one no longer. */
function isWrong(
  { columns = [], target, word, behind }: Line,
  before: readonly WrittenUse[],
  now: readonly WrittenUse[],
): boolean {
  if (behind !== undefined) return false;
  if (word !== undefined) return knows(now, target, word);
  return (
    columns.some((column) => ofColumn(before, column) !== ofColumn(now, column)) ||
    (target !== undefined && ofTarget(before, target) !== ofTarget(now, target))
  );
}

/** What becomes of a column, and what a target is made of, as texts that can be compared. */
const ofColumn = (uses: readonly WrittenUse[], column: string): string =>
  JSON.stringify(
    uses.filter(({ columns }) => columns.includes(column)).map(({ target }) => target),
  );
const ofTarget = (uses: readonly WrittenUse[], wanted: string): string =>
  JSON.stringify(
    uses
      .filter(({ target }) => target === wanted)
      .map(({ columns, spec }) => (columns.length > 0 ? columns : spec)),
  );

/** Whether the map or the words for empty cells of a target have a value. */
const knows = (uses: readonly WrittenUse[], wanted: string | undefined, value: string): boolean =>
  uses.some(({ target, spec }) => {
    if (target !== wanted || !isRecord(spec)) return false;
    const blank: unknown[] = Array.isArray(spec['blank']) ? spec['blank'] : [];
    const known = isRecord(spec['map']) ? Object.keys(spec['map']) : [];
    return [...blank, ...known].some((one) => folded(String(one)) === folded(value));
  });

const folded = (text: string): string => text.trim().toLowerCase();
