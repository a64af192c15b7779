import { readFileSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { env, platform } from 'node:process';
import { codeOf, NoLedgerError } from '../../../core/errors.js';
import type { PostgresAddress } from './address.js';

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
export function passwordIn(text: string, address: PostgresAddress): string | undefined {
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
