import {
  type Connections,
  type ConnectionsOptions,
  type Queries,
  asPostgresError,
  connectionsTo,
} from './database.js';
import { HARMLESS, mayHaveArrived } from './other-runs.js';
import {
  type FactRow,
  factOf,
  headColumns,
  isAtEnd,
  refuseOtherKinds,
  RUN_COLUMNS,
  type Page,
  type RunHead,
  type RunRow,
  runTaken,
  type StoredFact,
  storedFacts,
} from './store.js';
import {
  type Lease,
  type LeaseTimes,
  type RunFilter,
  type InitializedLedger,
  postgresAddress,
} from './port.js';
import { type Moment, momentNow } from '../core/time.js';
import type { Fact } from '../core/facts.js';
import { factQueue } from './recorder.js';
import { codeOf, NoLedgerError, CardlineError, NewerLedgerError } from '../core/errors.js';
import { readFileSync } from 'node:fs';

/** The tables have a schema of their own, so that a database can be shared with others. */
export const LEDGER_SCHEMA = 'cardline';

const S = LEDGER_SCHEMA;

/** What brings the tables to the next version, by the version that they have; 0: there are none. */
const STEPS = readFileSync(new URL('./data/postgres.sql', import.meta.url), 'utf8')
  .split(/^-- version \d+\n/m)
  .slice(1)
  .map((step) => step.replaceAll(/^--.*\n/gm, '').trim());

/** A ledger of a later version is refused. */
export const SCHEMA_VERSION = STEPS.length;

const MIN_SERVER = 130000;

/** Why a run stops, of its line in `shared`; `NULL`: it does not. */
export const STOP = `CASE WHEN gate <= 0 THEN 'canary' WHEN rejected + failed > allowed THEN 'failures' END`;

const NOTE_VERSION = `INSERT INTO ${S}.ledger (name, value) VALUES ('version', '${SCHEMA_VERSION}')
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** The statements that make the tables, or bring them up to date, and permit a role to work with them. */
function administratorSql(to: string, version: number): string {
  const steps = STEPS.slice(version);
  return [
    'BEGIN;',
    ...(version === 0 ? [`CREATE SCHEMA IF NOT EXISTS ${S};`] : []),
    ...steps,
    ...(steps.length > 0 ? [`${NOTE_VERSION};`] : []),
    ...grantsOn(S, to),
    'COMMIT;\n',
  ].join('\n');
}

/** What a role, as statements have it, needs to work with the tables of a schema. */
export const grantsOn = (schema: string, to: string): string[] => [
  `GRANT USAGE ON SCHEMA ${schema} TO ${to};`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${to};`,
];

/** Connects to a database that has the tables by then. @throws NoLedgerError as `prepareTables` does; LedgerError */
export async function openTables(
  address: string,
  options?: ConnectionsOptions,
): Promise<Connections> {
  const connections = connectionsTo(postgresAddress(address), options);
  try {
    await prepareTables(connections);
    return connections;
  } catch (error) {
    await connections.close();
    throw error;
  }
}

/**
 * Makes the tables, or brings those of an earlier version up to date.
 * @throws NoLedgerError when the server is too old or forgets what it has confirmed, the schema belongs to something
 * else, or the tables are of a later version
 */
export async function prepareTables(connections: Connections): Promise<void> {
  const { name } = connections;
  await refuseServer(connections);
  if ((await versionOf(connections, name)) === SCHEMA_VERSION) return;
  await connections.transaction(async (queries) => {
    // Looked at again inside: another process may make the tables at the same moment.
    await lockTables(queries);
    const version = await versionOf(queries, name);
    if (version === SCHEMA_VERSION) return;
    refuseNewer(version, name);
    if (version === 0 && !(await hasSchema(queries))) await queries.run(`CREATE SCHEMA ${S}`);
    for (const step of STEPS.slice(version)) await queries.run(step);
    await queries.run(NOTE_VERSION);
  });
}

