import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { reportRows, rowsByChunk, waitingIn } from '../core/facts.js';
import { isPostgresAddress, type RunRecord } from '../core/ledger.js';
import type { RowReport } from '../core/report.js';
import { foreseen, isContentAsked } from './choose.js';
import { copyAll } from './copy.js';
import { holdRun, openRun, pruneRuns } from './open.js';
import { latestToResume, resumableRuns, undosByRun } from './other-runs.js';
import type {
  CopiedRun,
  CopiedRuns,
  InitializedLedger,
  InspectedLedger,
  Ledger,
  LedgerOptions,
} from './port.js';
import { IN_MEMORY, SCHEMA_VERSION, guarded } from './sqlite.js';
import { ledgerVersionOf, locksOf } from './sqlite-files.js';
import { openFile } from './sqlite-store.js';
import {
  enqueues,
  factsIn,
  iterable,
  type ListedRuns,
  recordOf,
  type RunRow,
  type Store,
  storedFacts,
} from './store.js';

export { warmDatabases } from './sqlite.js';
export { takeRunFolder } from './sqlite-files.js';

/**
 * Opens the ledger in `file`, or makes it; `postgres://…` names one in PostgreSQL.
 * @throws LedgerError when it cannot be opened or is not a ledger.
 */
export async function openLedger(
  file: string,
  { thread = file !== IN_MEMORY, busyMs, lease }: LedgerOptions = {},
): Promise<Ledger> {
  const store = isPostgresAddress(file)
    ? // Its driver is loaded where there is such a ledger.
      await (await import('./postgres-store.js')).openDatabaseStore(file, lease)
    : openFile(file, { thread, busyMs });
  const ledger = ledgerOn(store);
  stores.set(ledger, store);
  return ledger;
}

/** What ledgers stand on, for what is done with two of them. */
const stores = new WeakMap<Ledger, Store>();

/** Copies all runs of a ledger into another one. @throws as `copyAll` does */
export function copyRuns({
  from,
  to,
  onRun,
}: {
  readonly from: Ledger;
  readonly to: Ledger;
  /** Called after each run that was copied. */
  readonly onRun?: ((run: CopiedRun) => void) | undefined;
}): Promise<CopiedRuns> {
  const [source, target] = [stores.get(from), stores.get(to)];
  if (!source || !target) throw new Error('A ledger was not opened here.');
  return copyAll(source, target, onRun);
}

/** What is made of a store, wherever that is: the same for all. */
function ledgerOn(store: Store): Ledger {
  const recordsOf = (listed: ListedRuns): RunRecord[] =>
    listed.rows.map((row) => recordOf(row, listed));
  /** What is read of a run; nothing where the run is not on record. */
  const ofRun = async <T>(
    run: string,
    read: (row: RunRow) => Promise<T>,
    nothing: T,
  ): Promise<T> => {
    const row = await store.row(run);
    return row ? read(row) : nothing;
  };
  /** What is made of the chunks of a run as they are taken, anew with each iteration. */
  const iterated = <T>(
    run: string,
    make: (chunks: Awaited<ReturnType<Store['chunks']>>, row: RunRow) => Iterator<T>,
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
    openRun: (request) => openRun(store, request),
    foresee: (request) => store.look((view) => foreseen(view, request)),
    holdRun: (run) => holdRun(store, run),
    runs: async () => recordsOf(await store.list()).toReversed(),
    find: async (run) => recordsOf(await store.list([run]))[0],
    page: async (filter, offset, limit) => {
      const found = await store.find(filter, offset, limit);
      return { total: found.total, all: found.all, runs: recordsOf(found) };
    },
    resumable: async (runs) =>
      (await store.list(runs)).rows.some(({ state }) => state !== 'finished')
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
    prune: (before, leaving) => pruneRuns(store, before, leaving),
    close: () => store.close(),
  };
}

/** The first row of a run; chunks before it may have none. */
async function firstRow(store: Store, run: RunRow): Promise<RowReport | undefined> {
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
    const { initPostgres } = await import('./database.js');
    return initPostgres(ledger, justPrints);
  }
  const opened = await openLedger(ledger, { thread: false });
  await opened.close();
  return { file: opened.file, kind: 'ready', version: SCHEMA_VERSION };
}

/** @throws NoLedgerError when the file cannot be a ledger, LedgerError when it cannot be looked at */
export async function inspectLedger(path: string): Promise<InspectedLedger> {
  if (isPostgresAddress(path)) {
    const { inspectPostgres } = await import('./postgres-store.js');
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
