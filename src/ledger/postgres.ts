import { codeOf, LostFactsError } from '../core/errors.js';
import { type Fact, reportRows, waitingIn } from '../core/facts.js';
import type { RunLedger } from '../core/ledger.js';
import { ledgerCommand } from '../core/text.js';
import { type Moment, momentNow } from '../core/time.js';
import { postgresAddress } from './address.js';
import { decideRun, rowToBegin, type RunToBegin, type RunToContinue } from './choose.js';
import { type Connections, connectionsTo, type Queries } from './connection.js';
import {
  keepLease,
  LEASE_TIMES,
  type LeaseTimes,
  type LookAgain,
  patiently,
  takeLease,
} from './lease.js';
import { HARMLESS, lookupOfCopy, mayHaveArrived, refuseRelying } from './other-runs.js';
import { appenderOfShared } from './pieces.js';
import {
  LEDGER_SCHEMA,
  lockTables,
  mayWrite,
  prepareTables,
  refuseServer,
  SCHEMA_VERSION,
  versionOf,
} from './postgres-schema.js';
import {
  allRuns,
  appenderOfRun,
  beganAt,
  chunkAfter,
  endRun,
  factsOf,
  findRuns,
  hasUnfinished,
  identifyRun,
  insertRun,
  keepSettings,
  lastNumber,
  noteWorker,
  placedRun,
  type PlacedRun,
  placedRuns,
  pruneRuns,
  reopenRun,
  replaceRun,
  rewriteFacts,
  runsLikeUndos,
  scrub,
  settleAllOf,
  Spool,
  takenRuns,
} from './postgres-tables.js';
import {
  beginShared,
  lockShared,
  noteStopped,
  refuseOtherVersion,
  refuseShared,
  sharedLeft,
  sharedWaiting,
} from './shared.js';
import {
  enqueues,
  factOf,
  type FactRow,
  factsIn,
  type HeldRun,
  type InspectedLedger,
  inUse,
  iterable,
  type Lease,
  type OpenedRun,
  renewedSettings,
  type RunOnRecord,
  type RunRequest,
  type RunRow,
  type RunTransfer,
  type RunView,
  settingsKeeper,
  type SharedWork,
  type Store,
  workerText,
} from './store.js';

const FACT = `${LEDGER_SCHEMA}.fact`;

/** A ledger as it is now, with what choosing a run may ask of it; for as long as a transaction keeps others from choosing. */
interface LoadedView extends RunView {
  readonly runs: readonly PlacedRun[];
  /** The server, and which of its histories. */
  readonly cluster: string;
}

/** What of a ledger is looked at. */
interface LookedAt {
  /** Those of its runs. @default all */
  readonly only?: readonly PlacedRun[];
  /** When the command began that asks. @default nobody asks what others have done since */
  readonly begun?: Moment | undefined;
}

async function loadView(
  queries: Queries,
  name: string,
  { only, begun }: LookedAt = {},
): Promise<LoadedView> {
  const runs = only ?? (await allRuns(queries));
  const began = begun && (await beganAt(queries, begun));
  const waiting = begun && (await sharedWaiting(queries));
  const taken = await takenRuns(queries);
  const cluster = await clusterOf(queries);
  const clean = await placesWithNothing(queries, runs);
  const shared = await sharedLeft(queries);
  const clusters = new Map(runs.map((run) => [run.id, run.cluster]));
  const isDoubtful = (run: RunRow): boolean =>
    isUnfinished(run) && cluster !== '' && clusters.get(run.id) !== cluster;
  return {
    ...{ runs, cluster, ledger: name },
    isTaken: (run) => taken.has(run),
    isAtWork: (run) => taken.has(run) || shared.has(run),
    // Not when its lease ended: that of a process that died lapses later than whatever it has put on record.
    wasFreedMeanwhile: ({ id, ended_at: at }) =>
      began !== undefined && at !== null && at >= began && waiting?.has(id) !== true,
    refuseShared: (run) => {
      const left = shared.get(run.id);
      if (left !== undefined) refuseShared(run, { left }, name);
    },
    leavesNothing: ({ id }) => clean.has(id),
    hasLostFacts: (run) => isDoubtful(run) || (run.settles_all === 1 && isUnfinished(run)),
    // A server does not lose its end by itself; whether it was replaced by an older copy concerns unfinished runs.
    refuseLostFacts: () => undefined,
    refuseUnmarked: (run) => {
      if (isDoubtful(run)) throw doubtful(name, run);
    },
  };
}