/** @throws NewerLedgerError when the tables are of a later version */
function refuseNewer(version: number, name: string): void {
  if (version > SCHEMA_VERSION)
    throw new NewerLedgerError(
      `The ledger ${name} was written by a later version of cardline; use that version, or another --ledger.`,
    );
}

/** For as long as the transaction takes, others neither make tables nor choose runs. */
export async function lockTables(queries: Queries): Promise<void> {
  await queries.rows(lockBy('pg_advisory_xact_lock'));
}

/** The same, for those who take pieces: they need not wait for each other. */
export async function shareTables(queries: Queries): Promise<void> {
  await queries.rows(lockBy('pg_advisory_xact_lock_shared'));
}

const lockBy = (lock: string): string => `SELECT ${lock}(hashtextextended('${S} ledger', 0))`;

async function hasSchema(queries: Queries): Promise<boolean> {
  return (await queries.rows('SELECT FROM pg_namespace WHERE nspname = $1', [S])).length > 0;
}

/** 0: there are no tables. @throws NoLedgerError when the schema belongs to something else */
export async function versionOf(queries: Queries, name: string): Promise<number> {
  const tables = await queries.rows<{ table: string }>(
    `SELECT c.relname AS table FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`,
    [S],
  );
  if (tables.length === 0) return 0;
  const names = new Set(tables.map(({ table }) => table));
  const isOurs = ['ledger', 'run', 'fact'].every((table) => names.has(table));
  const found = isOurs
    ? await queries.rows<{ value: string }>(`SELECT value FROM ${S}.ledger WHERE name = 'version'`)
    : [];
  const version = Number(found[0]?.value ?? 0);
  if (version >= 1) return version;
  throw new NoLedgerError(
    `The ledger ${name}: its schema "${S}" belongs to something else, and was left as it was; give another database with --ledger.`,
  );
}

/** @throws NoLedgerError when the server is too old, or forgets what it has confirmed */
export async function refuseServer(connections: Connections): Promise<void> {
  const { name } = connections;
  const [found] = await connections.rows<{ version: number; keeps: string; fsync: string }>(
    `SELECT current_setting('server_version_num')::int AS version,
       current_setting('synchronous_commit') AS keeps, current_setting('fsync') AS fsync`,
  );
  if (found && found.version < MIN_SERVER)
    throw new NoLedgerError(
      `The ledger ${name}: the server is PostgreSQL ${Math.floor(found.version / 10_000)}; it has to be 13 or later.`,
    );
  const loose = found?.fsync === 'off' ? 'fsync' : 'synchronous_commit';
  if (found?.fsync === 'off' || found?.keeps === 'off')
    throw new NoLedgerError(
      `The ledger ${name}: ${loose} is off, so that the server may forget what it has confirmed, and clients would be sent twice. Turn it on, for this role at the least.`,
    );
}

/** Whether the role may record runs: make the tables where there are none (`version` 0), else write to them. */
export async function mayWrite(queries: Queries, version: number): Promise<boolean> {
  if (version > 0) return mayUse(queries, S);
  const [found] = await queries.rows<{ may: boolean | null }>(
    `SELECT CASE WHEN to_regnamespace('${S}') IS NULL
       THEN has_database_privilege(current_database(), 'CREATE')
       ELSE has_schema_privilege('${S}', 'USAGE') AND has_schema_privilege('${S}', 'CREATE') END AS may`,
  );
  return found?.may === true;
}

/** Whether the role may read and write the tables of a schema, and execute these functions with the rights of who made them. */
export async function mayUse(
  queries: Queries,
  schema: string,
  functions: readonly string[] = [],
): Promise<boolean> {
  const rights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'].map(
    (right) => `has_table_privilege(c.oid, '${right}')`,
  );
  const [found] = await queries.rows<{ may: boolean | null }>(
    `SELECT has_schema_privilege($1::text, 'USAGE')
       AND (SELECT bool_and(${rights.join(' AND ')}) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition)
       AND (cardinality($2::text[]) = 0
         OR (SELECT bool_and(has_function_privilege(f.oid, 'EXECUTE')
               AND (f.prosecdef OR pg_has_role(f.proowner, 'USAGE')))
             FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace
             WHERE n.nspname = $1 AND f.proname = ANY ($2::text[]))) AS may`,
    [schema, functions],
  );
  return found?.may === true;
}

