import { type Connections, type Queries, connectionsTo } from './database.js';
import {
  lockTables,
  openTables,
  refuseServer,
  versionOf,
  SCHEMA_VERSION,
  mayWrite,
  type PlacedRun,
  beganAt,
  takenRuns,
  changeRow,
  forgetRuns,
  lastNumber,
  appenderOfRun,
  factsOf,
  insertRun,
  placedRun,
  runHeads,
  runRows,
  rewriteFacts,
  scrub,
  takeLease,
  clusterOf,
  placesWithNothing,
  insertFacts,
  factsAsStored,
  factsBehind,
} from './postgres.js';
import {
  endColumns,
  type RunView,
  type RunRow,
  inUse,
  isAtEnd,
  type Held,
  type Shares,
  type Store,
  type Write,
} from './store.js';
import { type Moment, momentNow } from '../core/time.js';
import {
  sharedWithWork,
  refuseShared,
  beginShared,
  lockShared,
  refuseOtherVersion,
  type SharedState,
  noteStopped,
  appenderOfShared,
} from './shared.js';
import { LostFactsError } from '../core/errors.js';
import { ledgerCommand } from '../core/text.js';
import {
  type LeaseTimes,
  type Lease,
  type SharedWork,
  postgresAddress,
  type InspectedLedger,
  LEASE_TIMES,
} from './port.js';
import { type LookAgain, keepLease, patiently } from './lease.js';
import { temporaryFacts, type TemporaryFacts } from './sqlite.js';

/** A ledger as it is now, with what choosing a run may ask of it; for as long as a transaction keeps others from choosing. */
interface LoadedView extends RunView {
  readonly runs: readonly PlacedRun[];
  readonly cluster: string;
}

/** `only`: the runs that are looked at; `begun`: when the command began that asks what others have done since. */
async function loadView(
  queries: Queries,
  name: string,
  only?: 'undos',
  begun?: Moment,
): Promise<LoadedView> {
  const runs = await runRows(queries, only);
  const began = begun && (await beganAt(queries, begun));
  const taken = await takenRuns(queries);
  const cluster = await clusterOf(queries);
  const clean = await placesWithNothing(queries, runs);
  const { left: shared, waiting } = await sharedWithWork(queries);
  const clusters = new Map(runs.map((run) => [run.id, run.cluster]));
  const isDoubtful = (run: RunRow): boolean =>
    !isAtEnd(run) && cluster !== '' && clusters.get(run.id) !== cluster;
  const unmarked = (run: RunRow): LostFactsError | undefined =>
    isDoubtful(run) ? doubtful(name, run) : undefined;
  return {
    ...{ runs, cluster, ledger: name },
    isTaken: (run) => taken.has(run),
    isAtWork: (run) => taken.has(run) || shared.has(run),
    // Not when its lease ended: that of a process that died lapses later than whatever it has put on record.
    wasFreedMeanwhile: ({ id, ended_at: at }) =>
      began !== undefined && at !== null && at >= began && !waiting.has(id),
    refuseShared: (run) => {
      const left = shared.get(run.id);
      if (left !== undefined) refuseShared(run, { left }, name);
    },
    leavesNothing: ({ id }) => clean.has(id),
    lossOf: (run) => (run.settles_all === 1 && !isAtEnd(run) ? doubtful(name, run) : unmarked(run)),
    unmarked,
    // A server does not lose its end by itself; whether it was replaced by an older copy concerns unfinished runs.
    refuseLostFacts: () => undefined,
  };
}

/** Facts of a run may be missing where the server is another one than that which has confirmed them. */
export function doubtful(name: string, { id }: Pick<RunRow, 'id'>): LostFactsError {
  return new LostFactsError(
    `Run ${id} is not at its end, and the database has been restored, or another server has taken over, since it was open: its last facts may be missing. Let "${ledgerCommand(name, 'resume', id, '--settle-all')}" look every open row up before it sends anything.`,
  );
}

interface Taken {
  readonly lease: Lease;
  /** When the statement that took it was sent. */
  readonly sent: Moment;
  row: PlacedRun | undefined;
  /** The number of the last fact, where this process works on the run. */
  last?: number;
  shared?: SharedWork | undefined;
}

