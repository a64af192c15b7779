import { inUse, refuseTaken } from './in-use.js';
import type { LedgerParts } from '../ledger-parts.js';
import { refuseLostRun } from './lost-facts.js';
import type { RunLock } from './run-lock.js';
import { noteWorker, runRow } from './run-table.js';
import type { RunView } from './run-view.js';
import { idsOf } from './taken-back.js';
import { viewOf } from '../view.js';

/**
 * Keeps other processes from a run while something else is done with what is on record of it.
 * @throws LedgerInUseError when another process works on it; LostFactsError when what is on record is not all that it did
 */
export function holdRun(ledger: LedgerParts, id: string): RunLock {
  const { database } = ledger;
  const lock = ledger.locks.take(id);
  if (!lock) throw inUse(runRow(database, id) ?? { id, worker: null });
  const check = database.transaction(() => {
    const run = runRow(database, id);
    if (run) refuseLostRun(ledger, run);
    refuseRelying(viewOf(ledger), id);
    noteWorker(database, id);
  });
  try {
    // An import that relies on this run is on record before, or meets the lock.
    check.immediate();
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** @throws LedgerInUseError when somebody works on a run that took rows of this one as they were */
export function refuseRelying(view: RunView, id: string): void {
  for (const run of view.runs) if (idsOf(run.relies).includes(id)) refuseTaken(view, run);
}
