import type { CheckResult } from '../../app/requests.js';
import type { ExitCode } from '../../core/errors.js';
import { printableJson } from '../../core/text/printable.js';
import { leftOutText } from '../../report/text/left-out-text.js';
import { inputText } from '../input-text.js';
import { print, printJson } from './output.js';
import { problemTable } from './problem-table.js';
import { whole } from '../../core/text/whole.js';
import type { Terminal } from './terminal.js';

/** Prints what a check found, for a person or, with `json`, for a program. Resolves with the exit code. */
export async function printCheckResult(
  result: CheckResult,
  { stdout, columns }: Pick<Terminal, 'stdout' | 'columns'>,
  json: boolean,
): Promise<ExitCode> {
  const { exitCode, ...found } = result;
  if (json) await printJson(stdout, `${JSON.stringify(found, null, 2)}\n`);
  else await print(stdout, `${await resultText(result, columns)}\n`);
  return exitCode;
}

async function resultText(result: CheckResult, columns?: number): Promise<string> {
  const { inputs, rejects, sample, problems } = result;
  const parts = [
    inputs.map(({ file, info }) => inputText(file, info)).join('\n'),
    sample.length === 0 ? '' : `First clients:\n${printableJson(JSON.stringify(sample, null, 2))}`,
    problems.length === 0 ? '' : await problemTable(problems, columns),
    result.suspicions.map(({ message }) => `suspect the mapping: ${message}`).join('\n'),
    countsText(result),
    result.remarks.length === 0 ? '' : `${leftOutText(result.remarks)}.`,
    rejects.map((file) => `rejects  ${file}`).join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function countsText({ rows, clients, rejected, skipped, seconds }: CheckResult): string {
  const rate = seconds > 0 ? `, ${whole(Math.round(rows / seconds))} rows/s` : '';
  const counts = `${whole(clients)} would be sent, ${whole(rejected)} rejected, ${whole(skipped)} skipped`;
  return `${whole(rows)} rows: ${counts} (${seconds.toFixed(1)} s${rate}).`;
}
