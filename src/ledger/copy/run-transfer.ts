import type { FactRow } from '../fact-table.js';
import type { RunRow } from '../runs/run-table.js';

/** All that is on record of a run, as it is stored. */
export interface RunOnRecord {
  readonly row: RunRow;
  /** Its facts, chunk by chunk, those of a chunk in the order of recording; read anew with each call. */
  readonly facts: () => AsyncIterable<readonly FactRow[]>;
}

/** What copies whole runs out of a ledger and into it. */
export interface RunTransfer {
  /** All runs in the order in which they began. */
  rows(): Promise<readonly RunRow[]>;
  /** A run that is on record. */
  read(run: string): Promise<RunOnRecord>;
  /**
   * Gives a run away, and keeps other processes from it meanwhile. One that can still be continued has from then on all
   * looked up before it is sent, here and where it is copied to: the other ledger may have sent it.
   * @throws LedgerInUseError, LostFactsError
   */
  lend<T>(run: string, use: (lent: RunOnRecord) => Promise<T>): Promise<T>;
  /** Puts a run on record with all its facts; none of it where `check` throws, which sees it as it is stored here. */
  receive(run: RunOnRecord, check: (stored: RunOnRecord) => Promise<void>): Promise<void>;
}