const isUnfinished = ({ state }: Pick<RunRow, 'state'>): boolean =>
  state === null || state === 'stopped';

/** Facts of a run may be missing where the server is another one than that which has confirmed them. */
export function doubtful(name: string, { id }: Pick<RunRow, 'id'>): LostFactsError {
  return new LostFactsError(
    `Run ${id} is not at its end, and the database has been restored, or another server has taken over, since it was open: its last facts may be missing. Let "${ledgerCommand(name, 'resume', id, '--settle-all')}" look every open row up before it sends anything.`,
  );
}

/**
 * The server, and which of its histories: a restored backup and a standby that has taken over begin another one. Empty
 * where the role may not ask.
 */
async function clusterOf(queries: Queries): Promise<string> {
  try {
    // A statement that fails would end the transaction.
    await queries.run('SAVEPOINT cluster');
    const [found] = await queries.rows<{ cluster: string }>(
      `SELECT system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS cluster
       FROM pg_control_system()`,
    );
    return found?.cluster ?? '';
  } catch (error) {
    if (codeOf(error) !== '42501') throw error;
    await queries.run('ROLLBACK TO SAVEPOINT cluster');
    return '';
  }
}

/**
 * Unfinished runs whose facts leave nothing at the contact center. Of most, their kinds show that they are none. Pieces
 * that wait for a worker may be sent at any moment.
 */
async function placesWithNothing(
  queries: Queries,
  runs: readonly PlacedRun[],
): Promise<Set<string>> {
  const unfinished = new Map(runs.filter(isUnfinished).map((run) => [run.place, run.id]));
  if (unfinished.size === 0) return new Set();
  const harmful = await queries.rows<{ run: number }>(
    `SELECT run FROM unnest($1::bigint[]) AS run
     WHERE EXISTS (SELECT FROM ${FACT} f WHERE f.run = run.run AND f.kind <> ALL ($2::text[]))
       OR EXISTS (SELECT FROM ${LEDGER_SCHEMA}.piece p WHERE p.run = run.run)`,
    [[...unfinished.keys()], [...HARMLESS]],
  );
  for (const { run } of harmful) unfinished.delete(run);
  const chunks = await intents(queries, [...unfinished.keys()]);
  for (const { place, facts } of chunks) if (mayHaveArrived(facts)) unfinished.delete(place);
  return new Set(unfinished.values());
}

interface Chunk {
  readonly place: number;
  readonly facts: Fact[];
}

/** Chunks in which something was intended to be sent. */
async function intents(queries: Queries, places: readonly number[]): Promise<Iterable<Chunk>> {
  const rows = await queries.rows<{ run: number; chunk: number; kind: string; data: string }>(
    `SELECT f.run, f.chunk, f.kind, f.data FROM ${FACT} f
     JOIN (SELECT DISTINCT run, chunk FROM ${FACT}
           WHERE run = ANY ($1::bigint[]) AND kind IN ('creating', 'changing')) i
       ON i.run = f.run AND i.chunk = f.chunk
     ORDER BY f.run, f.number`,
    [places],
  );
  const chunks = new Map<string, Chunk>();
  for (const { run, chunk, kind, data } of rows) {
    const key = `${run} ${chunk}`;
    const found = chunks.get(key) ?? { place: run, facts: [] };
    chunks.set(key, found);
    found.facts.push(factOf({ chunk, kind, data }));
  }
  return chunks.values();
}

/** A ledger in PostgreSQL. */
interface PostgresParts {
  readonly connections: Connections;
  readonly spool: Spool;
  readonly times: LeaseTimes;
}

/** A run that was chosen and is leased to this process. */
interface Taken {
  readonly kind: 'taken';
  readonly decision: RunToBegin | RunToContinue;
  readonly row: PlacedRun;
  readonly lease: Lease;
  /** When the statement that took it was sent. */
  readonly sent: Moment;
  readonly last: number;
  readonly shared: SharedWork | undefined;
}

