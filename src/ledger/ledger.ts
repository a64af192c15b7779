import { createHash } from 'node:crypto';
import { LedgerError, UsageError } from '../core/errors.js';
import {
  type CopiedRun,
  type CopiedRuns,
  type HeldRun,
  type OpenedRun,
  type RunRequest,
  type InitializedLedger,
  type InspectedLedger,
  type Ledger,
  type LedgerOptions,
  type NumberedFacts,
  workerText,
} from './port.js';
import {
  lookupOfCopy,
  refuseRelying,
  runsToForget,
  latestToResume,
  resumableRuns,
  contentAndFiles,
  undosByRun,
} from './other-runs.js';
import {
  inUse,
  RUN_COLUMNS,
  type RunOnRecord,
  type RunRow,
  type Store,
  type Write,
  enqueues,
  factsIn,
  fitting,
  type Planned,
  type RunView,
  type ListedRuns,
  recordOf,
  storedFacts,
} from './store.js';
import {
  type ChunkRows,
  type WaitingRows,
  reportRows,
  waitingIn,
  rowsByChunk,
} from '../core/facts.js';
import { foreseen, openingOf, settingsWith } from './choose.js';
import { isPostgresAddress, type RunRecord } from '../core/ledger.js';
import type { RowReport } from '../core/report.js';
import { IN_MEMORY, SCHEMA_VERSION, guarded } from './sqlite.js';
import { inspectFile } from './sqlite-files.js';
import { openFile } from './sqlite-store.js';

/**
 * Of runs over the same files or content, the last word counts, and a copied run is put behind those that are there.
 * @throws UsageError when one of these began later than a run that would be copied
 */
function refuseOrder(
  there: readonly RunRow[],
  coming: readonly RunRow[],
  files: { readonly from: string; readonly to: string },
): void {
  const latest = new Map<string, RunRow>();
  for (const run of there)
    for (const source of contentAndFiles(run))
      if (run.created_at > (latest.get(source)?.created_at ?? -Infinity)) latest.set(source, run);
  for (const run of coming)
    for (const source of contentAndFiles(run)) {
      const later = latest.get(source);
      if (later && later.created_at >= run.created_at)
        throw new UsageError(
          `Run ${run.id} of ${files.from} began before run ${later.id} of ${files.to}, which was over the same file or content, and would come after it there. Nothing was copied; copy both into a ledger that has no runs, the earlier ledger first.`,
        );
    }
}

/** What may differ between two copies of one run: who worked on it last, and how it is continued. */
const OWN: ReadonlySet<keyof RunRow> = new Set(['worker', 'settles_all']);

async function digestOf({ row, facts: read }: RunOnRecord) {
  const hash = createHash('sha256');
  const compared = RUN_COLUMNS.filter((column) => !OWN.has(column));
  hash.update(JSON.stringify(compared.map((column) => row[column])));
  let facts = 0;
  for await (const chunk of read()) {
    facts += chunk.length;
    for (const { chunk: number, kind, data } of chunk)
      hash.update(`\n${number} ${kind} ${data.length} `).update(data);
  }
  return { facts, digest: hash.digest('hex') };
}

function copy(from: Store, to: Store, id: string) {
  return lent(from, id, async (run) => {
    const before = await digestOf(run);
    await to.receive(run, async (stored) => {
      const after = await digestOf(stored);
      if (after.digest !== before.digest)
        throw new LedgerError(
          `Run ${id} was not copied: ${to.file} gives back other facts than ${from.file} has. Run the same command again; if it fails again, look at the disks of both.`,
        );
    });
    return before;
  });
}

/**
 * Gives a run away, and keeps other processes from it meanwhile. One that can still be continued has from then on all
 * looked up before it is sent, here and where it is copied to: the other ledger may have sent it.
 * @throws LedgerInUseError, LostFactsError
 */
async function lent<T>(
  store: Store,
  id: string,
  use: (run: RunOnRecord) => Promise<T>,
): Promise<T> {
  const { result: settles, held } = await store.decide((view) => {
    const row = view.runs.find((run) => run.id === id);
    if (!row) throw new Error(`Run ${id} is not on record.`);
    if (view.isTaken(id)) {
      view.refuseShared(row);
      throw inUse(row);
    }
    const lookup = lookupOfCopy(view, row);
    const settle: readonly Write[] =
      lookup === 'here and there' ? [{ kind: 'change', run: id, columns: { settles_all: 1 } }] : [];
    return { result: lookup !== 'nowhere', writes: [{ kind: 'take', run: id }, ...settle] };
  });
  if (!held) throw new Error(`Run ${id} was not taken.`);
  try {
    const { row, facts } = await onRecord(store, id);
    return await use({ row: settles ? { ...row, settles_all: 1 } : row, facts });
  } finally {
    await held.release();
  }
}

