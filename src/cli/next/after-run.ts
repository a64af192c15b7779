import { isWhole } from '../../app/inputs/trial.js';
import type { ExecutableRun, ImportRequest, ImportResult } from '../../app/requests.js';
import { EXIT } from '../../core/errors.js';
import { MODE_TRAITS } from '../../core/mode.js';
import { areAllThere, isRecoverable } from '../../report/recoverable.js';
import { NEXT_STEPS } from '../../report/text/next-step.js';
import { STANDARD_INPUT } from '../standard-input.js';
import { importCommandLine, reconcileCommandLine, shortPath } from './commands.js';
import { commandLine } from '../../core/text.js';
import { nextText } from './next-text.js';

/** What to do after an import; empty text after other runs, whose reports say it. */
export async function nextAfterRun(run: ExecutableRun, result: ImportResult): Promise<string> {
  if (run.kind === 'undo') return (await import('./after-undo.js')).nextAfterUndo(run, result);
  if (run.kind !== 'import') return '';
  const { rejects, summary, exitCode } = result;
  const ledger = ['--ledger', shortPath(result.ledger)];
  if (exitCode === EXIT.stopped && !run.request.files.includes(STANDARD_INPUT))
    return nextText(`${NEXT_STEPS.resume}:`, commandLine(['resume', summary.run, ...ledger]));
  // The same files: what ended well is not sent twice.
  if (needsRecovery(run.request, result)) {
    const words = { ...run, request: { ...run.request, recovery: true } };
    return nextText(`${NEXT_STEPS.recover}:`, importCommandLine(words));
  }
  const look = (): string =>
    nextText(`${NEXT_STEPS.look}:`, commandLine(['report', summary.run, '--open', ...ledger]));
  if (hasOnlyKnown(result))
    return run.request.files.includes(STANDARD_INPUT)
      ? look()
      : nextText(`${NEXT_STEPS.compare}:`, reconcileCommandLine(run));
  const [first] = rejects;
  if (first !== undefined) {
    const which = rejects.length === 1 ? shortPath(first) : 'the rejects';
    return nextText(`${NEXT_STEPS.mend(which)}:`, importCommandLine(run, rejects));
  }
  const isOk = exitCode === EXIT.ok;
  if (!isOk || result.already) return '';
  if (result.trial && result.trial.rows > 0 && !isWhole(result.trial))
    return nextText('Import the other rows too:', importCommandLine(run));
  return look();
}

/** Whether all that is left are clients that are there already. */
const hasOnlyKnown = ({ summary, reasons }: ImportResult): boolean =>
  MODE_TRAITS[summary.mode].creates && reasons?.more === 0 && areAllThere(reasons.reasons);

/** Whether rows failed only since the contact center keeps their clients as deleted. */
const needsRecovery = (
  { recovery, files }: ImportRequest,
  { summary, reasons }: ImportResult,
): boolean =>
  recovery !== true &&
  MODE_TRAITS[summary.mode].creates &&
  !files.includes(STANDARD_INPUT) &&
  (reasons?.reasons.some(isRecoverable) ?? false);
