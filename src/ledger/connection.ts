import { Socket } from 'node:net';
import { Pool, type PoolClient, TypeOverrides, types } from 'pg';
import {
  CardlineError,
  codeOf,
  LedgerError,
  LedgerInUseError,
  NoLedgerError,
} from '../core/errors.js';
import { passwordFor, type PostgresAddress } from './address.js';

type Reason = readonly [pattern: RegExp, why: string, kind: typeof LedgerError];

const GO_ON = 'run the same command again';

/** By SQLSTATE, or by the code of the connection. The server's own words may repeat values, and are not shown. */
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

const OTHERWISE: Reason = [/^/, 'it cannot be used', LedgerError];

/** An error of the driver or the server in words that say what to do, without anything that could be a secret. */
export function asPostgresError(error: unknown, name: string): CardlineError {
  if (error instanceof CardlineError) return error;
  const code = codeOf(error) || codeOfMessage(error);
  const [, why, Kind] = REASONS.find(([pattern]) => pattern.test(code)) ?? OTHERWISE;
  const message = `The ledger ${name}: ${why}${code && ` (${code})`}.`;
  return new Kind(message, { cause: error, saysHowToContinue: why.includes(GO_ON) });
}

/** What the driver says in words alone. */
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
  /** How many rows the statement wrote. */
  run(text: string, values?: readonly unknown[]): Promise<number>;
}

/**
 * Connections to a ledger in PostgreSQL. Nothing is kept in a session, so that a pooler may give each transaction
 * another one.
 */
export interface Connections extends Queries {
  readonly name: string;
  /** All of it, or nothing. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const CONNECTIONS = 4;
const CONNECT_MS = 10_000;

interface ConnectionsOptions {
  /** @default 4 */
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
