import type Database from 'better-sqlite3';
import type { RunMarks } from './mark.js';
import type { RunLocks } from './runs/run-lock.js';

/** The ledger's database, the name of its file for messages, who works on its runs, and how far they had come. */
export interface LedgerParts {
  readonly database: Database.Database;
  readonly file: string;
  readonly locks: RunLocks;
  /** `null`: the ledger ends with the process, and has nothing to lose. */
  readonly marks: RunMarks | null;
}