/** Takes a run whose pieces nobody has, or that may be shared. Resolves with whether it is to be shared, too. */
async function take(
  queries: Queries,
  view: LoadedView,
  times: LeaseTimes,
  { run: id, shares }: Extract<Write, { readonly kind: 'take' }>,
): Promise<Taken & { readonly isShared: boolean }> {
  const row = view.runs.find((run) => run.id === id);
  const sent = momentNow();
  const lease = await takeLease(queries, id, times);
  if (!lease) throw inUse(row ?? { id, worker: null });
  // Workers would go on with what somebody else works on.
  const asks = !shares || shares.continues;
  const state = row && asks ? await lockShared(queries, row.place) : undefined;
  const isShared = shares ? await sharedAnew(queries, view.ledger, row, state, shares) : false;
  if (!shares && row && state?.isOpen) refuseShared(row, state, view.ledger);
  return { lease, sent, row, isShared };
}

/** Whether the run is to be shared (further). One whose pieces have all ended is continued by one process. */
async function sharedAnew(
  queries: Queries,
  ledger: string,
  row: PlacedRun | undefined,
  state: SharedState | undefined,
  { plan }: Shares,
): Promise<boolean> {
  if (!state || !row) return plan !== undefined;
  if (!state.isOpen) return false;
  if (plan === undefined) refuseShared(row, state, ledger);
  if (state.left > 0) await refuseOtherVersion(queries, row, plan, ledger);
  return true;
}

/** Writes what was chosen. Resolves with the run that was taken. */
async function apply(
  queries: Queries,
  view: LoadedView,
  times: LeaseTimes,
  writes: readonly Write[],
): Promise<Taken | undefined> {
  let taken: Awaited<ReturnType<typeof take>> | undefined;
  let shares: Shares | undefined;
  for (const write of writes)
    switch (write.kind) {
      case 'take':
        taken = await take(queries, view, times, write);
        shares = write.shares;
        break;
      case 'begin':
        if (!taken) break;
        await forgetRuns(queries, [write.row.id], false);
        taken.row = await insertRun(queries, { ...write.row, cluster: view.cluster });
        break;
      case 'reopen':
        if (taken?.row) {
          const columns = { ...write.columns, cluster: view.cluster };
          taken.row = await changeRow(queries, { place: taken.row.place }, columns);
        }
        break;
      case 'change':
        if (taken?.row) await changeRow(queries, { place: taken.row.place }, write.columns);
        break;
      case 'forget':
        await forgetRuns(queries, write.runs, true);
    }
  if (!taken?.row || !shares) return taken;
  const { lease, row, isShared } = taken;
  const { place } = row;
  taken.last = await lastNumber(queries, place);
  const { plan, stays } = shares;
  if (!isShared || plan === undefined) return taken;
  const tally = { rejected: 0, allowed: null, onStop: () => undefined };
  const begun = await beginShared(queries, place, lease, { plan, stays });
  taken.shared = { ...begun, ...{ place, lease, stays, tally } };
  return taken;
}

function heldBy(
  connections: Connections,
  times: LeaseTimes,
  { row, lease, sent, last, shared }: Taken,
): Held {
  const kept = keepLease(connections, lease, times, sent);
  const place = row?.place ?? 0;
  const own = { place, lease };
  const facts =
    last === undefined
      ? undefined
      : shared
        ? appenderOfShared(connections, lease.run, place, {
            ...{ kind: 'run', lease, tally: shared.tally },
          })
        : appenderOfRun(connections, { lease, place, last });
  return {
    row,
    shared,
    mayBegin: kept.mayBegin,
    confirm: () => kept.confirm(),
    record: async (chunk, recorded) => facts?.append(chunk, recorded),
    change: async (columns) => {
      await changeRow(connections, own, columns);
    },
    end: async (end) => {
      // Whoever ends the last piece of a shared run ends the run, where nothing else is to be done; one that has stopped is
      // at no end.
      if (shared && !shared.stays)
        await connections.transaction((queries) => noteStopped(queries, place));
      else await changeRow(connections, own, endColumns(end));
    },
    release: async () => {
      await facts?.idle();
      await kept.release();
    },
  };
}

/** What several statements find is of one moment. */
function atOnce<T>(connections: Connections, work: (queries: Queries) => Promise<T>): Promise<T> {
  return connections.transaction(async (queries) => {
    await queries.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    return work(queries);
  });
}

/**
 * Opens the ledger in a database of PostgreSQL, and makes its tables where there are none.
 * @throws LedgerError, NoLedgerError: what is wrong with address, user, certificate, server or tables
 */
