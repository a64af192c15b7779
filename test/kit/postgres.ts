import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { getuid } from 'node:process';
import { Pool } from 'pg';

const INSTALLED = '/usr/lib/postgresql';

/** Programs of the newest PostgreSQL that is installed; `undefined`: there is none. */
export const POSTGRES = existsSync(INSTALLED)
  ? readdirSync(INSTALLED)
      .filter((version) => existsSync(join(INSTALLED, version, 'bin', 'initdb')))
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(INSTALLED, version, 'bin'))[0]
  : undefined;

/** Said where tests need a server. */
export const WITHOUT = POSTGRES === undefined ? ' (skipped: PostgreSQL is not installed)' : '';

/** A server for databases of a test. */
export interface SharedPostgres {
  readonly port: number;
  /** Makes an empty database, and gives its address; the password is in the environment. */
  database(): Promise<string>;
  /** The same with the tables of a ledger, as whoever may make them has them made. */
  ledger(): Promise<string>;
  /** Executes a statement as the owner of everything. */
  execute(database: string, statement: string): Promise<readonly object[]>;
  /** Ends the use of it. */
  remove(): void;
}

/** A server of the test's own, in a folder that is removed with it. */
export interface PostgresServer extends SharedPostgres {
  readonly data: string;
  /** Has the server speak TLS with this certificate and its key. */
  secure(certificate: string, key: string): Promise<void>;
  start(): void;
  stop(mode?: 'fast' | 'immediate'): void;
  /** Runs another program of PostgreSQL on the folder of a server that is stopped. */
  program(name: string, ...args: readonly string[]): void;
}

export const PASSWORD = 'a-word-that-is-secret';

/** The environment variable with the port of the server that all tests share. */
export const SHARED_SERVER = 'CARDLINE_TEST_POSTGRES';

/** The one with the folder of a server that has `TABLES` and is stopped: all others begin as a copy of it. */
export const ORIGIN = 'CARDLINE_TEST_POSTGRES_ORIGIN';

/** The database that others with the tables of a ledger are copies of. */
export const TABLES = 'tables';

/** The server that tests share, where there is one, else an own one. */
export async function startPostgres(): Promise<SharedPostgres> {
  const port = process.env[SHARED_SERVER];
  if (port === undefined) return await startOwnPostgres();
  process.env['PGPASSWORD'] = PASSWORD;
  return { ...databasesOn(Number(port)), remove: () => undefined };
}

/**
 * Starts a server for tests that stop it, or change it for everybody.
 * @param parent folder for all that is the server's. Default: the one for temporary files.
 */
export async function startOwnPostgres(parent = tmpdir()): Promise<PostgresServer> {
  if (POSTGRES === undefined) throw new Error('PostgreSQL is not installed.');
  const bin = POSTGRES;
  const folder = mkdtempSync(join(parent, 'cardline-pg-'));
  const data = join(folder, 'data');
  const user = owner();
  if (user) chownSync(folder, user.uid, user.gid);
  const run = (name: string, ...args: readonly string[]): void => {
    // A server that stays must not hold the pipe of the test.
    const ended = spawnSync(join(bin, name), args, { ...user, cwd: folder, stdio: 'ignore' });
    if (ended.status !== 0) throw new Error(`${name} ended with ${ended.status}.`);
  };
  const port = await freePort();
  const origin = process.env[ORIGIN];
  // To make a server takes as long as a hundred statements.
  if (origin !== undefined) execFileSync('cp', ['-a', origin, data]);
  else {
    const words = join(folder, 'password');
    writeFileSync(words, PASSWORD);
    if (user) chownSync(words, user.uid, user.gid);
    const access = ['-U', 'owner', '-A', 'scram-sha-256', `--pwfile=${words}`];
    run('initdb', '-D', data, ...access, '-E', 'UTF8');
  }
  const options = `-p ${port} -k ${folder} ${SETTINGS}`;
  const server: PostgresServer = {
    ...databasesOn(port),
    data,
    secure: async (certificate, key) => {
      for (const [setting, path] of [
        ['ssl_cert_file', certificate],
        ['ssl_key_file', key],
      ] as const) {
        const own = join(folder, basename(path));
        copyFileSync(path, own);
        chmodSync(own, 0o600);
        if (user) chownSync(own, user.uid, user.gid);
        await server.execute('postgres', `ALTER SYSTEM SET ${setting} = '${own}'`);
      }
      await server.execute('postgres', 'ALTER SYSTEM SET ssl = on');
      await server.execute('postgres', 'SELECT pg_reload_conf()');
    },
    start: () => {
      run('pg_ctl', '-D', data, '-w', '-o', options, '-l', join(folder, 'log'), 'start');
    },
    stop: (mode = 'fast') => {
      pools.clear();
      run('pg_ctl', '-D', data, '-w', '-m', mode, 'stop');
    },
    program: (name, ...args) => {
      run(name, '-D', data, ...args);
    },
    remove: () => {
      server.stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  process.env['PGPASSWORD'] = PASSWORD;
  server.start();
  return server;
}

function databasesOn(port: number): Omit<SharedPostgres, 'remove'> {
  const execute: SharedPostgres['execute'] = async (database, statement) =>
    (await poolOf(addressOf(port, database)).query<object>(statement)).rows;
  const copyOf = async (template: string): Promise<string> => {
    // Roles are named after it, and are the server's.
    const name = `d${process.pid}_${++databases}`;
    await execute('postgres', `CREATE DATABASE ${name} TEMPLATE ${template} ${AS_FILES}`);
    return addressOf(port, name);
  };
  return { port, database: () => copyOf('template1'), ledger: () => copyOf(TABLES), execute };
}

/** Connections for the statements of tests: a process of the server costs more than most of these. */
const pools = new Map<string, Pool>();

function poolOf(connectionString: string): Pool {
  const found = pools.get(connectionString);
  if (found) return found;
  const idle = { idleTimeoutMillis: 2000, allowExitOnIdle: true };
  const pool = new Pool({ connectionString, max: 1, ...idle });
  // Nobody asks for one that was lost with its server.
  pool.on('error', () => undefined);
  pools.set(connectionString, pool);
  return pool;
}

/** Else version 15 and later write all of a new database to the log, page by page. */
const AS_FILES =
  POSTGRES !== undefined && Number(basename(dirname(POSTGRES))) >= 15 ? 'STRATEGY file_copy' : '';

/**
 * Several files use a server at a time, each with several machines. Nothing is cleaned up in databases that are used for
 * seconds: with a hundred of them, two a second would have their turn.
 */
const SETTINGS = [
  ...['listen_addresses=127.0.0.1', 'max_connections=300', 'shared_buffers=32MB'],
  ...['autovacuum=off', 'full_page_writes=off'],
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

let databases = 0;

export const addressOf = (port: number, name: string): string =>
  `postgres://owner@127.0.0.1:${port}/${name}`;

/** A server refuses to run as root; the package has made a user for it. */
function owner(): { readonly uid: number; readonly gid: number } | undefined {
  if (getuid?.() !== 0) return undefined;
  const id = (which: string): number =>
    Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
