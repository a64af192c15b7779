import type Database from 'better-sqlite3';
import { reportRows, rowsByChunk, waitingIn } from '../core/facts.js';
import type { HeldRun, Ledger } from './port.js';
import type { LeaseTimes } from './postgres/lease.js';
import { isPostgresAddress } from '../core/ledger.js';
import { isContentAsked } from './runs/choose-run.js';
import { transferOfFile } from './copy/transfer-of-file.js';
import { IN_MEMORY, asLedgerError } from './database.js';
import { chunksOf, factsOf, guarded, numberedChunksOf } from './fact-table.js';
import { openAtHome } from './home.js';
import type { LedgerParts } from './ledger-parts.js';
import { iterable } from './iterable.js';
import { holdRun } from './runs/hold-run.js';
import { type LedgerFile, takeLedgerFile } from './ledger-file.js';
import { openRun } from './runs/open-run.js';
import { settled } from './settled.js';
import { marksBeside } from './mark.js';
import { runTaken } from './runs/in-use.js';
import { viewOf } from './view.js';
import type { Recorder } from './recorder/recorder.js';
import { createInlineRecorder } from './recorder/recorder-inline.js';
import { rewriteFacts, scrub } from './rewrite-facts.js';
import { createRelievedRecorder } from './recorder/recorder-relieved.js';
import { createThreadRecorder } from './recorder/recorder-thread.js';
import { runsToForget } from './runs/prune.js';
import { locksOf } from './runs/run-lock.js';
import { recordedRuns } from './runs/recorded-runs.js';
import { type RunRow, enqueues, forgetRuns, runRow } from './runs/run-table.js';

export type { OpenedRun, RunRequest } from './runs/run-request.js';

export type { HeldRun, Ledger, NumberedFacts, RunFilter, RunPage } from './port.js';

export interface LedgerOptions {
  /** Whether a thread of its own writes where there is much to write; to a ledger in memory it cannot. */
  readonly thread?: boolean;
  /**
   * How long a file is waited for while another process has it for itself; nothing else is done meanwhile. A database is
   * never one process's own. @default 5 s
   */
  readonly busyMs?: number;
  /** How long a process has a run of a ledger in PostgreSQL for itself, and how often it renews that. @default 30 s, 5 s */
  readonly lease?: LeaseTimes | undefined;
}

/**
 * Opens the ledger in `file`, or makes it; `postgres://…` names one in PostgreSQL.
 * @throws LedgerError when it cannot be opened or is not a ledger.
 */
export function openLedger(
  file: string,
  { thread = file !== IN_MEMORY, busyMs, lease }: LedgerOptions = {},
): Promise<Ledger> {
  // Its driver is loaded where there is such a ledger.
  if (isPostgresAddress(file))
    return import('./postgres/postgres-ledger.js').then(({ openPostgresLedger }) =>
      openPostgresLedger(file, lease),
    );
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
    holdRun: (run) => settled(() => heldRun(parts, run)),
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
    ...rewriting(parts),
    prune: (before, leaving) => ask(() => forgetOld(parts, before, leaving)),
    transfer: transferOfFile(parts),
    close: async () => {
      await recorder?.close();
      database.close();
      taken.release();
    },
  };
}

function heldRun(parts: LedgerParts, run: string): HeldRun {
  const lock = holdRun(parts, run);
  return {
    mayBegin: () => lock.isHeld() || runTaken(run),
    release: () => settled(() => lock.release()),
  };
}

function rewriting({ database, file }: LedgerParts): Pick<Ledger, 'rewriteFacts' | 'scrub'> {
  const ask = (work: () => void): Promise<void> => settled(() => guarded(file, work));
  return {
    rewriteFacts: (run, chunk, facts) => ask(() => rewriteFacts(database, run, chunk, facts)),
    scrub: () => ask(() => scrub(database, file)),
  };
}

function lastFactOf(database: Database.Database, run: string): number {
  const found = database
    .prepare<[string], { last: number | null }>('SELECT max(id) AS last FROM fact WHERE run = ?')
    .get(run);
  return found?.last ?? 0;
}

function forgetOld(
  parts: LedgerParts,
  before: number,
  leaving?: (runs: readonly string[]) => void,
): string[] {
  const { database, marks } = parts;
  const forget = database.transaction(() => {
    const old = runsToForget(viewOf(parts), before);
    leaving?.(old);
    forgetRuns(database, old);
    return old;
  });
  const old = forget.immediate();
  // What is not on record any more on purpose is not lost.
  for (const id of old) marks?.remove(id);
  if (old.length > 0) database.exec('VACUUM');
  return old;
}
