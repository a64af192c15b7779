import { GOOD_OUTCOMES, OUTCOMES, type Outcome } from '../core/outcome.js';
import { changedText, type Summary } from '../core/report.js';
import { printableLine, counted, whole } from '../core/text.js';
import { deedOf } from './text/next-step.js';
import { writeAtomically } from './files/atomic-file.js';
import { aligned, type Line, share } from './text/figures.js';
import { repeatedFacts } from './repeated-facts.js';
import { callsText, qualityText } from './text/quality-text.js';
import { duplicatesText } from './text/duplicates-text.js';
import { remarksText } from './text/remarks-text.js';
import { suppressedText } from './text/suppressed-text.js';

/**
 * Writes `summary.json`.
 * @throws OutputError when the file cannot be written.
 */
export async function writeSummary(file: string, summary: Summary): Promise<void> {
  await writeAtomically(file, `${summaryJson(summary)}\n`);
}

/**
 * Which form `summary.json`, the lines of JSONL and `runs --json` have; counted up where a name goes or changes its
 * meaning. 2: every outcome is counted, times are ISO 8601, identifiers have columns of their own in JSONL too.
 */
export const REPORT_VERSION = 2;

/** The summary as JSON. */
function summaryJson(summary: Summary): string {
  return JSON.stringify({ version: REPORT_VERSION, ...summary }, null, 2);
}

/** The summary as plain text for a terminal, lines ended by `\n`. Outcomes that did not occur are left out. */
export function summaryTable(summary: Summary): string {
  const lines: Line[] = [
    ['rows', whole(summary.rows), ''],
    ...OUTCOMES.filter((outcome) => summary.outcomes[outcome] > 0).map((outcome) =>
      outcomeLine(outcome, summary),
    ),
    ...repeatedLines(summary.repeated),
    ...waitingLines(summary),
    ...unreadLines(summary),
    ['requests', whole(summary.requests), retried(summary.retries)],
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

const repeatedLines = (repeated: Summary['repeated']): Line[] =>
  repeated === undefined
    ? []
    : repeatedFacts(repeated).map(([label, rows, note]) => [
        label,
        whole(rows),
        `${note}; see report.csv`,
      ]);

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

function outcomeLine(outcome: Outcome, { outcomes, rows }: Summary): Line {
  const mark = GOOD_OUTCOMES.has(outcome) ? '' : '  see report.csv';
  return [
    `  ${outcome}`,
    whole(outcomes[outcome]),
    `${share(outcomes[outcome], rows).padStart(8)}${mark}`,
  ];
}

function retried(retries: number): string {
  if (retries === 0) return '';
  return `${whole(retries)} ${retries === 1 ? 'retry' : 'retries'} among them`;
}
