import { CardlineError, EXIT } from '../../../core/errors.js';
import type { RunEnd, RunLedger } from '../../../core/ledger.js';
import { type Reports, type ReportsRequest, countedSummary, writeReports } from './reports.js';

/** Reports, or what kept them from being written. */
export interface ReportsEnd extends Reports {
  readonly failure?: CardlineError;
}

/**
 * Writes the reports of a run. Where they cannot be written, as on a full disk, the counts are there all the same, and
 * the run counts as stopped: the same command writes them.
 */
export async function reportsOrCounts(request: ReportsRequest): Promise<ReportsEnd> {
  try {
    return await writeReports(request);
  } catch (error) {
    const failure = asStop(error);
    const summary = await countedSummary({ ...request, stopped: true });
    return { summary, report: '', rejects: [], failure };
  }
}

/** Puts on record how the run ended; resolves with what kept it from that. The run can be continued either way. */
export async function recordEnd(run: RunLedger, end: RunEnd): Promise<CardlineError | undefined> {
  try {
    await run.end(end);
    return undefined;
  } catch (error) {
    return asStop(error);
  }
}

/** @throws what is no reason for a run to stop, but an internal error */
function asStop(error: unknown): CardlineError {
  if (error instanceof CardlineError && error.exitCode === EXIT.stopped) return error;
  throw error;
}

/** Why a run stopped, for the person; absent when it did not. Each reason is reported once. */
export function stopText(reasons: readonly (CardlineError | undefined)[]): {
  readonly stopped?: string;
} {
  const words = new Set(reasons.flatMap((reason) => (reason ? [reason.message] : [])));
  if (words.size === 0) return {};
  const text = [...words].join(' ');
  const isComplete = reasons.some(
    (reason) => reason?.exitCode === EXIT.usage || reason?.saysHowToContinue,
  );
  return { stopped: isComplete ? text : `${text} The same command continues the run.` };
}
