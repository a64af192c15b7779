import { GOOD_OUTCOMES, OUTCOMES, type Outcome } from '../core/outcome.js';
import type { Summary } from '../core/report.js';
import { writeAtomically } from './atomic-file.js';

/**
 * Writes `summary.json`.
 * @throws OutputError when the file cannot be written.
 */
export async function writeSummary(file: string, summary: Summary): Promise<void> {
  await writeAtomically(file, `${JSON.stringify(summary, null, 2)}\n`);
}

type Line = readonly [label: string, value: string, note: string];

/** The summary as plain text for a terminal, lines ended by `\n`. Outcomes that did not occur are left out. */
export function summaryTable(summary: Summary): string {
  const lines: Line[] = [
    ['rows', whole(summary.rows), ''],
    ...OUTCOMES.filter((outcome) => summary.outcomes[outcome] > 0).map((outcome) =>
      outcomeLine(outcome, summary),
    ),
    ...waitingLine(summary.waiting),
    ['requests', whole(summary.requests), retried(summary.retries)],
    ['seconds', summary.seconds.toFixed(1), `${whole(Math.round(summary.rowsPerSecond))} rows/s`],
  ];
  return `run ${summary.run} ${summary.state}\n${aligned(lines)}`;
}

const waitingLine = (waiting: number | undefined): Line[] =>
  waiting ? [['  waiting', whole(waiting), 'continue the run to send them']] : [];

const whole = (value: number): string => value.toLocaleString('en-US');

function outcomeLine(outcome: Outcome, { outcomes, rows }: Summary): Line {
  const mark = GOOD_OUTCOMES.has(outcome) ? '' : '  see report.csv';
  return [
    `  ${outcome}`,
    whole(outcomes[outcome]),
    `${share(outcomes[outcome], rows).padStart(8)}${mark}`,
  ];
}

/** Never says 0.0 % of something, nor 100.0 % of not everything. */
function share(part: number, all: number): string {
  if (part === all) return '100.0 %';
  const percent = (part / all) * 100;
  if (percent < 0.1) return '< 0.1 %';
  return percent > 99.9 ? '> 99.9 %' : `${percent.toFixed(1)} %`;
}

function retried(retries: number): string {
  if (retries === 0) return '';
  return `${whole(retries)} ${retries === 1 ? 'retry' : 'retries'} among them`;
}

function aligned(lines: readonly Line[]): string {
  const label = Math.max(...lines.map((line) => line[0].length));
  const value = Math.max(...lines.map((line) => line[1].length));
  return lines
    .map(([a, b, c]) => `${a.padEnd(label)}  ${b.padStart(value)}  ${c}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}
