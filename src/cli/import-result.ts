import type { ImportResult } from '../app/requests.js';
import type { ExitCode } from '../core/errors.js';
import { toldOutcomes } from '../core/outcome.js';
import { note, print } from './output.js';
import type { Terminal } from './terminal.js';

/** Prints how an import ended, for a person or, with `json`, for a program. Resolves with the exit code. */
export async function printImportResult(
  result: ImportResult,
  { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>,
  json: boolean,
): Promise<ExitCode> {
  const { exitCode, summary, out, report, rejects, stopped, already } = result;
  if (stopped !== undefined) note(stderr, stopped);
  if (already)
    note(
      stderr,
      summary.mode === 'undo'
        ? `This was taken back already, by run ${summary.run}; nothing was sent.`
        : `This was imported already, by run ${summary.run}; nothing was sent. --again imports it anew.`,
    );
  const text = json
    ? `${JSON.stringify({ ...summary, outcomes: toldOutcomes(summary.outcomes, summary.mode), out, report, rejects }, null, 2)}\n`
    : await resultText(result);
  await print(stdout, text);
  return exitCode;
}

async function resultText({ summary, report, rejects }: ImportResult): Promise<string> {
  const { summaryTable } = await import('../report/summary.js');
  const label = summary.mode === 'reconcile' ? 'fix     ' : 'rejects ';
  const places = [
    ...(report === '' ? [] : [`report   ${report}`]),
    ...rejects.map((file) => `${label} ${file}`),
  ];
  const files = places.length === 0 ? '' : `\n${places.join('\n')}\n`;
  return `${summaryTable(summary)}${files}`;
}
