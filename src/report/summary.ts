import { GOOD_OUTCOMES, OUTCOMES, type Outcome, toldOutcomes } from '../core/outcome.js';
import type { Summary } from '../core/report.js';
import { whole } from '../core/whole.js';
import { writeAtomically } from './atomic-file.js';
import { aligned, type Line, share } from './figures.js';
import { repeatedFacts } from './repeated-facts.js';

/**
 * Writes `summary.json`.
 * @throws OutputError when the file cannot be written.
 */
export async function writeSummary(file: string, summary: Summary): Promise<void> {
  await writeAtomically(file, `${summaryJson(summary)}\n`);
}

/** The summary as JSON, without zeros of outcomes that belong to another mode. */
export function summaryJson(summary: Summary): string {
  return JSON.stringify(
    { ...summary, outcomes: toldOutcomes(summary.outcomes, summary.mode) },
    null,
    2,
  );
}

/** The summary as plain text for a terminal, lines ended by `\n`. Outcomes that did not occur are left out. */
export function summaryTable(summary: Summary): string {
  const lines: Line[] = [
    ['rows', whole(summary.rows), ''],
    ...OUTCOMES.filter((outcome) => summary.outcomes[outcome] > 0).map((outcome) =>
      outcomeLine(outcome, summary),
    ),
    ...repeatedLines(summary.repeated),
    ...waitingLine(summary.waiting),
    ['requests', whole(summary.requests), retried(summary.retries)],
    ['seconds', summary.seconds.toFixed(1), `${whole(Math.round(summary.rowsPerSecond))} rows/s`],
  ];
  return `run ${summary.run} ${summary.state}\n${aligned(lines)}`;
}

const repeatedLines = (repeated: Summary['repeated']): Line[] =>
  repeated === undefined
    ? []
    : repeatedFacts(repeated).map(([label, rows, note]) => [
        label,
        whole(rows),
        `${note}; see report.csv`,
      ]);

const waitingLine = (waiting: number | undefined): Line[] =>
  waiting ? [['  waiting', whole(waiting), 'continue the run to send them']] : [];

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