export async function openDatabaseStore(
  address: string,
  times: LeaseTimes = LEASE_TIMES,
): Promise<Store<PlacedRun>> {
  return storeOn(await openTables(address), times);
}

function storeOn(connections: Connections, times: LeaseTimes): Store<PlacedRun> {
  const { name } = connections;
  const spool = spoolOf(connections);
  const listed = <Read extends object>(read: (queries: Queries) => Promise<Read>) =>
    atOnce(connections, async (queries) => {
      const taken = await takenRuns(queries);
      return { ...(await read(queries)), isTaken: (run: string) => taken.has(run) };
    });
  return {
    file: name,
    decide: async (choose, { begun, waits } = {}) => {
      const once = (lookAgain?: LookAgain) =>
        connections.transaction(async (queries) => {
          await lockTables(queries);
          await lookAgain?.(queries);
          const view = await loadView(queries, name, undefined, begun);
          const { result, writes } = choose(view);
          return { result, taken: await apply(queries, view, times, writes) };
        });
      const { result, taken } = waits
        ? await patiently(connections, times, once, { shares: waits === 'shared' })
        : await once();
      return { result, held: taken && heldBy(connections, times, taken) };
    },
    look: async (ask, only) =>
      ask(await atOnce(connections, (queries) => loadView(queries, name, only))),
    list: (ids) => listed(async (queries) => ({ rows: await runRows(queries, ids) })),
    heads: (filter, page) => listed((queries) => runHeads(queries, filter, page)),
    row: (run) => placedRun(connections, run),
    chunk: ({ place }, chunk) => factsOf(connections, place, chunk),
    chunks: ({ place }) => spool.chunks(place),
    stored: ({ place }) => factsAsStored(connections, place),
    lastFact: ({ place }) => lastNumber(connections, place),
    rewrite: async (run, chunk, facts) => {
      await rewriteFacts(connections, run, chunk, facts);
      spool.forget(run.place);
    },
    scrub: () => scrub(connections),
    receive: ({ row, facts }, check) =>
      connections.transaction(async (queries) => {
        const stored = await insertRun(queries, { ...row, cluster: await clusterOf(queries) });
        await insertFacts(queries, stored.place, facts());
        await check({ row: stored, facts: () => factsAsStored(queries, stored.place) });
      }),
    close: async () => {
      spool.close();
      await connections.close();
    },
  };
}

/** What is known of a ledger in PostgreSQL without making or changing anything. @throws LedgerError, NoLedgerError */
export async function inspectPostgres(address: string): Promise<InspectedLedger> {
  const connections = connectionsTo(postgresAddress(address));
  const { name } = connections;
  try {
    await refuseServer(connections);
    const version = await versionOf(connections, name);
    return {
      file: name,
      version: version === 0 ? undefined : version,
      ownVersion: SCHEMA_VERSION,
      notWritable: (await mayWrite(connections, version)) ? [] : [name],
      inUse: version === 0 ? [] : [...(await takenRuns(connections))],
    };
  } finally {
    await connections.close();
  }
}

/**
 * Facts of runs in a temporary file of this machine, for who reads all of a run: reports iterate rows one by one, some
 * of them twice, and the server holds nothing open meanwhile. Facts are only ever appended, so that what has been
 * fetched stays true.
 */
function spoolOf(queries: Queries) {
  let facts: TemporaryFacts | undefined;
  /** By the place of a run: the number of the last fact that is here. */
  const fetched = new Map<number, number>();
  /** One after the other: two at once would keep the same facts twice. */
  let fetching = Promise.resolve();
  const open = (): TemporaryFacts => (facts ??= temporaryFacts());
  const fetchNew = async (place: number): Promise<void> => {
    for await (const rows of factsBehind(queries, place, fetched.get(place) ?? 0)) {
      open().add(String(place), rows);
      const last = rows.at(-1);
      if (last) fetched.set(place, last.number);
    }
  };
  return {
    /** Fetches what is new of a run. The facts of its chunks are read as they are taken. */
    chunks: async (place: number) => {
      fetching = fetching.catch(() => undefined).then(() => fetchNew(place));
      await fetching;
      return (backwards = false) => open().chunksOf(String(place), backwards);
    },
    /** What is here of a run is not as the server has it any more. */
    forget: (place: number): void => {
      fetched.delete(place);
      facts?.forget(String(place));
    },
    close: () => facts?.close(),
  };
}
