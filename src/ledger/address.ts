import { readFileSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { env, platform } from 'node:process';
import { codeOf, NoLedgerError } from '../core/errors.js';

/** Where a ledger in PostgreSQL is. The password is not in it (`passwordFor`). */
export interface PostgresAddress {
  /** How it is called in messages, and with `--ledger`. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly database: string | undefined;
  readonly ssl: false | { readonly rejectUnauthorized: true; readonly ca?: string };
}

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]', '']);
const PORT = 5432;

/**
 * Reads `postgres://user@host:port/database`, with `sslmode` and `sslrootcert`. On another machine the server has to
 * show a certificate that verifies, unless `sslmode=disable`.
 * @throws NoLedgerError
 */
export function postgresAddress(text: string): PostgresAddress {
  const url = parsed(text);
  if (url.password !== '' || url.searchParams.has('password'))
    throw new NoLedgerError(
      'The address of the ledger holds a password, which the list of processes and histories of commands would show. Leave it out, and give it with PGPASSWORD, in ~/.pgpass, or in the file that PGPASSFILE names.',
    );
  const host = url.searchParams.get('host') ?? url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || PORT);
  const database = decodeURIComponent(url.pathname.slice(1)) || undefined;
  const user = decodeURIComponent(url.username) || undefined;
  const name = nameOf(url);
  return {
    ...{ name, host: host === '' ? 'localhost' : host, port, user, database },
    ssl: sslOf(url, name, LOCAL.has(url.hostname) || host.startsWith('/')),
  };
}

function parsed(text: string): URL {
  try {
    const url = new URL(text);
    // What is escaped wrongly is found here too.
    decodeURIComponent(url.username + url.password + url.pathname);
    return url;
  } catch {
    // The text may hold a password, and is not repeated.
    throw new NoLedgerError(
      'The address of the ledger cannot be read; write it as postgres://user@host:5432/database, with special characters as %XX.',
    );
  }
}

function nameOf(url: URL): string {
  const shown = new URL(url);
  for (const key of [...shown.searchParams.keys()])
    if (!KNOWN.has(key)) shown.searchParams.delete(key);
  return shown.href;
}

const KNOWN: ReadonlySet<string> = new Set(['host', 'sslmode', 'sslrootcert']);
const VERIFIED: ReadonlySet<string> = new Set(['require', 'verify-ca', 'verify-full']);

function sslOf({ searchParams }: URL, name: string, isLocal: boolean): PostgresAddress['ssl'] {
  const mode = searchParams.get('sslmode') ?? (isLocal ? 'disable' : 'verify-full');
  if (mode === 'disable') return false;
  if (!VERIFIED.has(mode))
    throw new NoLedgerError(`The ledger ${name}: sslmode is one of verify-full and disable.`);
  const file = searchParams.get('sslrootcert');
  return { rejectUnauthorized: true, ...(file === null ? {} : { ca: certificate(file, name) }) };
}

function certificate(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new NoLedgerError(
      `The ledger ${name}: the certificate ${file} cannot be read (${codeOf(error)}); check sslrootcert.`,
    );
  }
}

/**
 * The password that a server asks for: of the environment, else of the password file, which is that of PostgreSQL's own
 * programs.
 * @throws NoLedgerError when there is none, or others may read the file
 */
export function passwordFor(address: PostgresAddress): string {
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
