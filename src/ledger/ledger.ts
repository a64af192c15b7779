import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { reportRows, rowsByChunk, waitingIn } from '../core/facts.js';
import { isPostgresAddress, type RunRecord } from '../core/ledger.js';
import type { RowReport } from '../core/report.js';
import { isContentAsked } from './choose.js';
import type { LeaseTimes } from './lease.js';
import { latestToResume, resumableRuns, runsToForget, undosByRun } from './other-runs.js';
import { IN_MEMORY, SCHEMA_VERSION } from './sqlite-database.js';
import { ledgerVersionOf, locksOf } from './sqlite-files.js';
import { guarded } from './sqlite-tables.js';
import { openFile } from './sqlite.js';
import {
  enqueues,
  factsIn,
  type InitializedLedger,
  type InspectedLedger,
  iterable,
  type Ledger,
  type ListedRuns,
  recordOf,
  type RunRow,
  type Store,
  storedFacts,
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
export async function openLedger(
  file: string,
  { thread = file !== IN_MEMORY, busyMs, lease }: LedgerOptions = {},
): Promise<Ledger> {
  if (!isPostgresAddress(file)) return ledgerOn(openFile(file, { thread, busyMs }));
  // Its driver is loaded where there is such a ledger.
  const { openDatabaseStore } = await import('./postgres.js');
  return ledgerOn(await openDatabaseStore(file, lease));
}

/** What is made of a store, wherever that is: the same for all. */
function ledgerOn<Row extends RunRow>(store: Store<Row>): Ledger {
  const recordsOf = (listed: ListedRuns): RunRecord[] =>
    listed.rows.map((row) => recordOf(row, listed));
  /** What is read of a run; nothing where the run is not on record. */
  const ofRun = async <T>(run: string, read: (row: Row) => Promise<T>, nothing: T): Promise<T> => {
    const row = await store.row(run);
    return row ? read(row) : nothing;
  };
  /** What is made of the chunks of a run as they are taken, anew with each iteration. */
  const iterated = <T>(
    run: string,
    make: (chunks: Awaited<ReturnType<Store['chunks']>>, row: Row) => Iterator<T>,
  ): Promise<Iterable<T>> =>
    ofRun<Iterable<T>>(
      run,
      async (row) => {
        const chunks = await store.chunks(row);
        return iterable(() => make(chunks, row));
      },
      [],
    );
  return {
    file: store.file,
    openRun: (request) => store.openRun(request),
    holdRun: (run) => store.holdRun(run),
    runs: async () => recordsOf(await store.list()).toReversed(),
    find: async (run) => recordsOf(await store.list([run]))[0],
    page: async (filter, offset, limit) => {
      const found = await store.find(filter, offset, limit);
      return { total: found.total, all: found.all, runs: recordsOf(found) };
    },
    resumable: async (runs) =>
      (await store.hasUnfinished(runs))
        ? store.look((view) => resumableRuns(view, runs))
        : new Set<string>(),
    latestToResume: () => store.look(latestToResume),
    undosOf: (runs) => store.look((view) => undosByRun(view, runs), 'undos'),
    asksContent: (identity, run) => store.look((view) => isContentAsked(view, identity, run)),
    settingsOf: (run) =>
      ofRun<unknown>(run, (row) => Promise.resolve(JSON.parse(row.settings)), null),
    rowsOf: (run) => iterated(run, (chunks, row) => reportRows(factsIn(chunks()), enqueues(row))),
    firstRow: (run) => ofRun(run, (row) => firstRow(store, row), undefined),
    rowsByChunk: (run) => iterated(run, (chunks, row) => rowsByChunk(chunks(), enqueues(row))),
    rowsOfChunk: (run, chunk) =>
      ofRun<RowReport[]>(
        run,
        async (row) => [...reportRows([await store.chunk(row, chunk)], enqueues(row))],
        [],
      ),
    waitingOf: (run) =>
      ofRun(
        run,
        async (row) => waitingIn(factsIn((await store.chunks(row))()), enqueues(row)),
        waitingIn([], false),
      ),
    factsOf: (run, backwards) => iterated(run, (chunks) => chunks(backwards)),
    lastFact: (run) => ofRun(run, (row) => store.lastFact(row), 0),
    rewriteFacts: async (run, chunk, facts) => {
      const row = await store.row(run);
      if (!row) throw new Error(`Run ${run} is not on record.`);
      await store.rewrite(row, chunk, storedFacts(run, chunk, facts));
    },
    scrub: () => store.scrub(),
    prune: (before, leaving) =>
      store.forget((view) => {
        const old = runsToForget(view, before);
        leaving?.(old);
        return old;
      }),
    transfer: store.transfer,
    close: () => store.close(),
  };
}

/** The first row of a run; chunks before it may have none. */
async function firstRow<Row extends RunRow>(
  store: Store<Row>,
  run: Row,
): Promise<RowReport | undefined> {
  for (let at = -1; ;) {
    const next = await store.chunkAfter(run, at);
    if (!next) return undefined;
    const [number, facts] = next;
    const [first] = reportRows([facts], enqueues(run));
    if (first) return first;
    at = number;
  }
}

interface InitLedgerOptions {
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
