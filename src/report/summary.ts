import type { WaitingRows } from '../core/facts.js';
import { basename } from 'node:path';
import { areAllThere, isRecoverable, type Reason } from './reasons.js';
import { MODE_TRAITS, type RunMode } from '../core/outcome.js';
import { changedText, type Summary } from '../core/report.js';
import type { RunRecord } from '../core/ledger.js';
import { whole, printableLine, counted } from '../core/text.js';
import {
  durationText,
  localTime,
  deedOf,
  waitingSentence,
  aligned,
  type Line,
  share,
  callsText,
  qualityText,
  duplicatesText,
  remarksText,
  suppressedText,
  TAKEN_BACK,
  NEXT_STEPS,
  NOT_SENT_TWICE,
} from './text/words.js';
import { type RowTally, type RunReport, repeatedFacts } from './rows.js';
import type { Repeated } from '../core/duplicates.js';
import { GOOD_OUTCOMES, OUTCOMES, occurring, failuresIn } from '../core/outcome.js';
import { writePieces } from './files.js';
import { reportKind, type ReportKind } from './columns.js';

/** What a state means, for the person. */
function stateText({ state, mode }: Pick<RunRecord, 'state' | 'mode'>): string {
  const deed = deedOf(mode);
  const uncounted = `rows that are yet to be ${deed} are not counted`;
  switch (state) {
    case 'finished':
      return 'finished';
    case 'open':
      return `all is ${deed}; of some rows the outcome is unknown, and "cardline resume" asks again`;
    case 'stopped':
      return `stopped; ${uncounted}, and "cardline resume" goes on`;
    case 'running':
      return `under way; ${uncounted}`;
    case 'broken_off':
      return `broken off; ${uncounted}, "cardline resume" goes on`;
  }
}

/** What a run in a sandbox has done. */
export const SANDBOX = 'yes; no real contact center was changed';

/** What is known of a run apart from its rows, as labels and texts. */
export function runFacts({
  run,
  only,
  campaignName,
  isSandbox = false,
  isTakenBack = false,
  changedInputs = [],
}: Omit<RunReport, 'rows' | 'identifierNames'>): (readonly [label: string, text: string])[] {
  return [
    ['run', run.run],
    ['mode', run.mode],
    ['state', run.unread === undefined ? stateText(run) : `not read: ${run.unread}`],
    ...(isTakenBack ? [['taken back', 'yes; an undo of it has come to its end'] as const] : []),
    ['begun', localTime(run.createdAt)],
    ...(run.endedAt === null
      ? []
      : ([
          ['ended', localTime(run.endedAt)],
          ['duration', durationText(run.endedAt - run.createdAt)],
        ] as const)),
    ...run.inputs.map((input) => ['input', input] as const),
    ...changedInputs.map((input) => ['changed', changedText(input, run.mode)] as const),
    ['installation', installationText(run.installation, isSandbox)],
    ...(isSandbox ? [['sandbox', SANDBOX] as const] : []),
    ['campaign', campaignText(run.campaignId, campaignName)],
    ...(run.waiting?.rows ? [['waiting', waitingText(run.mode, run.waiting)] as const] : []),
    ...(only === null ? [] : [['rows shown', `outcome ${[...only].join(', ')}`] as const]),
  ];
}

/** What a run has yet to do. */
export const waitingText = (
  mode: RunMode,
  { rows, withCard }: NonNullable<RunRecord['waiting']>,
): string =>
  `${waitingSentence(rows, mode)}${withCard === 0 ? '' : `; ${whole(withCard)} of them ${withCard === 1 ? 'has' : 'have'} a card already`}`;

/** In place of an address that changes each time, such as that of a sandbox. */
const ELSEWHERE = 'another address';

/** A run on record as JSON: times in ISO 8601, and the installation in its parts. */
export const runJson = <Run extends RunRecord>(run: Run) => ({
  version: REPORT_VERSION,
  ...run,
  installation: installationParts(run.installation),
  createdAt: new Date(run.createdAt).toISOString(),
  endedAt: run.endedAt === null ? null : new Date(run.endedAt).toISOString(),
});

