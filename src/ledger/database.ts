import {
  LedgerError,
  NoLedgerError,
  LedgerInUseError,
  type CardlineError,
  codeOf,
} from '../core/errors.js';
import { ledgerErrorOf, type PostgresAddress, type Reason } from './port.js';
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

export interface ConnectionsOptions {
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
  try {
    await client.query('BEGIN');
    const result = await work(queriesOn(client));
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // Where the connection is gone, so is the transaction.
    await client.query('ROLLBACK').catch(() => undefined);
    // One that failed is not used again.
    client.release(true);
    throw error;
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
