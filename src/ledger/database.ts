import {
  LedgerError,
  NoLedgerError,
  LedgerInUseError,
  CardlineError,
  codeOf,
  NewerLedgerError,
} from '../core/errors.js';
import {
  type InitializedLedger,
  ledgerErrorOf,
  type PostgresAddress,
  postgresAddress,
  type Reason,
} from './port.js';
import { Socket } from 'node:net';
import { Pool, types, type PoolClient, TypeOverrides } from 'pg';
import { env, platform } from 'node:process';
import { statSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { homedir, userInfo } from 'node:os';

const GO_ON = 'run the same command again';

/** By SQLSTATE, or by the code of the connection. */
const REASONS: readonly Reason[] = [
  [/ENOTFOUND|EAI_AGAIN/, 'there is no host of this name; check the address', NoLedgerError],
  [
    /ECONNREFUSED|ENOENT/,
    `no server answers there; check host and port, or start it, and ${GO_ON}`,
    LedgerError,
  ],
  [
    /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    `the server does not answer in time; check host, port and firewall, and ${GO_ON}`,
    LedgerError,
  ],
  [
    /28P01|28000/,
    'the server refuses this user or password; give the password with PGPASSWORD or in ~/.pgpass',
    NoLedgerError,
  ],
  [/3D000/, 'the server has no such database; check its name, or create it', NoLedgerError],
  [
    /42501/,
    'the role may not create or use the tables; "cardline ledger init" with this address prints what an administrator has to execute in this database',
    NoLedgerError,
  ],
  [
    /TLS_NOT_OFFERED/,
    'the server does not offer TLS; turn it on there, or do without by sslmode=disable',
    NoLedgerError,
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/,
    "the server's certificate does not verify; give the authority's certificate with sslrootcert, or the name that the certificate has",
    NoLedgerError,
  ],
  [
    /25006/,
    'the server is a read-only copy; give the address of the one that is written to',
    NoLedgerError,
  ],
  [/23505/, `another process has put the same on record; ${GO_ON}`, LedgerInUseError],
  [/53100/, `the disk of the server is full; free some space and ${GO_ON}`, LedgerError],
  [/53300/, `the server has no connection left; wait, and ${GO_ON}`, LedgerError],
  [/55P03|40P01|40001/, `another process is using it; ${GO_ON}`, LedgerInUseError],
  [
    /^08P01/,
    `a connection pooler before the server, or the server, does not take what is asked for; a pooler needs pool_mode = transaction or session; ${GO_ON}`,
    LedgerError,
  ],
  [
    /^08|^57P|ECONNRESET|EPIPE|LOST/,
    `the connection to the server was lost; what was recorded before holds; ${GO_ON}`,
    LedgerError,
  ],
];

/** An error of the driver or the server in words that say what to do, without anything that could be a secret. */
export const asPostgresError = (error: unknown, name: string): CardlineError =>
  ledgerErrorOf(error, name, codeOf(error) || codeOfMessage(error), REASONS);

function codeOfMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  if (/does not support SSL/.test(text)) return 'ERR_TLS_NOT_OFFERED';
  if (/timeout/i.test(text)) return 'ETIMEDOUT';
  if (/terminated|Connection ended/i.test(text)) return 'LOST';
  return /password/i.test(text) ? '28P01' : '';
}

/** Whoever executes a statement: any connection, or the one of a transaction. */
export interface Queries {
  /** The rows of the answer. Written by us: their shape is not checked again. */
  rows<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  run(text: string, values?: readonly unknown[]): Promise<number>;
}

/**
 * Connections to a ledger in PostgreSQL. Nothing is kept in a session, so that a pooler may give each transaction
 * another one.
 */