/** The ledger keeps name, address and synchronization identifiers as one text. */
function installationParts(installation: string) {
  const parts = /^(.*) (another address|https?:\/\/\S+) (.*)$/s.exec(installation);
  const [, name = installation, address = null, identifiers = ''] = parts ?? [];
  return { name, address, identifiers: identifiers === '' ? [] : identifiers.split(' ') };
}

export function installationText(installation: string, isSandbox: boolean): string {
  const { name, address, identifiers } = installationParts(installation);
  if (address === null) return installation;
  const other = isSandbox ? 'played by a sandbox' : `at ${ELSEWHERE} than its own`;
  const place = address === ELSEWHERE ? other : `at ${address}`;
  return `${name} ${place}, clients identified by ${identifiers.join(', ')}`;
}

function campaignText(id: number | null, name: string | undefined): string {
  if (id === null) return 'none';
  return name === undefined ? String(id) : `${id} "${name}"`;
}

/** Writes `summary.json`. @throws OutputError when the file cannot be written */
export async function writeSummary(file: string, summary: Summary): Promise<void> {
  const json = JSON.stringify({ version: REPORT_VERSION, ...summary }, null, 2);
  await writePieces(file, [`${json}\n`]);
}

/**
 * Which form `summary.json`, the lines of JSONL and `runs --json` have; counted up where a name goes or changes its
 * meaning. 2: every outcome is counted, times are ISO 8601, identifiers have columns of their own in JSONL too.
 */
export const REPORT_VERSION = 2;

/** The summary as plain text for a terminal, lines ended by `\n`. Outcomes that did not occur are left out. */
export function summaryTable(summary: Summary): string {
  const retries =
    summary.retries === 0 ? '' : `${counted(summary.retries, 'retry', 'retries')} among them`;
  const lines: Line[] = [
    ...rowLines(summary, 'see report.csv'),
    ...waitingLines(summary),
    ...unreadLines(summary),
    ['requests', whole(summary.requests), retries],
    ['seconds', summary.seconds.toFixed(1), `${whole(Math.round(summary.rowsPerSecond))} rows/s`],
  ];
  const seen = [remarksText(summary.remarks ?? []), duplicatesText(summary.duplicates ?? [])]
    .filter((text) => text !== '')
    .map((text) => `${text}; see report.csv\n`)
    .join('');
  const listed = suppressedText(summary.suppressed);
  const left = `${seen}${listed === '' ? '' : `${listed}\n`}`;
  const calls = summary.callable ? `${callsText(summary.callable)}\n` : '';
  const quality = summary.quality ? `\n${qualityText(summary.quality)}` : '';
  const changed = (summary.changedInputs ?? [])
    .map((input) => `${printableLine(changedText(input, summary.mode))}\n`)
    .join('');
  return `run ${summary.run} ${summary.state}\n${changed}${aligned(lines)}${left}${calls}${quality}`;
}

/**
 * How many rows there are, how they ended, and which repeat others.
 * @param more said of those that a person may want to see
 */
export function rowLines(
  { rows, outcomes, repeated }: Counts & { readonly repeated?: Repeated | null },
  more?: string,
): Line[] {
  const ended = occurring(outcomes).map(([outcome, count]): Line => {
    const mark = more === undefined || GOOD_OUTCOMES.has(outcome) ? '' : `  ${more}`;
    const part = share(count, rows).padStart(8);
    return [`  ${outcome}`, whole(count), part + mark];
  });
  const repeats = (repeated ? repeatedFacts(repeated) : []).map(([label, count, note]): Line => [
    label,
    whole(count),
    more ? `${note}; ${more}` : note,
  ]);
  return [['rows', whole(rows), ''], ...ended, ...repeats];
}

