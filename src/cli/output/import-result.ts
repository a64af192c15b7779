import type { ImportResult } from '../../run/requests.js';
import type { ExitCode } from '../../core/errors.js';
import { defined } from '../../core/defined.js';
import { whole, ledgerCommand } from '../../core/text.js';
import { momentOf } from '../../report/text/local-time.js';
import { shortPath } from '../next/commands.js';
import { trialText } from './trial-text.js';
import { reasonsText } from './reasons-text.js';
import { note, print, printJson } from './output.js';
import type { Terminal } from './terminal.js';

export interface ShownResult {
  readonly json: boolean;
  /** What to do next, for a person. @default nothing */
  readonly next?: string;
}

/** Prints how an import ended, for a person or, with `json`, for a program. Resolves with the exit code. */
export async function printImportResult(
  result: ImportResult,
  { stdout, stderr, columns }: Pick<Terminal, 'stdout' | 'stderr' | 'columns'>,
  { json, next = '' }: ShownResult,
): Promise<ExitCode> {
  const { exitCode, summary, out, report, rejects, stopped, trial, missing } = result;
  if (stopped !== undefined) note(stderr, stopped);
  if (result.already) note(stderr, alreadyText(result));
  if (json) {
    const { REPORT_VERSION } = await import('../../report/summary.js');
    const removed = missing && { ...missing.summary, out: missing.out, report: missing.report };
    const printed = {
      ...{ version: REPORT_VERSION, ...summary, out, report, rejects },
      ...defined({ trial, missing: removed }),
    };
    await printJson(stdout, `${JSON.stringify(printed, null, 2)}\n`);
  } else await print(stdout, await resultText(result, next, columns));
  return exitCode;
}

/** Nothing was sent: what is shown is how that run ended, and so is the exit code. */
function alreadyText(result: ImportResult): string {
  const { summary, endedAt, report } = result;
  const { run, mode } = summary;
  const when = endedAt === undefined ? '' : ` on ${momentOf(endedAt)}`;
  const isUndo = mode === 'undo';
  const again = isUndo ? 'The run was taken back' : 'This was imported';
  const nothing = isUndo ? 'nothing was done' : 'nothing was sent';
  const anew = isUndo ? '' : ' --again imports it anew.';
  const gone = report === '' ? ` Its report is gone; "${reportCommand(result)}" shows it.` : '';
  return `${again} already, by run ${run}${when}; ${nothing}.${anew}${gone} Its counts:`;
}

/** The command is right wherever it is printed: with the ledger that has the run. */
const reportCommand = ({ summary, ledger }: ImportResult): string =>
  ledgerCommand(shortPath(ledger), 'report', summary.run);

async function resultText(
  result: ImportResult,
  next: string,
  columns: number | undefined,
): Promise<string> {
  const { summary, report, rejects, ledger, reasons, trial, missing } = result;
  const { summaryTable } = await import('../../report/summary.js');
  const label = summary.mode === 'reconcile' ? 'fix     ' : 'rejects ';
  const places = [
    ...(report === '' ? [] : [`report   ${report}`]),
    ...rejects.map((file) => `${label} ${file}`),
    ...(missing ? [`missing  ${missing.report}`] : []),
    `ledger   ${ledger}`,
  ];
  const rest = `"${reportCommand(result)}" has them all`;
  const why = reasons ? reasonsText(reasons, { inputs: summary.inputs, columns, rest }) : '';
  const part = trial ? trialText(trial, summary.inputs.length) : '';
  const gone = missing ? missingText(missing) : '';
  return [summaryTable(summary).trimEnd(), gone, part, why, places.join('\n'), next]
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('\n');
}

/** What became of the clients that the list lacks. */
function missingText({ summary: { rows, outcomes } }: ImportResult): string {
  const how = Object.entries(outcomes)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${whole(count)} ${outcome}`);
  return `Clients of the last list that are not in this one: ${whole(rows)} (${how.join(', ')}).`;
}