async function onRecord(store: Store, id: string): Promise<RunOnRecord> {
  const row = await store.row(id);
  if (!row) throw new Error(`Run ${id} is not on record.`);
  return { row, facts: () => store.stored(row) };
}

async function refuseOther(from: Store, to: Store, run: string): Promise<void> {
  const [here, there] = [await onRecord(from, run), await onRecord(to, run)];
  if ((await digestOf(here)).digest === (await digestOf(there)).digest) return;
  throw new UsageError(
    `Run ${run} is in both ledgers, and more is on record of it in one of them: it was continued after it was copied. Nothing was copied now; go on with that ledger, or copy into another one.`,
  );
}

/** Chooses the run of an import and begins it, or goes on with it, in one step. @throws as `Ledger.openRun` does */
export async function openRun(store: Store, request: RunRequest): Promise<OpenedRun> {
  const { result, held } = await store.decide((view) => openingOf(view, request), {
    begun: request.begun,
    waits: request.shared === undefined ? 'alone' : 'shared',
  });
  if (result.kind !== 'begin' && result.kind !== 'continue') return result;
  const { row, shared } = held ?? {};
  if (!held || !row) throw new Error(`Run ${result.id} was not taken.`);
  const kept = {};
  return {
    kind: 'open',
    ledger: {
      run: row.id,
      continued: result.kind === 'continue',
      brokeOff: result.kind === 'continue' && result.run.state === null,
      settlesAll: row.settles_all === 1,
      record: (chunk, facts) => held.record(chunk, facts),
      factsOf: (chunk) => store.chunk(row, chunk),
      rows: () => rowsOf(store, row),
      waiting: () => waitingOf(store, row),
      end: (end) => held.end(end),
    },
    ...{ out: row.out, relies: result.relies, beside: result.beside },
    ...(shared ? { shared } : {}),
    mayBegin: held.mayBegin,
    confirm: () => held.confirm(),
    identify: (content) => held.change({ content }),
    keep: (more) => {
      Object.assign(kept, more);
      return held.change({ settings: settingsWith(row, kept) });
    },
    close: () => held.release(),
  };
}

/**
 * Keeps other processes from a run while something else is done with what is on record of it.
 * @throws LedgerInUseError when another process works on it; LostFactsError when what is on record is not all that it did
 */
export async function holdRun(store: Store, id: string): Promise<HeldRun> {
  const holding = (view: RunView): Planned<void> => {
    const run = view.runs.find((one) => one.id === id);
    if (view.isTaken(id)) throw inUse(run ?? { id, worker: null });
    if (run) {
      view.refuseShared(run);
      const loss = view.lossOf(run);
      if (loss) throw loss;
    }
    // An import that relies on this run is on record before, or meets the one who holds it.
    refuseRelying(view, id);
    return {
      result: undefined,
      writes: [
        { kind: 'take', run: id },
        { kind: 'change', run: id, columns: { worker: workerText() } },
      ],
    };
  };
  const { held } = await store.decide(holding, { waits: 'alone' });
  if (!held) throw new Error(`Run ${id} was not taken.`);
  return { mayBegin: held.mayBegin, release: () => held.release() };
}

/** Forgets the runs that are old and not needed. @throws as `Ledger.prune` does */
async function pruneRuns(
  store: Store,
  before: number,
  leaving?: (runs: readonly string[]) => void,
): Promise<string[]> {
  const { result } = await store.decide((view) => {
    const old = runsToForget(view, before);
    leaving?.(old);
    return { result: old, writes: [{ kind: 'forget', runs: old }] };
  });
  return result;
}

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

const stores = new WeakMap<Ledger, Store>();

/**
 * Copies all runs of a ledger into another one, each in a transaction of its own and checked by digest before that
 * ends. Runs that are there already are compared.
 * @throws UsageError when a run is there with other facts, or would come after one that began later; LedgerInUseError
 * when a process works on one; LedgerError when the copy differs
 */
