import type { ChunkRows, WaitingRows, Fact } from '../core/facts.js';
import type { MayBegin, RunIdentity, RunRecord } from '../core/ledger.js';
import type { RowReport } from '../core/report.js';
import type { RunTransfer } from './copy/run-transfer.js';
import type { OpenedRun, RunRequest } from './runs/run-request.js';

/** The facts of a chunk, with its number. */
export type NumberedFacts = readonly [number: number, facts: readonly Fact[]];

/** A run that other processes are kept from. */
export interface HeldRun {
  /** Whether a request may leave for what is done with the run. */
  readonly mayBegin: MayBegin;
  release(): Promise<void>;
}

/** Which runs are looked for. Without any of these: all of them. */
export interface RunFilter {
  readonly state?: RunRecord['state'] | undefined;
  readonly mode?: RunRecord['mode'] | undefined;
  /** Whether the names of its inputs, and of its campaign where that is kept, fit. */
  readonly fits?: ((inputs: readonly string[], campaign: string | null) => boolean) | undefined;
}

/** A part of the runs that fit, the latest first. */
export interface RunPage {
  /** How many fit. */
  readonly total: number;
  /** How many there are. */
  readonly all: number;
  readonly runs: readonly RunRecord[];
}

/** The runs of a ledger, as they are listed. */
export interface RecordedRuns {
  /** All runs, the latest first. */
  runs(): Promise<RunRecord[]>;
  /** One run; `undefined` when there is none of this id. */
  find(run: string): Promise<RunRecord | undefined>;
  page(filter: RunFilter, offset: number, limit: number): Promise<RunPage>;
  /** Those of these runs that can be continued: nobody works on them, and they were neither taken back nor overtaken. */
  resumable(runs: readonly string[]): Promise<ReadonlySet<string>>;
  /** Id of the latest run that can be continued. */
  latestToResume(): Promise<string | undefined>;
  /** Ids of the runs that took these back, or a part of them, by the run that was taken back. */
  undosOf(runs: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
}

/**
 * The ledger of all runs, wherever it is kept: what is asked of it may have to travel. `openLedger` has the one in a file.
 */
export interface Ledger extends RecordedRuns {
  /** Absolute path of the file, or the address of the database. */
  readonly file: string;
  /**
   * Opens the run of an import: a new one, or one that is to be continued; it is locked for this process. Choosing and
   * beginning are one step.
   * @throws LedgerInUseError when another process works on it; UsageError when something that it is bound to has
   * changed; LostFactsError when the ledger has lost its end.
   */
  openRun(request: RunRequest): Promise<OpenedRun>;
  /**
   * Keeps other processes from a run while something else is done with what is on record of it.
   * @throws LedgerInUseError; LostFactsError when that is not all that it did
   */
  holdRun(run: string): Promise<HeldRun>;
  /** Whether the digest of large inputs has to be known before a run is opened. `run`: as in `RunRequest`. */
  asksContent(identity: RunIdentity, run?: string): Promise<boolean>;
  /** What was kept with a run when it began. */
  settingsOf(run: string): Promise<unknown>;
  /** Rows of a run with their outcomes, in order. They are read as they are taken, anew with each iteration. */
  rowsOf(run: string): Promise<Iterable<RowReport>>;
  /** The first of them, without reading the others. */
  firstRow(run: string): Promise<RowReport | undefined>;
  /** All of them chunk by chunk, each with its number, by which `rowsOfChunk` reads it again. */
  rowsByChunk(run: string): Promise<Iterable<ChunkRows>>;
  /** Rows of one chunk of a run; none where it is not on record. */
  rowsOfChunk(run: string, chunk: number): Promise<readonly RowReport[]>;
  /** Rows of a run for which something is yet to be sent. */
  waitingOf(run: string): Promise<WaitingRows>;
  /** The facts of a run, chunk by chunk, each with its number, read as they are taken; `backwards`: the last chunk first. */
  factsOf(run: string, backwards?: boolean): Promise<Iterable<NumberedFacts>>;
  /** Whether anything has been recorded of a run since: the number of its last fact. */
  lastFact(run: string): Promise<number>;
  /**
   * Writes the facts of a chunk anew, the same in number and kind: the one change of what is on record, for who removes a
   * person from it. Nobody may work on the run meanwhile (`holdRun`).
   */
  rewriteFacts(run: string, chunk: number, facts: readonly Fact[]): Promise<void>;
  /**
   * Sees to it that nothing of what was rewritten is left in the ledger's own files or tables.
   * @throws LedgerInUseError when somebody else reads it
   */
  scrub(): Promise<void>;
  /**
   * Forgets finished runs that ended before then, in milliseconds since the epoch, except those that others cannot do
   * without. Returns their ids.
   * @param leaving called with the ids before the runs are forgotten: whatever else goes with them goes first, so that
   * nothing is left that no run knows of
   */
  prune(before: number, leaving?: (runs: readonly string[]) => void): Promise<string[]>;
  /** Copies whole runs out of the ledger and into it. */
  readonly transfer: RunTransfer;
  close(): Promise<void>;
}
