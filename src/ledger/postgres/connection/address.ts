import { readFileSync } from 'node:fs';
import { codeOf, NoLedgerError } from '../../../core/errors.js';

/** Where a ledger in PostgreSQL is. The password is not in it (`password.ts`). */
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