/** Chooses the run of an import and begins it, or goes on with it, in one transaction. */
async function openRun(
  parts: PostgresParts,
  request: RunRequest,
  lookAgain: LookAgain,
): Promise<OpenedRun> {
  const { connections } = parts;
  const opened = await connections.transaction(async (queries) => {
    await lockTables(queries);
    await lookAgain(queries);
    const view = await loadView(queries, connections.name, { begun: request.begun });
    const decision = decideRun(view, request);
    if (decision.kind !== 'begin' && decision.kind !== 'continue') return decision;
    return take(parts, queries, request, view, decision);
  });
  return opened.kind === 'taken' ? workOn(parts, opened) : opened;
}

async function take(
  { connections, times }: PostgresParts,
  queries: Queries,
  request: RunRequest,
  view: LoadedView,
  decision: Taken['decision'],
): Promise<Taken> {
  const { id } = decision;
  const before = view.runs.find((run) => run.id === id);
  const sent = momentNow();
  const lease = await takeLease(queries, id, times);
  if (!lease) throw inUse(before ?? { id, worker: null });
  const isShared = await sharedAnew(queries, connections.name, request, decision, before);
  const row =
    decision.kind === 'continue' && before
      ? await reopenRun(queries, before, {
          content: request.identity.content,
          settings: renewedSettings(before, request.renewed),
          worker: workerText(),
          settles_all: request.settleAll ? 1 : 0,
          cluster: view.cluster,
          now: Date.now(),
        })
      : await replaceRun(queries, {
          ...rowToBegin(request, decision as RunToBegin, before),
          cluster: view.cluster,
        });
  const last = await lastNumber(queries, row.place);
  const { place } = row;
  const { shared: plan, stays = false } = request;
  const begun = isShared && plan !== undefined ? { plan, stays } : undefined;
  const shared =
    begun !== undefined
      ? {
          ...(await beginShared(queries, place, lease, begun)),
          ...{
            place,
            lease,
            stays,
            tally: { rejected: 0, allowed: null, onStop: () => undefined },
          },
        }
      : undefined;
  return { kind: 'taken', decision, row, lease, sent, last, shared };
}

/** Whether the run is to be shared (further). One whose pieces have all ended is continued by one process. */
async function sharedAnew(
  queries: Queries,
  ledger: string,
  { shared }: RunRequest,
  decision: Taken['decision'],
  before: PlacedRun | undefined,
): Promise<boolean> {
  const state = before && decision.kind === 'continue' && (await lockShared(queries, before.place));
  if (!state) return shared !== undefined;
  if (!state.isOpen) return false;
  if (shared === undefined) refuseShared(before, state, ledger);
  if (state.left > 0) await refuseOtherVersion(queries, before, shared, ledger);
  return true;
}

