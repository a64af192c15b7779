import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, LedgerError, NoLedgerError } from '../core/errors.js';
import { makeFolder } from '../files/folder.js';

/** "card" in ASCII: distinguishes a ledger from any other SQLite database (`PRAGMA application_id`). */
export const APPLICATION_ID = 0x63617264;

/** Bytes of the first page, in which the tables' definitions stand. */
const HEAD_BYTES = 64 * 1024;
const SQLITE = 'SQLite format 3\0';
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;
const SQLITE_HEADER_BYTES = 100;
/** Versions of the tables that were written without an application id. */
export const UNMARKED_VERSIONS: ReadonlySet<number> = new Set([1, 2]);
/** Cells on the first page of a database; none: it has no tables. */
const CELLS_AT = SQLITE_HEADER_BYTES + 3;

/** Files that this process has open as ledgers, and how often. */
const openFiles = new Map<string, number>();

/** A file that is, or can become, a ledger. */
export interface LedgerFile {
  /** The path without symbolic links: SQLite's own files and the locks lie beside it. */
  readonly path: string;
  /** To be called when the ledger has been closed. */
  release(): void;
}

/**
 * Looks at a file before anything is done to it, and makes it where there is none, for its owner alone.
 * @throws NoLedgerError when it is no regular file, has a second name, or holds something else
 */
export function takeLedgerFile(file: string): LedgerFile {
  const found = statusOf(file);
  if (!found) makeFile(file);
  else refuseUnusable(file, found);
  const path = realpathSync(file);
  const { dev, ino } = statSync(path);
  const key = `${dev}:${ino}`;
  const users = openFiles.get(key) ?? 0;
  // Closing any descriptor of the file would take the locks from those of this process that have it open already.
  if (users === 0 && found) refuseForeign(file, path);
  openFiles.set(key, users + 1);
  return {
    path,
    release: () => {
      const left = (openFiles.get(key) ?? 1) - 1;
      if (left > 0) openFiles.set(key, left);
      else openFiles.delete(key);
    },
  };
}

/** Tells whether there still is the same file at a path, by which SQLite names its log, and others look for it. */
export function sameFile(path: string): () => boolean {
  const inode = (): string | null => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? `${found.dev}:${found.ino}` : null;
  };
  const before = inode();
  return () => inode() === before;
}

/** Said to a process whose ledger somebody has moved. */
export const ledgerGone = (path: string): LedgerError =>
  new LedgerError(
    `The ledger ${path} was moved, removed or replaced while a run was at work in it. Nothing more is sent. Bring it back, and run the same command again.`,
    { saysHowToContinue: true },
  );

/**
 * Looks at a file without making or changing anything.
 * @returns its path without symbolic links, and the version of its tables; `undefined` where there is no ledger yet
 * @throws NoLedgerError when it cannot be a ledger
 */
export function ledgerVersionOf(
  file: string,
): { readonly path: string; readonly version: number | undefined } | undefined {
  const found = statusOf(file);
  if (!found) return undefined;
  refuseUnusable(file, found);
  const path = realpathSync(file);
  refuseForeign(file, path);
  const head = headOf(path);
  const isEmpty = head.length < SQLITE_HEADER_BYTES;
  return { path, version: isEmpty ? undefined : head.readUInt32BE(USER_VERSION_AT) };
}

function statusOf(file: string): Stats | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found && lstatSync(file, { throwIfNoEntry: false }))
    throw new NoLedgerError(
      `The ledger ${file} is a link that leads nowhere; mend it, or give another --ledger.`,
    );
  return found;
}

function makeFile(file: string): void {
  makeFolder(dirname(resolve(file)));
  const path = join(realpathSync(dirname(resolve(file))), basename(file));
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    // Another process was quicker to make it.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function refuseUnusable(file: string, found: Stats): void {
  if (found.isDirectory())
    throw new NoLedgerError(`The ledger ${file} is a folder; give the path of a file.`);
  if (!found.isFile())
    throw new NoLedgerError(
      `The ledger ${file} is no regular file, and was left as it is; give another --ledger.`,
    );
  // SQLite keeps its log by the file's name: by two names, two processes would not see each other.
  if (found.nlink > 1)
    throw new NoLedgerError(
      `The ledger ${file} has a second name (a hard link), by which another process could work on it unseen. Remove one of the names, or copy the file.`,
    );
}

/** @throws NoLedgerError when the file holds something else than a ledger */
function refuseForeign(file: string, path: string): void {
  const head = headOf(path);
  if (head.length === 0) return;
  if (!head.subarray(0, SQLITE.length).equals(Buffer.from(SQLITE)))
    throw new NoLedgerError(
      `The ledger ${file}: the file is not a ledger, and was left as it is; give another file with --ledger.`,
    );
  if (head.length < SQLITE_HEADER_BYTES || isOurs(head)) return;
  throw new NoLedgerError(
    `The ledger ${file}: this is a database of another program, and was left as it is; give another file with --ledger.`,
  );
}

function isOurs(head: Buffer): boolean {
  const id = head.readUInt32BE(APPLICATION_ID_AT);
  if (id === APPLICATION_ID) return true;
  if (id !== 0) return false;
  if (head.readUInt16BE(CELLS_AT) === 0) return true;
  const text = head.toString('latin1');
  return (
    UNMARKED_VERSIONS.has(head.readUInt32BE(USER_VERSION_AT)) &&
    text.includes('CREATE TABLE run (') &&
    text.includes('CREATE TABLE fact (')
  );
}

function headOf(path: string): Buffer {
  // A file that has become a pipe meanwhile must not hold up the process.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const head = Buffer.alloc(Math.min(HEAD_BYTES, fstatSync(file).size));
    return head.subarray(0, readSync(file, head, 0, head.length, 0));
  } finally {
    closeSync(file);
  }
}
