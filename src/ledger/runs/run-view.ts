import type { RunRow } from './run-table.js';

/** What choosing a run looks at: a ledger as it is at one moment, wherever it is kept. */
export interface RunView {
  /** The ledger, as commands name it. */
  readonly ledger: string;
  /** All runs in the order in which they began, since clocks may be set back. */
  readonly runs: readonly RunRow[];
  /** Whether somebody works on the run now. */
  isTaken(run: string): boolean;
  /** The same, and whether machines that share the run will go on with it. */
  isAtWork(run: string): boolean;
  /** Whether a process has ended its work on the run since the command began that asks; not where that died. */
  wasFreedMeanwhile(run: RunRow): boolean;
  /** @throws UsageError when machines that share the run send what is left of it */
  refuseShared(run: RunRow): void;
  /** Whether what is on record of a run that is not at its end leaves nothing at the contact center. */
  leavesNothing(run: RunRow): boolean;
  /** Whether facts of a run are gone, or nothing shows that they are not. */
  hasLostFacts(run: RunRow): boolean;
  /** @throws LostFactsError when the ledger knows less of any run than was on the disk once */
  refuseLostFacts(): void;
  /** @throws LostFactsError when the process of a run died and nothing shows how far it had come */
  refuseUnmarked(run: RunRow): void;
}
