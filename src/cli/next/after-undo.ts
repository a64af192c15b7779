import type { ExecutableRun, ImportResult } from '../../run/requests.js';
import { EXIT, UsageError } from '../../core/errors.js';
import { MODE_TRAITS } from '../../core/mode.js';
import { importCommandLine } from './commands.js';
import { nextText } from './next-text.js';

type Undo = Extract<ExecutableRun, { readonly kind: 'undo' }>;

/** How what was taken back is sent again; empty text where that run cannot be repeated. */
export async function nextAfterUndo(
  { request: { undoes } }: Undo,
  { exitCode, already, summary, ledger }: ImportResult,
): Promise<string> {
  if (exitCode === EXIT.stopped || already || summary.outcomes.undone === 0) return '';
  const { resumption } = await import('../../run/resume.js');
  const run = await resumption(ledger, undoes).catch((error: unknown) => {
    // It read standard input, or another version began it: its command is not on record.
    if (error instanceof UsageError) return null;
    throw error;
  });
  if (run?.kind !== 'import') return '';
  const { confirmed: _, ...request } = run.request;
  const { withLedger } = await import('../../history/runs.js');
  const { recordedRun } = await import('../../history/runs.js');
  // That of the mapping, where the command named none.
  const { mode } = await withLedger(ledger, (opened) => recordedRun(opened, ledger, undoes));
  const { creates } = MODE_TRAITS[mode];
  const words = creates
    ? 'To send it again, with the clients restored that the contact center keeps as deleted:'
    : 'To send it again:';
  const recovery = creates ? { recovery: true } : {};
  return nextText(words, importCommandLine({ ...run, request: { ...request, ...recovery } }));
}