/** Whether there is such a table; also where the role may not look at it. */
export async function hasTable(queries: Queries, schema: string, table: string): Promise<boolean> {
  const found = await queries.rows(
    `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = $2`,
    [schema, table],
  );
  return found.length > 0;
}

/** Makes the tables in a database, or says what an administrator has to execute. @throws LedgerError, NoLedgerError */
export async function initPostgres(
  address: string,
  justPrints: boolean,
): Promise<InitializedLedger> {
  const { name: file } = postgresAddress(address);
  const sql = await initSchema(address, justPrints, {
    prepare: prepareTables,
    mayWork: (connections) => mayWrite(connections, SCHEMA_VERSION),
    sql: async (connections, role) => {
      await refuseServer(connections);
      const version = await knownVersion(connections);
      refuseNewer(version, file);
      return administratorSql(role, version);
    },
  });
  return sql === null
    ? { file, kind: 'ready', version: SCHEMA_VERSION }
    : { file, kind: 'sql', sql };
}

/**
 * Makes the tables of a schema; `null`: they are there, and the role may work with them. Else what an administrator has to
 * execute, for the role as statements have it. @throws LedgerError, NoLedgerError
 */
export async function initSchema(
  address: string,
  justPrints: boolean,
  schema: {
    readonly prepare: (connections: Connections) => Promise<unknown>;
    readonly mayWork: (connections: Connections) => Promise<boolean>;
    readonly sql: (connections: Connections, role: string) => string | Promise<string>;
  },
): Promise<string | null> {
  const connections = connectionsTo(postgresAddress(address));
  try {
    if (!justPrints && (await isMade()) && (await schema.mayWork(connections))) return null;
    const [found] = await connections.rows<{ role: string }>(
      `SELECT '"' || replace(current_user, '"', '""') || '"' AS role`,
    );
    return await schema.sql(connections, found?.role ?? '');
  } finally {
    await connections.close();
  }

  async function isMade(): Promise<boolean> {
    try {
      await schema.prepare(connections);
      return true;
    } catch (error) {
      if (isForbidden(error)) return false;
      throw error;
    }
  }
}

/** Tables that the role may not look at are up to date where somebody else uses them. */
async function knownVersion(connections: Connections): Promise<number> {
  try {
    return await versionOf(connections, connections.name);
  } catch (error) {
    if (isForbidden(error)) return SCHEMA_VERSION;
    throw error;
  }
}

const isForbidden = (error: unknown): boolean =>
  error instanceof CardlineError && codeOf(error.cause) === '42501';

const PACE = `${LEDGER_SCHEMA}.pace`;
/** A database that answers no sooner is as good as lost, in milliseconds. */
const STATEMENT_MS = 5000;

/**
 * The row of the pace of a contact center, which all machines share: what is in it, as JSON, changes under a lock. Connects with the first change. The connection is one of its own: what is
 * recorded must not hold up the pace.
 * @throws NoLedgerError for an address that cannot be read
 */
export function openPaceRow(address: string, center: string) {
  const connections = connectionsTo(postgresAddress(address), {
    connections: 1,
    statementMs: STATEMENT_MS,
  });
  let prepared: Promise<void> | undefined;
  const prepare = (): Promise<void> =>
    (prepared ??= prepareTables(connections).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    }));
  return {
    /** `work` is given what is in the row, `null` in a new one, and the time of the database in milliseconds. */
    change: async <T>(
      work: (state: unknown, now: number) => { state: unknown; answer: T },
    ): Promise<T> => {
      await prepare();
      return connections.transaction(async (queries) => {
        const { state, now } = await lockRow(queries, center);
        const next = work(state, now);
        await queries.run(`UPDATE ${PACE} SET state = $2 WHERE center = $1`, [
          center,
          JSON.stringify(next.state),
        ]);
        return next.answer;
      });
    },
    close: () => connections.close(),
  };
}

