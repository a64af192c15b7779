import type { ImportResult } from '../app/requests.js';
import type { ExitCode } from '../core/errors.js';
import { toldOutcomes } from '../core/outcome.js';
import { note, print, printJson } from './output.js';
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
  if (json) {
    const outcomes = toldOutcomes(summary.outcomes, summary.mode);
    const told = { ...summary, outcomes, out, report, rejects };
    await printJson(stdout, `${JSON.stringify(told, null, 2)}\n`);
  } else await print(stdout, await resultText(result));
  return exitCode;
}

async function resultText({ summary, report, rejects }: ImportResult): Promise<string> {
  const { summaryTable } = await import('../report/summary.js');
  const label = summary.mode === 'reconcile' ? 'fix     ' : 'rejects ';
  const places = [`report   ${report}`, ...rejects.map((file) => `${label} ${file}`)];
  return `${summaryTable(summary)}\n${places.join('\n')}\n`;
}
