import type { CheckRequest } from '../app/requests.js';
import { defined } from '../core/defined.js';
import type { ExitCode } from '../core/errors.js';
import { inputText } from './input-text.js';
import { printCheckResult } from './output/check-result.js';
import { stopWaiting, unlessStopped } from './output/stopped.js';
import type { Checked } from './next/after-check.js';
import type { Shown } from './execute-command.js';
import type { Terminal } from './output/terminal.js';
import { startProgress } from './progress/progress.js';

/**
 * Checks files with progress on the terminal, and prints what was found.
 * @param meant the import that was asked for, where the check takes its place
 */
export async function checkCommandFiles(
  files: Omit<CheckRequest, 'signal' | 'onProgress' | 'onWarning' | 'onInput'>,
  { quiet = false, json = false }: Shown,
  terminal: Terminal,
  meant?: Checked['meant'],
): Promise<ExitCode> {
  const { checkFiles, UnwrittenRejects } = await import('../app/check/check.js');
  stopWaiting(files.files, terminal);
  const progress = await startProgress(terminal, quiet);
  const request: CheckRequest = {
    ...files,
    // An import into a sandbox has nothing to do with the campaign of the contact center.
    comparesCampaign: meant?.sandbox !== true,
    ...defined({ campaign: meant?.request.campaign }),
    env: terminal.env,
    signal: terminal.signal,
    onProgress: progress.update,
    onWarning: progress.note,
    ...(json ? { onInput: (file, info) => progress.note(inputText(file, info)) } : {}),
  };
  try {
    const result = await unlessStopped(checkFiles(request), terminal.signal);
    progress.stop();
    return await printCheckResult({ request, result, meant }, terminal, json);
  } catch (error) {
    progress.stop();
    if (error instanceof UnwrittenRejects)
      await printCheckResult({ request, result: error.result, meant }, terminal, json);
    throw error;
  } finally {
    progress.stop();
  }
}
