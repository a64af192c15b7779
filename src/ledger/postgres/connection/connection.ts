import { Socket } from 'node:net';
import { Pool, type PoolClient, TypeOverrides, types } from 'pg';
import type { PostgresAddress } from './address.js';
import { asPostgresError } from './errors.js';
import { passwordFor } from './password.js';

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

export interface ConnectionsOptions {
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