/**
 * Does not wait for the disk: a server that broke down has forgotten less than a second, and is back only after the
 * leases that it knows of.
 */
async function lockRow(
  queries: Queries,
  center: string,
): Promise<{ readonly state: unknown; readonly now: number }> {
  const find = () =>
    queries.rows<{ state: string; now: number }>(
      `SELECT state, set_config('synchronous_commit', 'off', true),
         extract(epoch FROM clock_timestamp())::float8 * 1000 AS now
       FROM ${PACE} WHERE center = $1 FOR UPDATE`,
      [center],
    );
  let [found] = await find();
  if (!found) {
    await queries.run(
      `INSERT INTO ${PACE} (center, state) VALUES ($1, $2) ON CONFLICT (center) DO NOTHING`,
      [center, 'null'],
    );
    [found] = await find();
  }
  if (!found) throw new Error('The row of the pace is gone.');
  return { state: JSON.parse(found.state) as unknown, now: found.now };
}

const RUN = `${S}.run`;

/** A line of the table of runs. */
export interface PlacedRun extends RunRow {
  readonly place: number;
  /** The server, and which of its histories, that has confirmed the facts of the run. */
  readonly cluster: string;
}

/** Spares reading the settings of all runs as JSON. */
const MAY_BE_UNDO = `strpos(settings, '"undoes"') > 0`;

/** Runs in the order in which they began: all, those of these ids, or those that may be undos. */
export function runRows(queries: Queries, of?: 'undos' | readonly string[]): Promise<PlacedRun[]> {
  const ids = typeof of === 'object' ? [of] : [];
  const those = ids.length > 0 ? 'id = ANY ($1::text[])' : 'true';
  const where = of === 'undos' ? MAY_BE_UNDO : those;
  return queries.rows(`SELECT * FROM ${RUN} WHERE ${where} ORDER BY place`, ids);
}

export async function placedRun(queries: Queries, id: string): Promise<PlacedRun | undefined> {
  const [found] = await queries.rows<PlacedRun>(`SELECT * FROM ${RUN} WHERE id = $1`, [id]);
  return found;
}

/** The columns that are written when a run begins. */
const WRITTEN = [...RUN_COLUMNS, 'cluster'] as const satisfies readonly (keyof PlacedRun)[];

/** `held`: the lease of this run and epoch, whose values begin at this number; none where another process has it. */
export const heldLease = (first: number): string => `held AS MATERIALIZED (
  SELECT run FROM ${S}.lease WHERE run = $${first} AND epoch = $${first + 1} FOR SHARE
)`;

/** Puts a run on record that is not there yet. */
export async function insertRun(
  queries: Queries,
  row: Omit<PlacedRun, 'place'>,
): Promise<PlacedRun> {
  const places = WRITTEN.map((_, at) => `$${at + 1}`).join(', ');
  const [inserted] = await queries.rows<PlacedRun>(
    `INSERT INTO ${RUN} (${WRITTEN.join(', ')}) VALUES (${places}) RETURNING *`,
    WRITTEN.map((column) => row[column]),
  );
  if (!inserted) throw new Error(`Run ${row.id} is not on record.`);
  return inserted;
}

/**
 * Writes columns of a run, `ended_at` by the clock of the database, and gives its line. The lease by which this process works
 * on it is looked at in the statement that writes, as with facts; absent: whoever asks has locked the run otherwise.
 * @throws RunTakenError where another process has taken the run
 */
export async function changeRow(
  queries: Queries,
  { place, lease }: { readonly place: number; readonly lease?: Lease },
  columns: Partial<PlacedRun>,
): Promise<PlacedRun | undefined> {
  const values: unknown[] = [place, lease?.run ?? null, lease?.epoch ?? null];
  const set = Object.entries(columns).map(([column, value]) =>
    column === 'ended_at' && value !== null
      ? `${column} = ${NOW_MS}`
      : `${column} = $${values.push(value)}`,
  );
  const [changed] = await queries.rows<PlacedRun>(
    `WITH ${heldLease(2)}
     UPDATE ${RUN} SET ${set.join(', ')}
     WHERE place = $1 AND ($2::text IS NULL OR EXISTS (SELECT FROM held)) RETURNING *`,
    values,
  );
  if (!changed && lease) throw runTaken(lease.run);
  return changed;
}

const NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** When a command began, in milliseconds since the epoch by the database's clock; at most a statement too early. */
export async function beganAt(queries: Queries, begun: Moment): Promise<number> {
  const [found] = await queries.rows<{ now: number }>(`SELECT ${NOW_MS} AS now`);
  if (!found) throw new Error('The database does not say what time it is.');
  return found.now - (momentNow().monotonic - begun.monotonic);
}

/** Takes runs out of the ledger, with all their facts, and with their leases where nobody works on them. */
export async function forgetRuns(
  queries: Queries,
  ids: readonly string[],
  withLeases: boolean,
): Promise<void> {
  await queries.run(`DELETE FROM ${RUN} WHERE id = ANY ($1::text[])`, [ids]);
  if (withLeases) await queries.run(`DELETE FROM ${S}.lease WHERE run = ANY ($1::text[])`, [ids]);
}

/** The number of the last fact of a run; 0: there is none. */
export async function lastNumber(queries: Queries, place: number): Promise<number> {
  const [found] = await queries.rows<{ last: number | null }>(
    `SELECT max(number) AS last FROM ${S}.fact WHERE run = $1`,
    [place],
  );
  return found?.last ?? 0;
}

/** Runs that a process works on, as a whole or on a piece of them. */
export async function takenRuns(queries: Queries): Promise<Set<string>> {
  const found = await queries.rows<{ run: string }>(
    `SELECT run FROM ${S}.lease WHERE until > clock_timestamp()
     UNION SELECT r.id FROM ${S}.piece p JOIN ${S}.run r ON r.place = p.run
     WHERE p.until > clock_timestamp()`,
  );
  return new Set(found.map(({ run }) => run));
}

const FACT = `${S}.fact`;

/** The facts of one chunk of a run. */
export async function factsOf(queries: Queries, place: number, chunk: number): Promise<Fact[]> {
  const rows = await queries.rows<FactRow>(
    `SELECT chunk, kind, data FROM ${FACT} WHERE run = $1 AND chunk = $2 ORDER BY number`,
    [place, chunk],
  );
  return rows.map(factOf);
}

/**
 * What is on record of some chunks of a run beside their rows, by chunk: those rows are the larger part of it by far.
 * `from` and `to`: the first and the last of the chunks.
 */
export async function laterFactsOf(
  queries: Queries,
  place: number,
  from: number,
  to: number,
): Promise<Map<number, Fact[]>> {
  const rows = await queries.rows<FactRow>(
    `SELECT chunk, kind, data FROM ${FACT}
     WHERE run = $1 AND chunk BETWEEN $2 AND $3 AND kind <> 'read' ORDER BY number`,
    [place, from, to],
  );
  const facts = new Map<number, Fact[]>();
  for (const row of rows) {
    const of = facts.get(row.chunk) ?? [];
    of.push(factOf(row));
    facts.set(row.chunk, of);
  }
  return facts;
}

/** Facts of an answer: each may be of some 100 KiB. */
const FETCHED = 100;

/** The facts of a run behind this number, in their order. */
export async function* factsBehind(
  queries: Queries,
  place: number,
  behind: number,
): AsyncGenerator<readonly (FactRow & { readonly number: number })[], void, undefined> {
  for (let last = behind; ;) {
    const rows = await queries.rows<FactRow & { readonly number: number }>(
      `SELECT number, chunk, kind, data FROM ${FACT}
       WHERE run = $1 AND number > $2 ORDER BY number LIMIT ${FETCHED}`,
      [place, last],
    );
    yield rows;
    last = rows.at(-1)?.number ?? last;
    if (rows.length < FETCHED) return;
  }
}

/** Appends the facts of one run. */
export interface FactAppender {
  append(chunk: number, facts: readonly Fact[]): Promise<void>;
  /** Resolves when nothing is on its way. */
  idle(): Promise<void>;
}