export interface Connections extends Queries {
  readonly name: string;
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const CONNECTIONS = 4;
const CONNECT_MS = 10_000;

interface ConnectionsOptions {
  readonly connections?: number;
  /** How long to wait for the answer to a statement, in milliseconds. @default for ever */
  readonly statementMs?: number;
}

/** Connects with the first statement. Errors are those of `asPostgresError`. */
export function connectionsTo(
  address: PostgresAddress,
  { connections = CONNECTIONS, statementMs }: ConnectionsOptions = {},
): Connections {
  const { name, host, port, user, database, ssl } = address;
  const sockets = new Set<Socket>();
  const pool = new Pool({
    ...{ host, port, user, database, ssl },
    password: () => passwordFor(address),
    stream: () => openSocket(sockets),
    max: connections,
    ...(statementMs === undefined ? {} : { query_timeout: statementMs }),
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'cardline',
    types: NUMBERS,
  });
  // One that was lost while nobody used it: the next statement gets another, or the reason.
  pool.on('error', () => undefined);
  // One that is lost between two statements of a transaction: the second of them says so.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw asPostgresError(error, name);
    }
  };
  const own = queriesOn(pool);
  return {
    name,
    rows: (text, values) => guarded(() => own.rows(text, values)),
    run: (text, values) => guarded(() => own.run(text, values)),
    transaction: (work) => guarded(() => transaction(pool, work)),
    close: () =>
      guarded(async () => {
        await pool.end();
        // The pool forgets a connection whose user is not let in, and the server keeps it for a minute.
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function openSocket(open: Set<Socket>): Socket {
  const socket = new Socket();
  open.add(socket);
  return socket.once('close', () => open.delete(socket));
}

function queriesOn(client: Pool | PoolClient): Queries {
  return {
    rows: async <Row>(text: string, values: readonly unknown[] = []) => {
      const { rows } = await client.query(text, [...values]);
      return rows as Row[];
    },
    run: async (text, values = []) => {
      const { rowCount } = await client.query(text, [...values]);
      return rowCount ?? 0;
    },
  };
}

async function transaction<T>(pool: Pool, work: (queries: Queries) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: unknown;
  try {
    await client.query('BEGIN');
    const result = await work(queriesOn(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = error;
    await client.query('ROLLBACK').catch((lost: unknown) => {
      // The connection is gone, and the transaction with it.
      failure ??= lost;
    });
    throw failure;
  } finally {
    // One that failed is not used again.
    client.release(failure !== undefined);
  }
}

/** Counts and times are far below 2^53. */
const NUMBERS = new TypeOverrides();
NUMBERS.setTypeParser(types.builtins.INT8, Number);

/**
 * The password that a server asks for: of the environment, else of the password file, which is that of PostgreSQL's own
 * programs.
 * @throws NoLedgerError when there is none, or others may read the file
 */
function passwordFor(address: PostgresAddress): string {
  const password = env['PGPASSWORD'] ?? passwordOfFile(address);
  if (password !== undefined) return password;
  throw new NoLedgerError(
    `The ledger ${address.name}: the server asks for a password, and there is none; give it with PGPASSWORD, in ~/.pgpass, or in the file that PGPASSFILE names.`,
  );
}

function passwordOfFile(address: PostgresAddress): string | undefined {
  const named = env['PGPASSFILE'];
  const file = named ?? usualFile();
  let text: string;
  try {
    if (platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0)
      throw new NoLedgerError(
        `The ledger ${address.name}: ${file} holds passwords, and others may read it; run chmod 600 on it.`,
      );
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof NoLedgerError) throw error;
    if (named === undefined && codeOf(error) === 'ENOENT') return undefined;
    throw new NoLedgerError(
      `The ledger ${address.name}: the file of passwords ${file} cannot be read (${codeOf(error)}).`,
      { cause: error },
    );
  }
  return passwordIn(text, address);
}

/** Whatever a file permits to its group and to everybody. */
const OTHERS = 0o077;

const usualFile = (): string =>
  platform === 'win32'
    ? join(env['APPDATA'] ?? homedir(), 'postgresql', 'pgpass.conf')
    : join(homedir(), '.pgpass');

/** Of lines such as `host:port:database:user:password`, in which `*` stands for anything, the first that fits. */
function passwordIn(text: string, address: PostgresAddress): string | undefined {
  const user = address.user ?? env['PGUSER'] ?? userInfo().username;
  const database = address.database ?? env['PGDATABASE'] ?? user;
  const host = address.host.startsWith('/') ? 'localhost' : address.host;
  const wanted = [host, String(address.port), database, user];
  for (const line of text.split(/\r?\n/).filter((one) => !one.startsWith('#'))) {
    const parts = (line.match(FIELD) ?? []).map(unescaped);
    const password = parts[wanted.length];
    const fits = wanted.every((value, at) => parts[at] === '*' || parts[at] === value);
    if (fits && password !== undefined) return password;
  }
  return undefined;
}

/** Up to the next colon; a backslash takes the meaning from the character behind it. */
const FIELD = /(?<=^|:)(?:\\.|[^:\\])*/g;

const unescaped = (field: string): string => field.replaceAll(/\\(.)/g, '$1');

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
function administratorSql(role: string, version: number): string {
  const to = quoted(role);
  const steps = STEPS.slice(version);
  return [
    'BEGIN;',
    ...(version === 0 ? [`CREATE SCHEMA IF NOT EXISTS ${S};`] : []),
    ...steps,
    ...(steps.length > 0 ? [`${NOTE_VERSION};`] : []),
    `GRANT USAGE ON SCHEMA ${S} TO ${to};`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${S} TO ${to};`,
    'COMMIT;\n',
  ].join('\n');
}

/** A name as statements have it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

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

/** Whether the role may read and write a table (`c`). */
export const RIGHTS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']
  .map((right) => `has_table_privilege(c.oid, '${right}')`)
  .join(' AND ');

/** Whether the role may record runs: make the tables where there are none (`version` 0), else write to them. */
export async function mayWrite(queries: Queries, version: number): Promise<boolean> {
  const [found] = await queries.rows<{ may: boolean | null }>(
    version === 0
      ? `SELECT CASE WHEN to_regnamespace('${S}') IS NULL
           THEN has_database_privilege(current_database(), 'CREATE')
           ELSE has_schema_privilege('${S}', 'USAGE') AND has_schema_privilege('${S}', 'CREATE') END AS may`
      : `SELECT has_schema_privilege('${S}', 'USAGE') AND bool_and(${RIGHTS}) AS may
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = '${S}' AND c.relkind IN ('r', 'p')`,
  );
  return found?.may === true;
}

/** Who works with the ledger. */
export async function roleOf(queries: Queries): Promise<string> {
  const [found] = await queries.rows<{ role: string }>('SELECT current_user::text AS role');
  return found?.role ?? '';
}

/** Makes the tables in a database, or says what an administrator has to execute. @throws LedgerError, NoLedgerError */
export async function initPostgres(
  address: string,
  justPrints: boolean,
): Promise<InitializedLedger> {
  const connections = connectionsTo(postgresAddress(address));
  const { name: file } = connections;
  try {
    await refuseServer(connections);
    if (!justPrints && (await isReady(connections)))
      return { file, kind: 'ready', version: SCHEMA_VERSION };
    const version = await knownVersion(connections);
    refuseNewer(version, file);
    return { file, kind: 'sql', sql: administratorSql(await roleOf(connections), version) };
  } finally {
    await connections.close();
  }
}

/** Whether there are tables now that the role may write to. */
async function isReady(connections: Connections): Promise<boolean> {
  try {
    await prepareTables(connections);
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
  return mayWrite(connections, SCHEMA_VERSION);
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
  const prepare = async (): Promise<void> => {
    try {
      await (prepared ??= prepareTables(connections));
    } catch (error) {
      prepared = undefined;
      throw error;
    }
  };
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
