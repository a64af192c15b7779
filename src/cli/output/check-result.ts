import type { CheckResult } from '../../app/requests.js';
import type { ExitCode } from '../../core/errors.js';
import { printableJson, counted, whole } from '../../core/text.js';
import { callsText, qualityText } from '../../report/text/quality-text.js';
import { checkText } from '../../report/text/check-text.js';
import { duplicatesText } from '../../report/text/duplicates-text.js';
import { remarksText } from '../../report/text/remarks-text.js';
import { suppressedText } from '../../report/text/suppressed-text.js';
import { inputText } from '../input-text.js';
import { print, printJson } from './output.js';
import { type Checked, nextAfterCheck } from '../next/after-check.js';
import { trialText } from './trial-text.js';
import { reasonsText } from './reasons-text.js';
import type { Terminal } from './terminal.js';

/** Prints what a check found, for a person or, with `json`, for a program. Resolves with the exit code. */
export async function printCheckResult(
  checked: Checked,
  terminal: Pick<Terminal, 'stdout' | 'columns' | 'env'>,
  json: boolean,
): Promise<ExitCode> {
  const { stdout, columns } = terminal;
  // What is printed for programs is kept: it has the codes and counts of the reasons, and no values.
  const { exitCode, reasons: _, ...found } = checked.result;
  if (json) await printJson(stdout, `${JSON.stringify(found, null, 2)}\n`);
  else {
    const next = await nextAfterCheck(checked, terminal);
    await print(stdout, `${resultText(checked, next, columns)}\n`);
  }
  return exitCode;
}

function resultText({ request, result }: Checked, next: string, columns?: number): string {
  const { inputs, rejects, sample, reasons, trial } = result;
  const names = inputs.map(({ file }) => file);
  const parts = [
    inputs.map(({ file, info }) => inputText(file, info)).join('\n'),
    // Clients are personal data: what is piped may be kept, and has them where they were asked for.
    sample.length === 0 || (columns === undefined && request.show === undefined)
      ? ''
      : `First clients:\n${printableJson(JSON.stringify(sample, null, 2))}`,
    reasonsText(reasons, { inputs: names, columns, rest: '--json lists them all' }),
    result.suspicions.map(({ message }) => `suspect the mapping: ${message}`).join('\n'),
    result.notes.join('\n'),
    countsText(result),
    trial ? trialText(trial, inputs.length) : '',
    result.callable ? callsText(result.callable) : '',
    checksText(result, names),
    result.quality ? qualityText(result.quality).trimEnd() : '',
    sentence(duplicatesText(result.duplicates)),
    sentence(remarksText(result.remarks)),
    sentence(suppressedText(result.suppressed)),
    rejects.map((file) => `rejects  ${file}`).join('\n'),
    next,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const sentence = (text: string): string => (text === '' ? '' : `${text}.`);

/** Every check with what it came to, those that stop an import as such. */
function checksText({ checks = [] }: CheckResult, inputs: readonly string[]): string {
  return checks
    .map((found) => {
      const mark = found.holds ? 'holds' : found.else === 'stop' ? 'stops the import' : 'warns';
      return `check ${mark}: ${checkText(found, inputs)}`;
    })
    .join('\n');
}

function countsText({ rows, clients, rejected, skipped, seconds }: CheckResult): string {
  const rate = seconds > 0 ? `, ${whole(Math.round(rows / seconds))} rows/s` : '';
  const counts = `${whole(clients)} would be sent, ${whole(rejected)} rejected, ${whole(skipped)} skipped`;
  return `${counted(rows, 'row')}: ${counts} (${seconds.toFixed(1)} s${rate}).`;
}