export async function copyRuns(ledgers: {
  readonly from: Ledger;
  readonly to: Ledger;
  readonly onRun?: ((run: CopiedRun) => void) | undefined;
}): Promise<CopiedRuns> {
  const [from, to] = [stores.get(ledgers.from), stores.get(ledgers.to)];
  if (!from || !to) throw new Error('A ledger was not opened here.');
  if (from.file === to.file) throw new UsageError(`${from.file} is both ledgers.`);
  const { rows: all } = await from.list();
  const { rows: there } = await to.list();
  const known = new Set(there.map(({ id }) => id));
  const own = new Set(all.map(({ id }) => id));
  const coming = all.filter(({ id }) => !known.has(id));
  const others = there.filter(({ id }) => !own.has(id));
  refuseOrder(others, coming, { from: from.file, to: to.file });
  const same = all.filter(({ id }) => known.has(id)).map(({ id }) => id);
  for (const run of same) await refuseOther(from, to, run);
  const copied: CopiedRun[] = [];
  for (const { id, state } of coming) {
    const one = { run: id, finished: state === 'finished', ...(await copy(from, to, id)) };
    copied.push(one);
    ledgers.onRun?.(one);
  }
  return { copied, there: same };
}

/** What is made of the chunks of a run as they are taken, anew with each iteration. */
async function iterated<T>(
  store: Store,
  row: RunRow,
  make: (chunks: Awaited<ReturnType<Store['chunks']>>) => Iterator<T>,
): Promise<Iterable<T>> {
  const chunks = await store.chunks(row);
  return { [Symbol.iterator]: () => make(chunks) };
}

const rowsOf = (store: Store, row: RunRow): Promise<Iterable<RowReport>> =>
  iterated(store, row, (chunks) => reportRows(factsIn(chunks()), enqueues(row)));

const waitingOf = async (store: Store, row: RunRow): Promise<WaitingRows> =>
  waitingIn(factsIn((await store.chunks(row))()), enqueues(row));

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
  return {
    file: store.file,
    openRun: (request) => openRun(store, request),
    foresee: (request) => store.look((view) => foreseen(view, request)),
    holdRun: (run) => holdRun(store, run),
    runs: async () => recordsOf(await store.list()).toReversed(),
    find: async (run) => recordsOf(await store.list([run]))[0],
    page: async (filter, offset, limit) => {
      const { state, mode, fits } = filter;
      const isFiltered = state !== undefined || mode !== undefined || fits !== undefined;
      // A ledger may have tens of thousands of runs: without a filter, no more is read than is shown.
      const heads = await store.heads(filter, isFiltered ? undefined : { offset, limit });
      const ids = fitting(heads, filter);
      const found = await store.list(isFiltered ? ids.slice(offset, offset + limit) : ids);
      const total = isFiltered ? ids.length : heads.all;
      return { total, all: heads.all, runs: recordsOf(found).toReversed() };
    },
    resumable: async (runs) =>
      (await store.list(runs)).rows.some(({ state }) => state !== 'finished')
        ? store.look((view) => resumableRuns(view, runs))
        : new Set<string>(),
    latestToResume: () => store.look(latestToResume),
    undosOf: (runs) => store.look((view) => undosByRun(view, runs), 'undos'),
    settingsOf: (run) =>
      ofRun<unknown>(run, (row) => Promise.resolve(JSON.parse(row.settings)), null),
    rowsOf: (run) => ofRun<Iterable<RowReport>>(run, (row) => rowsOf(store, row), []),
    rowsByChunk: (run) =>
      ofRun<Iterable<ChunkRows>>(
        run,
        (row) => iterated(store, row, (chunks) => rowsByChunk(chunks(), enqueues(row))),
        [],
      ),
    rowsOfChunk: (run, chunk) =>
      ofRun<RowReport[]>(
        run,
        async (row) => [...reportRows([await store.chunk(row, chunk)], enqueues(row))],
        [],
      ),
    waitingOf: (run) => ofRun(run, (row) => waitingOf(store, row), waitingIn([], false)),
    factsOf: (run, backwards) =>
      ofRun<Iterable<NumberedFacts>>(
        run,
        (row) => iterated(store, row, (chunks) => chunks(backwards)),
        [],
      ),
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

/**
 * Makes the tables of a ledger where there are none, or brings them up to date. `justPrints`: gives the statements for an
 * administrator, and changes nothing; of a ledger in a file there are none.
 * @throws LedgerError, NoLedgerError
 */
export async function initLedger(
  ledger: string,
  { justPrints }: { readonly justPrints: boolean },
): Promise<InitializedLedger> {
  if (isPostgresAddress(ledger)) {
    const { initPostgres } = await import('./postgres.js');
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
  return guarded(path, () => inspectFile(path));
}
