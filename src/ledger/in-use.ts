import { LedgerInUseError } from '../core/errors.js';
import type { RunLocks } from './run-lock.js';
import type { RunRow, Worker } from './run-table.js';

/** Says who works on a run, and what to do. */
export function inUse({
  id,
  worker,
  opened_at,
}: Pick<RunRow, 'id' | 'worker' | 'opened_at'>): LedgerInUseError {
  const { pid, host } = (worker === null ? {} : JSON.parse(worker)) as Partial<Worker>;
  const who =
    pid === undefined ? 'Another process' : `Another process (${pid} on ${host ?? 'this machine'})`;
  const since = opened_at > 0 ? ` since ${new Date(opened_at).toISOString()}` : '';
  return new LedgerInUseError(
    `${who} has been working on run ${id}${since}; wait for it, or stop it and run the same command again.`,
  );
}

/** @throws LedgerInUseError when another process works on the run */
export function refuseTaken({ locks }: { readonly locks: RunLocks }, run: RunRow): void {
  if (locks.isTaken(run.id)) throw inUse(run);
}