function workOn(
  { connections, spool, times }: PostgresParts,
  { decision, row, lease, sent, last, shared }: Taken,
): OpenedRun {
  const { place } = row;
  const kept = keepLease(connections, lease, times, sent);
  const facts = shared
    ? appenderOfShared(connections, row.id, place, { kind: 'run', lease, tally: shared.tally })
    : appenderOfRun(connections, { lease, place, last });
  const campaign = enqueues(row);
  const ledger: RunLedger = {
    run: row.id,
    continued: decision.kind === 'continue',
    brokeOff: decision.kind === 'continue' && decision.run.state === null,
    settlesAll: row.settles_all === 1,
    record: (chunk, recorded) => facts.append(chunk, recorded),
    factsOf: (chunk) => factsOf(connections, place, chunk),
    rows: async () => {
      await spool.fetch(place);
      return iterable(() => reportRows(factsIn(spool.chunksOf(place)), campaign));
    },
    waiting: async () => {
      await spool.fetch(place);
      return waitingIn(factsIn(spool.chunksOf(place)), campaign);
    },
    // Whoever ends the last piece of a shared run ends the run, where nothing else is to be done; one that has stopped is at
    // no end.
    end: (end) =>
      shared && !shared.stays
        ? connections.transaction((queries) => noteStopped(queries, place))
        : endRun(connections, { place, lease }, end),
  };
  return {
    kind: 'open',
    ...{ ledger, out: row.out, relies: decision.relies, beside: decision.beside },
    ...(shared ? { shared } : {}),
    mayBegin: kept.mayBegin,
    confirm: () => kept.confirm(),
    identify: (content) => identifyRun(connections, { place, lease }, content),
    keep: settingsKeeper(row, (more) => keepSettings(connections, { place, lease }, more)),
    close: async () => {
      await facts.idle();
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

/** Facts of a statement: each may be of some 100 KiB. */
const FACTS = 200;

/** Copies runs out of a ledger in PostgreSQL and into it. What is copied into it is seen when all of it is there. */
function transferOfDatabase(parts: PostgresParts): RunTransfer {
  const { connections, times } = parts;
  return {
    rows: async () => (await allRuns(connections)).map(withoutPlace),
    read: async (id) => runOnRecord(connections, await rowOf(connections, id)),
    lend: async (id, use) => {
      const sent = momentNow();
      const { row, lease } = await lentRow(parts, id);
      const kept = keepLease(connections, lease, times, sent);
      try {
        return await use(runOnRecord(connections, row));
      } finally {
        await kept.release();
      }
    },
    receive: (run, check) =>
      connections.transaction(async (queries) => {
        const cluster = await clusterOf(queries);
        const row = await insertRun(queries, { ...run.row, cluster });
        await insertFacts(queries, row.place, run.facts());
        await check(runOnRecord(queries, row));
      }),
  };
}

const runOnRecord = (queries: Queries, row: PlacedRun): RunOnRecord => ({
  row: withoutPlace(row),
  facts: () => storedFacts(queries, row.place),
});

function withoutPlace({ place: _, cluster: __, ...row }: PlacedRun): RunRow {
  return row;
}

async function rowOf(queries: Queries, id: string): Promise<PlacedRun> {
  const row = await placedRun(queries, id);
  if (!row) throw new Error(`Run ${id} is not on record.`);
  return row;
}

/** Takes a run, and gives its line as its copy has it. */
function lentRow(
  { connections, times }: PostgresParts,
  id: string,
): Promise<{ readonly row: PlacedRun; readonly lease: Lease }> {
  return connections.transaction(async (queries) => {
    await lockTables(queries);
    const row = await rowOf(queries, id);
    const lease = await takeLease(queries, id, times);
    if (!lease) throw inUse(row);
    // Workers would go on here with what is copied, whatever the other ledger does.
    const shared = await lockShared(queries, row.place);
    if (shared?.isOpen) refuseShared(row, shared, connections.name);
    const lookup = lookupOfCopy(await loadView(queries, connections.name), row);
    if (lookup === 'here and there') await settleAllOf(queries, row.place);
    return { lease, row: lookup === 'nowhere' ? row : { ...row, settles_all: 1 } };
  });
}

async function* storedFacts(
  queries: Queries,
  place: number,
): AsyncGenerator<readonly FactRow[], void, undefined> {
  for (let last = { chunk: -1, number: 0 }; ;) {
    const rows = await queries.rows<FactRow & { readonly number: number }>(
      `SELECT number, chunk, kind, data FROM ${FACT}
       WHERE run = $1 AND (chunk, number) > ($2, $3) ORDER BY chunk, number LIMIT ${FACTS}`,
      [place, last.chunk, last.number],
    );
    yield rows;
    const end = rows.at(-1);
    if (!end || rows.length < FACTS) return;
    last = end;
  }
}

async function insertFacts(
  queries: Queries,
  place: number,
  facts: AsyncIterable<readonly FactRow[]>,
): Promise<void> {
  let last = 0;
  for await (const rows of facts) {
    for (let at = 0; at < rows.length; at += FACTS) {
      const part = rows.slice(at, at + FACTS);
      await queries.run(
        `INSERT INTO ${FACT} (run, number, chunk, kind, data)
         SELECT $1, $2 + f.at, f.chunk, f.kind, f.data
         FROM unnest($3::bigint[], $4::text[], $5::text[]) WITH ORDINALITY AS f (chunk, kind, data, at)`,
        [
          place,
          last,
          ...(['chunk', 'kind', 'data'] as const).map((key) => part.map((f) => f[key])),
        ],
      );
      last += part.length;
    }
  }
}

/**
 * Opens the ledger in a database of PostgreSQL, and makes its tables where there are none.
 * @throws LedgerError, NoLedgerError: what is wrong with address, user, certificate, server or tables
 */
export async function openDatabaseStore(
  address: string,
  times: LeaseTimes = LEASE_TIMES,
): Promise<Store<PlacedRun>> {
  const connections = connectionsTo(postgresAddress(address));
  try {
    await prepareTables(connections);
  } catch (error) {
    await connections.close();
    throw error;
  }
  return storeOn({ connections, spool: new Spool(connections), times });
}

function storeOn(parts: PostgresParts): Store<PlacedRun> {
  const { connections, spool, times } = parts;
  const { name } = connections;
  return {
    file: name,
    openRun: (request) =>
      patiently(connections, times, (lookAgain) => openRun(parts, request, lookAgain), {
        shares: request.shared !== undefined,
      }),
    holdRun: (run) => patiently(connections, times, (lookAgain) => holdRun(parts, run, lookAgain)),
    look: async (ask, only) =>
      ask(
        await atOnce(connections, async (queries) =>
          loadView(queries, name, only ? { only: await runsLikeUndos(queries) } : {}),
        ),
      ),
    list: (ids) =>
      atOnce(connections, async (queries) => {
        const taken = await takenRuns(queries);
        const rows = await (ids ? placedRuns(queries, ids) : allRuns(queries));
        return { rows, isTaken: (run) => taken.has(run) };
      }),
    find: (filter, offset, limit) =>
      atOnce(connections, async (queries) => {
        const taken = await takenRuns(queries);
        const found = await findRuns(queries, taken, filter, offset, limit);
        return { ...found, isTaken: (run) => taken.has(run) };
      }),
    hasUnfinished: (ids) => hasUnfinished(connections, ids),
    row: (run) => placedRun(connections, run),
    chunk: ({ place }, chunk) => factsOf(connections, place, chunk),
    chunkAfter: async ({ place }, chunk) => {
      const next = await chunkAfter(connections, place, chunk);
      return next === undefined ? undefined : [next, await factsOf(connections, place, next)];
    },
    chunks: async ({ place }) => {
      await spool.fetch(place);
      return (backwards) => spool.chunksOf(place, backwards);
    },
    lastFact: ({ place }) => lastNumber(connections, place),
    rewrite: async (run, chunk, facts) => {
      await rewriteFacts(connections, run, chunk, facts);
      spool.forget(run.place);
    },
    scrub: () => scrub(connections),
    forget: (choose) =>
      connections.transaction(async (queries) => {
        await lockTables(queries);
        const old = choose(await loadView(queries, name));
        await pruneRuns(queries, old);
        return old;
      }),
    transfer: transferOfDatabase(parts),
    close: async () => {
      spool.close();
      await connections.close();
    },
  };
}

/** Keeps other processes from a run. @throws LedgerInUseError, LostFactsError */
async function holdRun(
  { connections, times }: PostgresParts,
  id: string,
  lookAgain: LookAgain,
): Promise<HeldRun> {
  let sent = momentNow();
  const lease = await connections.transaction(async (queries) => {
    await lockTables(queries);
    await lookAgain(queries);
    const view = await loadView(queries, connections.name);
    const row = view.runs.find((run) => run.id === id);
    if (row && view.isTaken(id)) throw inUse(row);
    const state = row && (await lockShared(queries, row.place));
    if (row && state?.isOpen) refuseShared(row, state, connections.name);
    sent = momentNow();
    const taken = await takeLease(queries, id, times);
    if (!taken) throw inUse(row ?? { id, worker: null });
    if (row && view.hasLostFacts(row)) throw doubtful(connections.name, row);
    refuseRelying(view, id);
    await noteWorker(queries, id, workerText());
    return taken;
  });
  return keepLease(connections, lease, times, sent);
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
