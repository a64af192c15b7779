import type { ImportRequest, ImportResult } from '../run/requests.js';
import { EXIT, isInterruption } from '../core/errors.js';
import type { Mode, RunMode } from '../core/mode.js';
import { noOutcomes } from '../core/outcome.js';
import { runResult, type RunResult } from './result.js';

/** What a run does, and what it has on record where it goes on with an earlier part. */
interface Known {
  readonly mode: RunMode;
  /** @default it is not on record */
  readonly run?: string | undefined;
}

/**
 * A run as it ends: also where it was stopped so early that the ledger does not have it.
 * @param known found out in this case alone
 */
export async function resultOf(
  executing: Promise<ImportResult>,
  known: () => Known | Promise<Known>,
): Promise<RunResult> {
  try {
    return runResult(await executing);
  } catch (error) {
    if (!isInterruption(error)) throw error;
    return notBegun(await known(), error.message);
  }
}

/** The mode of an import that has not read its mapping, or not said what it read. @throws ConfigurationError */
export async function modeOf(
  request: Pick<ImportRequest, 'mapping' | 'installation' | 'mode'>,
): Promise<{ readonly mode: Mode }> {
  const { plannedImport } = await import('../run/import.js');
  return { mode: request.mode ?? (await plannedImport(request)).mode };
}

function notBegun({ mode, run = '' }: Known, stopped: string): RunResult {
  const counts = { rows: 0, outcomes: noOutcomes() };
  const none = { requests: 0, retries: 0, seconds: 0, rowsPerSecond: 0, inputs: [] };
  const state = 'stopped';
  return {
    ...{ run, mode, state, exitCode: EXIT.stopped, ...counts, rejects: [] },
    summary: { run, mode, ...counts, ...none, state, campaignId: null, ledger: '' },
    ...{ out: '', report: '', ledger: '', stopped },
  };
}
