import { type LedgerInUseError, RunInUseError } from '../../core/errors/errors.js';
import type { RunRow, Worker } from './run-table.js';
import type { RunView } from './run-view.js';

/** Says who works on a run, and what to do. */
export function inUse({ id, worker }: Pick<RunRow, 'id' | 'worker'>): LedgerInUseError {
  const known = worker === null ? null : (JSON.parse(worker) as Worker);
  const who = known ? ` (${known.pid} on ${known.host})` : '';
  const since = known ? ` since ${new Date(known.since).toISOString()}` : '';
  return new RunInUseError(
    `Another process${who} has been working on run ${id}${since}; wait for it, or stop it and run the same command again.`,
    id,
  );
}

/** @throws LedgerInUseError when another process works on the run */
export function refuseTaken(view: Pick<RunView, 'isTaken'>, run: RunRow): void {
  if (view.isTaken(run.id)) throw inUse(run);
}