function waitingLines({ waiting = 0, waitingWithCard = 0, mode }: Summary): Line[] {
  if (waiting === 0) return [];
  const cards =
    waitingWithCard === 0 ? '' : `; ${counted(waitingWithCard, 'has', 'have')} a card already`;
  return [['  waiting', whole(waiting), `continue the run to have them ${deedOf(mode)}${cards}`]];
}

function unreadLines({ unread = 0, unreadIsEstimated }: Summary): Line[] {
  if (unread === 0) return [];
  const note = unreadIsEstimated
    ? `about ${counted(rounded(unread), 'row was', 'rows were')} not read yet`
    : `${counted(unread, 'row was', 'rows were')} not read yet`;
  return [['  unread', whole(unreadIsEstimated ? rounded(unread) : unread), note]];
}

/** An estimate is no better than its first two digits. */
const rounded = (rows: number): number => Number(rows.toPrecision(2));

/** What a person has to know first: how many rows need them, and the most frequent reason. */
export function headline(
  { run, only, isTakenBack = false }: Pick<RunReport, 'run' | 'only' | 'isTakenBack'>,
  tally: RowTally,
): string {
  if (isTakenBack) return TAKEN_BACK.replace(/\.$/, '');
  const words = PAGE_WORDS[reportKind(run)];
  const bad = OUTCOMES.filter(
    (outcome) => !GOOD_OUTCOMES.has(outcome) && (only?.has(outcome) ?? true),
  ).reduce((sum, outcome) => sum + tally.outcomes[outcome], 0);
  if (bad === 0) return only === null ? words.allGood(run, tally) : words.noneShown;
  const [top] = tally.reasons.list().filter(({ outcome }) => !GOOD_OUTCOMES.has(outcome));
  const start = words.needed(bad);
  if (!top) return `${start}.`;
  if (top.rows === bad) return `${start}, ${bad === 1 ? '' : 'all '}for one reason: ${short(top)}`;
  return `${start}; ${whole(top.rows)} of them for one reason: ${short(top)}`;
}

/** Characters of a reason that still fit into a headline. */
const MAX_SHORT = 100;

/** A reason in a few words, such as `Budget is not a number`. */
function short({ column, message }: Pick<Reason, 'column' | 'message'>): string {
  const [sentence = message] = message.split(/(?<=\.)\s/);
  // What stands before a colon may say nothing by itself.
  const few = sentence.length > MAX_SHORT ? sentence.split(/(?<=:)\s/)[0] : sentence;
  const text = (few ?? sentence).replace(/[.:]$/, '');
  if (column === null) return text;
  return text.startsWith('This ')
    ? `${column} ${text.slice('This '.length)}`
    : `${column}: ${text}`;
}

type Counts = Pick<RowTally, 'rows' | 'outcomes'>;

/** The words of the page that depend on the kind of report. */
export const PAGE_WORDS = {
  import: {
    one: 'outcome',
    title: 'Outcomes',
    // The remark of an outcome that is not a good one.
    bad: 'did not end well',
    rows: 'Rows that did not end well',
    // The headline of rows that did not end well, without the reason, and those of where there are none.
    needed: (rows: number) => counted(rows, 'row needs you', 'rows need you'),
    allGood: noneNeeded,
    noneShown: 'None of the rows shown needs you',
  },
  comparison: {
    one: 'verdict',
    title: 'Verdicts',
    bad: 'does not match',
    rows: 'Rows that do not match, or repeat others',
    needed: (rows: number) => counted(rows, 'row does not match', 'rows do not match'),
    allGood: allMatch,
    noneShown: 'None of the rows shown differs',
  },
} as const satisfies Record<ReportKind, object>;

export type PageWords = (typeof PAGE_WORDS)[ReportKind];