/**
 * Appends facts, a statement at a time. `insert` does so where whoever appends still may, and gives how many it appended:
 * all or none. `count`: what it is to know of them besides.
 */
export function factAppender(
  { name }: Pick<Connections, 'name'>,
  run: string,
  insert: (facts: readonly StoredFact[], counted: number) => Promise<number>,
  count: (facts: readonly Fact[]) => number = () => 0,
): FactAppender {
  const queue = factQueue(
    async (facts, counted) => {
      if (facts.length > 0 && (await insert(facts, counted)) !== facts.length) throw runTaken(run);
    },
    (error) => asPostgresError(error, name),
    // What is recorded in one turn goes together.
    () => Promise.resolve(),
  );
  return {
    append: (chunk, facts) => queue.add(storedFacts(run, chunk, facts), count(facts)),
    idle: () => queue.idle(),
  };
}

/** Appends the facts of a run on which this process works alone, behind the `last` one. */
export function appenderOfRun(
  connections: Connections,
  { lease, place, last: known }: { lease: Lease; place: number; last: number },
): FactAppender {
  let last = known;
  return factAppender(connections, lease.run, async (facts) => {
    const appended = await insert(connections, { lease, place, last }, facts);
    last += appended;
    return appended;
  });
}

/**
 * The lease is looked at in the statement that writes: a process that was paused while another one took its run writes
 * nothing any more.
 */
export function insert(
  queries: Queries,
  { lease, place, last }: { lease: Lease; place: number; last: number },
  facts: readonly StoredFact[],
): Promise<number> {
  const values: unknown[] = [lease.run, lease.epoch, place, last];
  return queries.run(
    `WITH ${heldLease(1)}
     INSERT INTO ${S}.fact (run, number, chunk, kind, data)
     SELECT $3::bigint, $4::bigint + f.at, f.chunk, f.kind, f.data
     FROM (${factLines(facts, values)}) AS f (at, chunk, kind, data)
     WHERE EXISTS (SELECT FROM held) ORDER BY f.at`,
    values,
  );
}

/** The facts as lines of a statement, counted from 1; their values are added to those of the statement. */
export function factLines(facts: readonly StoredFact[], values: unknown[]): string {
  const lines = facts.map(({ chunk, kind, data }, at) => {
    const first = values.push(chunk, kind, typeof data === 'string' ? data : bytesOf(data)) - 2;
    return `(${at + 1}, $${first}::bigint, $${first + 1}::text, $${first + 2}::text)`;
  });
  return `VALUES ${lines.join(', ')}`;
}

const bytesOf = (data: Uint8Array): Buffer =>
  Buffer.from(data.buffer, data.byteOffset, data.byteLength);

/** The heads of all runs or of a page of them, the latest first, and how many runs there are. */
export async function runHeads(
  queries: Queries,
  filter: RunFilter,
  { offset, limit }: Partial<Page> = {},
): Promise<{ rows: RunHead[]; all: number }> {
  const [mode, campaign] = ["settings::json ->> 'mode'", "settings::json #>> '{campaign,name}'"];
  const rows = await queries.rows<RunHead>(
    `SELECT ${headColumns(filter, { mode, campaign })} FROM ${RUN} ORDER BY place DESC LIMIT $1 OFFSET $2`,
    [limit ?? null, offset ?? 0],
  );
  const counted = await queries.rows<{ all: string }>(`SELECT count(*) AS all FROM ${RUN}`);
  return { rows, all: Number(counted[0]?.all ?? 0) };
}

const PIECE = `${S}.piece`;

/** Writes the facts of a chunk anew, in their order. */
export function rewriteFacts(
  connections: Connections,
  { id, place }: PlacedRun,
  chunk: number,
  facts: readonly StoredFact[],
): Promise<void> {
  return connections.transaction(async (queries) => {
    const rows = await queries.rows<{ number: number; kind: string }>(
      `SELECT number, kind FROM ${FACT} WHERE run = $1 AND chunk = $2 ORDER BY number FOR UPDATE`,
      [place, chunk],
    );
    refuseOtherKinds(id, rows, facts);
    await queries.run(
      `UPDATE ${FACT} f SET data = n.data FROM unnest($2::bigint[], $3::text[]) AS n (number, data)
       WHERE f.run = $1 AND f.number = n.number`,
      [place, rows.map(({ number }) => number), facts.map(({ data }) => textOf(data))],
    );
  });
}

