import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type Database from 'better-sqlite3';
import { reportRows, rowsByChunk, waitingIn } from '../core/facts.js';
import { isPostgresAddress } from '../core/ledger.js';
import { isContentAsked } from './choose.js';
import type { LeaseTimes } from './lease.js';
import { runsToForget } from './other-runs.js';
import {
  createInlineRecorder,
  createRelievedRecorder,
  createThreadRecorder,
  type Recorder,
} from './recorder.js';
import { IN_MEMORY, SCHEMA_VERSION, asLedgerError, openAtHome } from './sqlite-database.js';
import {
  type LedgerFile,
  ledgerVersionOf,
  locksOf,
  marksBeside,
  takeLedgerFile,
} from './sqlite-files.js';
import {
  chunksOf,
  factsOf,
  forgetRuns,
  guarded,
  numberedChunksOf,
  rewriteFacts,
  runRow,
  scrub,
} from './sqlite-tables.js';
import {
  type LedgerParts,
  holdRun,
  openRun,
  recordedRuns,
  transferOfFile,
  viewOf,
} from './sqlite.js';
import {
  type HeldRun,
  type InitializedLedger,
  type InspectedLedger,
  type Ledger,
  type RunRow,
  enqueues,
  iterable,
  runTaken,
  settled,
} from './store.js';

export { type CopiedRun, type CopiedRuns, copyRuns } from './copy.js';
export type { LeaseTimes } from './lease.js';
export { warmDatabases } from './sqlite-database.js';
export { type RunFolder, takeRunFolder } from './sqlite-files.js';
export {
  type HeldRun,
  type InitializedLedger,
  type InspectedLedger,
  type KnownRuns,
  type Ledger,
  type NumberedFacts,
  type OpenedRun,
  type RunFilter,
  type RunPage,
  type RunRequest,
  type SharedStop,
  type SharedWork,
  type SubmitterTally,
  workerText,
} from './store.js';

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
    return import('./postgres.js').then(({ openPostgresLedger }) =>
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

export interface InitLedgerOptions {
  /** Gives the statements for an administrator, and changes nothing; of a ledger in a file there are none. */
  readonly justPrints: boolean;
}

/** Makes the tables of a ledger where there are none, or brings them up to date. @throws LedgerError, NoLedgerError */
export async function initLedger(
  ledger: string,
  { justPrints }: InitLedgerOptions,
): Promise<InitializedLedger> {
  if (isPostgresAddress(ledger)) {
    const { initPostgres } = await import('./postgres-schema.js');
    return initPostgres(ledger, justPrints);
  }
  const opened = await openLedger(ledger, { thread: false });
  await opened.close();
  return { file: opened.file, kind: 'ready', version: SCHEMA_VERSION };
}

/** @throws NoLedgerError when the file cannot be a ledger, LedgerError when it cannot be looked at */
export async function inspectLedger(path: string): Promise<InspectedLedger> {
  if (isPostgresAddress(path)) {
    const { inspectPostgres } = await import('./postgres.js');
    return inspectPostgres(path);
  }
  return guarded(path, () => inspect(path));
}

function inspect(path: string): InspectedLedger {
  const found = ledgerVersionOf(path);
  const file = found?.path ?? resolve(path);
  const folder = existingFolder(dirname(file));
  const places = found ? [file, folder] : [folder];
  return {
    file,
    version: found?.version,
    ownVersion: SCHEMA_VERSION,
    notWritable: places.filter((place) => !isWritable(place)),
    inUse: found ? runsInUse(file) : [],
  };
}

/** A ledger's folder is made with it: what counts is the nearest one that is there. */
function existingFolder(folder: string): string {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found !== undefined || dirname(folder) === folder
    ? folder
    : existingFolder(dirname(folder));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs that have a lock beside the ledger which somebody holds. */
function runsInUse(ledger: string): string[] {
  const [prefix, ending] = [`${basename(ledger)}.`, '.lock'];
  const locks = locksOf(join(dirname(ledger), basename(ledger)));
  return readdirSync(dirname(ledger))
    .filter((name) => name.startsWith(prefix) && name.endsWith(ending))
    .map((name) => name.slice(prefix.length, -ending.length))
    .filter((run) => locks.isTaken(run));
}