/** Rows that were left out did not end well: nothing happened to them. */
function noneNeeded(
  { mode, state }: Pick<RunRecord, 'mode' | 'state'>,
  { rows, outcomes: { undone, skipped } }: Counts,
): string {
  if (rows === 0) return state === 'finished' ? 'There are no rows' : 'No row has ended yet';
  if (rows === skipped)
    return `Nothing was ${mode === 'undo' ? 'taken back' : 'sent'}: ${counted(rows, 'row')} left out`;
  const ended = rows - undone - skipped;
  const parts = [
    ...(ended > 0 ? [`${counted(ended, 'row')} ended well`] : []),
    ...(undone > 0 ? [`${counted(undone, 'row')} taken back`] : []),
    ...(skipped > 0 ? [`${whole(skipped)} left out`] : []),
  ];
  return `No row needs you: ${parts.join(', ')}`;
}

/** Rows that were left out have not been compared: of these it is not known whether they match. */
function allMatch(_run: unknown, { rows, outcomes: { skipped } }: Counts): string {
  const compared = rows - skipped;
  if (compared === 0)
    return skipped === 0
      ? 'No row was compared'
      : `No row was compared: ${counted(skipped, 'row')} left out`;
  if (skipped === 0) return `Every row matches: ${counted(rows, 'row')} compared`;
  return `Every row that was compared matches: ${counted(compared, 'row')}; ${counted(skipped, 'row')} left out`;
}

/**
 * What to do first: `wait` for a run under way, `resume` one that is not at its end, `recover` deleted clients, `mend` its
 * rejects.
 */
type NextKind = 'wait' | 'resume' | 'recover' | 'mend' | 'look';

export interface NextStep {
  readonly kind: NextKind;
  /** In English, as reports and the command line say it. */
  readonly sentence: string;
  readonly more: string;
  /** The same as numbers, for other languages. */
  readonly bad: number;
  readonly top: Reason | null;
}

/**
 * What a person has to know of a run first, and to do. `rejects`: its files of rows to correct; of a run that was taken
 * back nobody corrects a part. `recovers`: whether it restored deleted clients already.
 */
export function nextStep(
  run: RunRecord,
  { tally, waiting }: { readonly tally: RowTally; readonly waiting: WaitingRows },
  rejects: readonly string[],
  { isTakenBack, recovers }: { readonly isTakenBack: boolean; readonly recovers: boolean },
): NextStep {
  const bad = failuresIn(tally.outcomes);
  const reasons = tally.reasons.list();
  const top = reasons.find(({ outcome }) => !GOOD_OUTCOMES.has(outcome)) ?? null;
  if (isTakenBack) return { kind: 'look', bad, top, sentence: TAKEN_BACK, more: '' };
  const { creates } = MODE_TRAITS[run.mode];
  const canRecover = !recovers && creates && reasons.some(isRecoverable);
  // Of clients that are there already nobody has to correct a row.
  const toMend = creates && areAllThere(reasons) ? 0 : bad;
  const kind = canRecover && run.state === 'finished' ? 'recover' : kindOf(run, toMend, rejects);
  const text = `${headline({ run, only: null }, tally).replace(/\.$/, '')}.`;
  const [first] = rejects;
  const which = rejects.length === 1 && first !== undefined ? basename(first) : 'the rejects';
  const step = { kind, bad, top, sentence: text };
  switch (kind) {
    case 'wait':
      return {
        ...step,
        sentence: `The run is ${stateText({ ...run, state: 'running' })}.`,
        more: '',
      };
    case 'resume': {
      const yet = waiting.rows > 0 ? `${waitingSentence(waiting.rows, run.mode)}. ` : '';
      return { ...step, sentence: `${yet}${NEXT_STEPS.resume}.`, more: text };
    }
    case 'recover':
      return { ...step, more: `${NEXT_STEPS.recover}. ${NOT_SENT_TWICE}` };
    case 'mend':
      return { ...step, more: `${NEXT_STEPS.mend(which)}. ${NOT_SENT_TWICE}` };
    case 'look':
      return { ...step, more: bad > 0 ? `${NEXT_STEPS.look}.` : '' };
  }
}

function kindOf({ state }: RunRecord, bad: number, rejects: readonly string[]): NextKind {
  if (state === 'running') return 'wait';
  if (state !== 'finished') return 'resume';
  return bad > 0 && rejects.length > 0 ? 'mend' : 'look';
}