const textOf = (data: string | Uint8Array): string =>
  typeof data === 'string' ? data : Buffer.from(data).toString();

/**
 * Writes the tables anew without the rows that were replaced, such as pieces as they were before they ended. What the server
 * has of them in its log, its archive and its backups is its own.
 */
export async function scrub(connections: Connections): Promise<void> {
  await connections.run(`VACUUM (FULL) ${FACT}, ${PIECE}`);
}

/**
 * The server, and which of its histories: a restored backup and a standby that has taken over begin another one. Empty
 * where the role may not ask.
 */
export async function clusterOf(queries: Queries): Promise<string> {
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
export async function placesWithNothing(
  queries: Queries,
  runs: readonly PlacedRun[],
): Promise<Set<string>> {
  const unfinished = new Map(runs.filter((run) => !isAtEnd(run)).map((run) => [run.place, run.id]));
  if (unfinished.size === 0) return new Set();
  const harmful = await queries.rows<{ run: number }>(
    `SELECT run FROM unnest($1::bigint[]) AS run
     WHERE EXISTS (SELECT FROM ${FACT} f WHERE f.run = run.run AND f.kind <> ALL ($2::text[]))
       OR EXISTS (SELECT FROM ${S}.piece p WHERE p.run = run.run)`,
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

/** Facts of a statement: each may be of some 100 KiB. */
const FACTS = 200;

export async function* factsAsStored(
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

export async function insertFacts(
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

/** Takes a run, or gives `undefined` where another process has it. */
export async function takeLease(
  queries: Queries,
  run: string,
  { leaseMs }: LeaseTimes,
): Promise<Lease | undefined> {
  const [taken] = await queries.rows<{ epoch: number }>(
    `INSERT INTO ${S}.lease AS had (run, epoch, until)
     VALUES ($1, 1, clock_timestamp() + $2 * interval '1 ms')
     ON CONFLICT (run) DO UPDATE SET epoch = had.epoch + 1, until = excluded.until
     WHERE had.until <= clock_timestamp() RETURNING epoch`,
    [run, leaseMs],
  );
  return taken && { run, epoch: taken.epoch };
}

/** Has a lease last so long from now on; whether it was still this process's. */
export async function extendLease(
  queries: Queries,
  { run, epoch }: Lease,
  ms: number,
): Promise<boolean> {
  const extended = await queries.run(
    `UPDATE ${S}.lease SET until = clock_timestamp() + $3 * interval '1 ms' WHERE run = $1 AND epoch = $2`,
    [run, epoch, ms],
  );
  return extended > 0;
}

export interface FoundLease {
  readonly run: string;
  /** The same text until the lease is renewed, given back or taken. */
  readonly lease: string;
  readonly isLive: boolean;
  readonly worker: string | null;
  /** How far a shared run is that has neither ended nor stopped; `null`: it is none. */
  readonly shared: 'handing over' | 'handed over' | null;
}

export function leasesOf(queries: Queries, runs: readonly string[]): Promise<FoundLease[]> {
  return queries.rows<FoundLease>(
    `SELECT l.run, l.epoch || ' ' || extract(epoch FROM l.until) AS lease, l.until > clock_timestamp() AS "isLive", r.worker,
       CASE WHEN s.run IS NULL OR r.state IS NOT NULL OR (${STOP}) IS NOT NULL THEN NULL
         WHEN s.pieces IS NULL THEN 'handing over' ELSE 'handed over' END AS shared
     FROM ${S}.lease l LEFT JOIN ${S}.run r ON r.id = l.run
       LEFT JOIN ${S}.shared s ON s.run = r.place
     WHERE l.run = ANY ($1::text[])`,
    [runs],
  );
}
