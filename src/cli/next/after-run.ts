import { isWhole } from '../../app/inputs/trial.js';
import type { ExecutableRun, ImportResult } from '../../app/requests.js';
import { EXIT } from '../../core/errors/errors.js';
import { NEXT_STEPS } from '../../report/text/next-step.js';
import { STANDARD_INPUT } from '../standard-input.js';
import { commandLine, importCommandLine, shortPath } from './commands.js';
import { nextText } from './next-text.js';

/** What to do after an import; empty text after other runs, whose reports say it. */
export function nextAfterRun(run: ExecutableRun, result: ImportResult): string {
  if (run.kind !== 'import') return '';
  const { rejects, summary, exitCode } = result;
  const ledger = ['--ledger', shortPath(result.ledger)];
  if (exitCode === EXIT.stopped && !run.request.files.includes(STANDARD_INPUT))
    return nextText(`${NEXT_STEPS.resume}:`, commandLine(['resume', summary.run, ...ledger]));
  const [first] = rejects;
  if (first !== undefined) {
    const which = rejects.length === 1 ? shortPath(first) : 'the rejects';
    return nextText(`${NEXT_STEPS.mend(which)}:`, importCommandLine(run, rejects));
  }
  const isOk = exitCode === EXIT.ok;
  if (!isOk || result.already) return '';
  if (result.trial && result.trial.rows > 0 && !isWhole(result.trial))
    return nextText('Import the other rows too:', importCommandLine(run));
  return nextText(`${NEXT_STEPS.look}:`, commandLine(['report', summary.run, '--open', ...ledger]));
}
