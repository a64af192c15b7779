import type Database from 'better-sqlite3';
import {
  type ChunkRows,
  type WaitingRows,
  reportRows,
  rowsByChunk,
  waitingIn,
} from '../core/facts/report-rows.js';
import type { Fact } from '../core/facts/facts.js';
import type { RunIdentity } from '../core/ledger.js';
import type { RowReport } from '../core/report.js';
import { isContentAsked } from './runs/choose-run.js';
import { IN_MEMORY, asLedgerError } from './database.js';
import { chunksOf, factsOf, guarded, numberedChunksOf } from './fact-table.js';
import { openAtHome } from './home.js';
import type { LedgerParts } from './ledger-parts.js';
import { iterable } from './iterable.js';
import { holdRun } from './runs/hold-run.js';
import { type LedgerFile, takeLedgerFile } from './ledger-file.js';
import { openRun } from './runs/open-run.js';
import { settled } from './settled.js';
import type { OpenedRun, RunRequest } from './runs/run-request.js';
import { marksBeside } from './mark.js';
import { viewOf } from './view.js';
import type { Recorder } from './recorder/recorder.js';
import { createInlineRecorder } from './recorder/recorder-inline.js';
import { createRelievedRecorder } from './recorder/recorder-relieved.js';
import { createThreadRecorder } from './recorder/recorder-thread.js';
import { runsToForget } from './runs/prune.js';
import { locksOf } from './runs/run-lock.js';
import { type RecordedRuns, recordedRuns } from './runs/recorded-runs.js';
import { type RunRow, enqueues, forgetRuns, runRow } from './runs/run-table.js';

export type { RunFilter } from './runs/find-runs.js';
export type { RunPage } from './runs/recorded-runs.js';
export type { OpenedRun, RunRequest } from './runs/run-request.js';

/** The facts of a chunk, with its number. */
export type NumberedFacts = readonly [number: number, facts: readonly Fact[]];

/** A run that other processes are kept from. */
export interface HeldRun {
  release(): Promise<void>;
}

/**
 * The ledger of all runs, wherever it is kept: what is asked of it may have to travel. `openLedger` has the one in a file.
 */
export interface Ledger extends RecordedRuns {
  /** Absolute path of the file. */
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
   * Forgets finished runs that ended before then, in milliseconds since the epoch, except those that others cannot do
   * without. Returns their ids.
   */
  prune(before: number): Promise<string[]>;
  close(): Promise<void>;
}

export interface LedgerOptions {
  /** Whether a thread of its own writes where there is much to write; to a ledger in memory it cannot. */
  readonly thread?: boolean;
  /** How long it is waited for while another process has it for itself; nothing else is done meanwhile. @default 5 s */
  readonly busyMs?: number;
}

/**
 * Opens the ledger in `file`, or makes it.
 * @throws LedgerError when the file cannot be opened or is not a ledger.
 */
export function openLedger(
  file: string,
  { thread = file !== IN_MEMORY, busyMs }: LedgerOptions = {},
): Promise<Ledger> {
  return settled(() => openFile(file, thread, busyMs));
}

function openFile(file: string, thread: boolean, busyMs: number | undefined): Ledger {
  const taken = file === IN_MEMORY ? { path: file, release: () => undefined } : takeFile(file);
  try {
    const database = guarded(taken.path, () => openAtHome(taken.path, busyMs));
    return createLedger(database, taken, thread);
  } catch (error) {
    taken.release();
    throw error;
  }
}

function takeFile(file: string): LedgerFile {
  try {
    return takeLedgerFile(file);
  } catch (error) {
    throw asLedgerError(error, file);
  }
}

function createLedger(database: Database.Database, taken: LedgerFile, thread: boolean): Ledger {
  const file = taken.path;
  const locks = locksOf(file);
  const marks = file === IN_MEMORY ? null : marksBeside(file);
  const parts = { database, file, locks, marks };
  let recorder: Recorder | undefined;
  const recording = (): Recorder =>
    (recorder ??= thread
      ? createRelievedRecorder(createInlineRecorder(database, file, marks), () =>
          createThreadRecorder(file),
        )
      : createInlineRecorder(database, file, marks));
  const rowOf = (run: string): RunRow | undefined => runRow(database, run);
  const isEnqueuing = (run: string): boolean => {
    const row = rowOf(run);
    return row !== undefined && enqueues(row);
  };
  const ask = <T>(work: () => T): Promise<T> => settled(() => guarded(file, work));
  return {
    file,
    ...recordedRuns(parts),
    openRun: (request) => settled(() => openRun({ ...parts, recorder: recording() }, request)),
    holdRun: (run) =>
      settled(() => {
        const lock = holdRun(parts, run);
        return { release: () => settled(() => lock.release()) };
      }),
    asksContent: (identity, run) => ask(() => isContentAsked(viewOf(parts), identity, run)),
    settingsOf: (run) => ask(() => JSON.parse(rowOf(run)?.settings ?? 'null') as unknown),
    rowsOf: (run) =>
      ask(() => {
        const campaign = isEnqueuing(run);
        return iterable(() => reportRows(chunksOf(database, file, run), campaign));
      }),
    firstRow: (run) =>
      ask(() => {
        const [first] = reportRows(chunksOf(database, file, run), isEnqueuing(run));
        return first;
      }),
    rowsByChunk: (run) =>
      ask(() => {
        const campaign = isEnqueuing(run);
        return iterable(() => rowsByChunk(numberedChunksOf(database, file, run), campaign));
      }),
    rowsOfChunk: (run, chunk) =>
      ask(() => [...reportRows([factsOf(database, file, run, chunk)], isEnqueuing(run))]),
    waitingOf: (run) => ask(() => waitingIn(chunksOf(database, file, run), isEnqueuing(run))),
    factsOf: (run, backwards) =>
      settled(() => iterable(() => numberedChunksOf(database, file, run, backwards))),
    lastFact: (run) => ask(() => lastFactOf(database, run)),
    prune: (before) => ask(() => forgetOld(parts, before)),
    close: async () => {
      await recorder?.close();
      database.close();
      taken.release();
    },
  };
}

function lastFactOf(database: Database.Database, run: string): number {
  const found = database
    .prepare<[string], { last: number | null }>('SELECT max(id) AS last FROM fact WHERE run = ?')
    .get(run);
  return found?.last ?? 0;
}

function forgetOld(parts: LedgerParts, before: number): string[] {
  const { database, marks } = parts;
  const forget = database.transaction(() => {
    const old = runsToForget(viewOf(parts), before);
    forgetRuns(database, old);
    return old;
  });
  const old = forget.immediate();
  // What is not on record any more on purpose is not lost.
  for (const id of old) marks?.remove(id);
  if (old.length > 0) database.exec('VACUUM');
  return old;
}
