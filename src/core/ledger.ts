import type { Fact } from './facts.js';
import type { RowReport } from './report.js';

/** What a run is bound to; told when it is listed, and compared before it is continued. */
export interface RunIdentity {
  /** Absolute paths of the inputs and their sizes in bytes. */
  readonly inputs: readonly { readonly path: string; readonly bytes: number }[];
  /** SHA-256 of the mapping file. */
  readonly mapping: string;
  /** Name and address of the installation. */
  readonly installation: string;
  readonly campaignId: number | null;
  /** Names of the synchronization identifiers, in the order of the card configuration. */
  readonly identifierNames: readonly string[];
}

/** The facts of one run, while it works. */
export interface RunLedger {
  readonly run: string;
  /** Whether the run had facts already when it was opened. */
  readonly continued: boolean;
  /**
   * Records facts of a chunk, all or none. They are on the disk when the promise resolves.
   * @throws LedgerError when they cannot be written.
   */
  record(chunk: number, facts: readonly Fact[]): Promise<void>;
  /** The facts of a chunk so far, in the order of recording. */
  factsOf(chunk: number): readonly Fact[];
  /**
   * Every data row of the run with its outcome, in the order of the rows; those that a stopped run has yet to send are
   * left out. Reads the ledger as it goes.
   */
  rows(): Iterable<RowReport>;
  /** How many rows are on record and yet to be sent. */
  waiting(): number;
  /** Marks the run as finished: nothing is left to do. */
  finish(): void;
}
