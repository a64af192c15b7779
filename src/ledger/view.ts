import { type Moment, momentNow } from '../core/time.js';
import { chunksOf } from './fact-table.js';
import type { LedgerParts } from './ledger-parts.js';
import { hasLostFacts, refuseLostFacts, refuseWithoutMark } from './runs/lost-facts.js';
import type { RunRow } from './runs/run-table.js';
import type { RunView } from './runs/run-view.js';
import { mayHaveArrived } from './runs/taken-back.js';

/**
 * A ledger in a file as it is now; for as long as a transaction keeps others from changing it. `where`: a condition for
 * those of its runs that are looked at. `begun`: when the command began that asks.
 */
export function viewOf(ledger: LedgerParts, where = 'true', begun?: Moment): RunView {
  const { database, file, locks } = ledger;
  return {
    ledger: file,
    runs: database.prepare<[], RunRow>(`SELECT * FROM run WHERE ${where} ORDER BY rowid`).all(),
    isTaken: (run) => locks.isTaken(run),
    isAtWork: (run) => locks.isTaken(run),
    wasFreedMeanwhile: ({ ended_at: at }) =>
      // What seems to be yet to come was written before the clock was set.
      begun !== undefined && at !== null && at > begun.wall && at <= momentNow().wall,
    // Machines share runs of a database alone.
    refuseShared: () => undefined,
    leavesNothing: ({ id }) => {
      for (const facts of chunksOf(database, file, id)) if (mayHaveArrived(facts)) return false;
      return true;
    },
    hasLostFacts: (run) => hasLostFacts(ledger, run),
    refuseLostFacts: () => {
      refuseLostFacts(ledger);
    },
    refuseUnmarked: (run) => {
      refuseWithoutMark(ledger, run);
    },
  };
}
