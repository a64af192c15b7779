import { codeOf } from '../core/errors.js';
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type BigIntStats,
  statSync,
  type Stats,
  mkdirSync,
  rmSync,
  readFileSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { open, stat, type FileHandle, mkdtemp, rm, lstat, readdir } from 'node:fs/promises';
import { dirname, join, isAbsolute, sep, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { randomUUID } from 'node:crypto';

/** Whether the file system, or what a user may have of it, has no room for what was written. */
export function isDiskFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** What the file system answers; `undefined` when it is not there (any more). */
export async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
// The last two are for what takes the file's place after it was looked at. Windows does not know them.
const APPEND = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/**
 * Makes sure that what is written to a path lands there: nothing is there yet, or a regular file.
 * @throws NotRegularError for a link, which leads to what is somebody else's, and for a pipe, a socket, a device, a folder
 */
export function refuseOtherPlace(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  const kind = found && otherKind(found);
  if (kind !== undefined) throw new NotRegularError(kind);
}

/** Whether a file begins with bytes, given as Latin-1. */
export function beginsWith(path: string, beginning: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(beginning.length);
    readSync(file, head, 0, head.length, 0);
    return head.toString('latin1') === beginning;
  } finally {
    closeSync(file);
  }
}

/**
 * Opens a file to append, or makes it for its owner alone; never through a link at the end of the path.
 * @returns the descriptor
 * @throws NotRegularError, and what the file system says
 */
export function openToAppend(path: string): number {
  refuseOtherPlace(path);
  const file = openSync(path, APPEND, 0o600);
  const kind = otherKind(fstatSync(file));
  if (kind === undefined) return file;
  closeSync(file);
  throw new NotRegularError(kind);
}

/** What a path leads to, where that is no regular file. */
export type OtherKind = 'folder' | 'symbolic link' | 'named pipe' | 'socket' | 'device';

/**
 * What something is that is no regular file, if it is none. Opening a pipe waits for whoever is at its other end, a
 * device may have no end, and neither can be read twice.
 */
export function otherKind(found: Stats | BigIntStats): OtherKind | undefined {
  if (found.isFile()) return undefined;
  if (found.isSymbolicLink()) return 'symbolic link';
  if (found.isDirectory()) return 'folder';
  if (found.isFIFO()) return 'named pipe';
  return found.isSocket() ? 'socket' : 'device';
}

/** A path leads to something else than a regular file. It was not read. */
export class NotRegularError extends Error {
  readonly code = 'NOT_REGULAR';
  constructor(readonly kind: OtherKind) {
    super(`this is a ${kind}, not a file`);
  }
}

/** A file is larger than what is read of it may be. */
export class TooLargeError extends Error {
  readonly code = 'TOO_LARGE';
  constructor(readonly limit: number) {
    super(`the file is larger than ${limit / 1024 ** 2} MiB`);
  }
}

// Should a pipe take the file's place after it was looked at, it is still opened at once. Windows knows no such flag.
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Opens a regular file to read, through links too.
 * @throws NotRegularError for anything else, at once; and what the file system says
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  refuseOther(await stat(path));
  const handle = await open(path, READ);
  try {
    refuseOther(await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Reads a regular file of at most `limit` bytes, through links too.
 * @throws NotRegularError, TooLargeError, and what the file system says
 */
export async function readSmallFile(path: string, limit: number): Promise<Buffer> {
  const handle = await openRegularFile(path);
  try {
    const content = new LimitedContent(limit, (await handle.stat()).size);
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PIECE), 0, PIECE, null);
      if (bytesRead === 0) return content.whole();
      content.add(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** The same for whoever cannot wait. */
export function readSmallFileSync(path: string, limit: number): Buffer {
  refuseOther(statSync(path));
  const file = openSync(path, READ);
  try {
    const found = fstatSync(file);
    refuseOther(found);
    const content = new LimitedContent(limit, found.size);
    for (;;) {
      const buffer = Buffer.allocUnsafe(PIECE);
      const bytesRead = readSync(file, buffer, 0, PIECE, null);
      if (bytesRead === 0) return content.whole();
      content.add(buffer.subarray(0, bytesRead));
    }
  } finally {
    closeSync(file);
  }
}

const PIECE = 64 * 1024;

/** Counts what is really read: a file may grow meanwhile, and those of /proc say that they are empty. */
class LimitedContent {
  private readonly pieces: Buffer[] = [];
  private length = 0;

  constructor(
    private readonly limit: number,
    size: number,
  ) {
    this.refuseOver(size);
  }

  add(piece: Buffer): void {
    this.length += piece.length;
    this.refuseOver(this.length);
    this.pieces.push(piece);
  }

  whole(): Buffer {
    return Buffer.concat(this.pieces);
  }

  private refuseOver(length: number): void {
    if (length > this.limit) throw new TooLargeError(this.limit);
  }
}

function refuseOther(found: Stats): void {
  const kind = otherKind(found);
  if (kind !== undefined) throw new NotRegularError(kind);
}

/** Whether whoever runs the command may write to it; not where it is not there. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Readable by their owner only: reports and ledgers name clients. */
const MODE = 0o700;

/**
 * Creates a folder and its missing parents, one by one: Node's own recursion never ends where creating a folder fails
 * with ENOENT although its parent exists, as in /proc.
 * @throws the error of the file system
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !isThere(at); at = dirname(at)) missing.push(at);
  for (const next of missing.reverse()) makeUnlessThere(next);
}

/** The nearest folder that exists: this one, or one above it. */
export const existingFolder = (folder: string): string =>
  isThere(folder) ? folder : existingFolder(dirname(folder));

/** The root has no parent, and always exists. */
const isThere = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path;

function makeUnlessThere(folder: string): void {
  try {
    mkdirSync(folder, { mode: MODE });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** A private folder of the system's temporary place. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** The folder goes when it is removed, or else when the process exits, as it does at once on a second Ctrl-C. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'cardline-'));
  const forget = removeAtExit(path);
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true });
      forget();
    },
  };
}

/** What goes when the process exits. One listener for all: Node warns of many. */
const paths = new Set<string>();

function removeAll(): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

/** Removes a file or folder when the process exits, however it does. @returns what forgets it */
export function removeAtExit(path: string): () => void {
  if (paths.size === 0) process.once('exit', removeAll);
  paths.add(path);
  return () => {
    if (paths.delete(path) && paths.size === 0) process.removeListener('exit', removeAll);
  };
}

/** What stands in a text for bytes that are no UTF-8. */
const REPLACED = '\ufffd';

/** Whether a name of a file system is UTF-8, so that it can be given as text. */
export const isUtf8 = (name: Buffer): boolean => Buffer.from(name.toString()).equals(name);

/** A name as text from which it can be told: bytes that are no UTF-8 stand as `\xE4`. */
export function shownName(name: Buffer): string {
  if (isUtf8(name)) return name.toString();
  let text = '';
  for (let at = 0; at < name.length;) {
    const length = [1, 2, 3, 4].find((bytes) => isUtf8(name.subarray(at, at + bytes)));
    const sign = name.subarray(at, at + (length ?? 1));
    text += length === undefined ? `\\x${sign.toString('hex').toUpperCase()}` : sign.toString();
    at += sign.length;
  }
  return text;
}

/**
 * The paths that a text may stand for. Arguments of a program reach it as text, in which bytes that are no UTF-8 are
 * replaced: where there is nothing of exactly that name, the folders are searched for those that become it.
 * @returns none where there is no such file
 */
export async function pathsOf(path: string): Promise<Buffer[]> {
  if (!path.includes(REPLACED) || (await isListed(Buffer.from(path)))) return [Buffer.from(path)];
  let found: Buffer[] = [Buffer.from(isAbsolute(path) ? sep : `.${sep}`)];
  for (const part of path.split(sep).filter((name) => name !== '')) {
    const next: Buffer[] = [];
    for (const folder of found) next.push(...(await entriesOf(folder, part)));
    found = next;
  }
  return found;
}

async function entriesOf(folder: Buffer, part: string): Promise<Buffer[]> {
  const below = (name: Buffer): Buffer =>
    Buffer.concat([
      folder,
      folder.at(-1) === sep.charCodeAt(0) ? Buffer.of() : Buffer.from(sep),
      name,
    ]);
  if (!part.includes(REPLACED)) {
    const path = below(Buffer.from(part));
    return (await isListed(path)) ? [path] : [];
  }
  try {
    const names = await readdir(folder, { encoding: 'buffer' });
    return names.filter((name) => name.toString() === part).map(below);
  } catch (error) {
    // A file, or a folder that may not be read: nothing is found in it.
    if (codeOf(error) === '') throw error;
    return [];
  }
}

async function isListed(path: Buffer): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return false;
  }
}

/** The same from `src/files`, `dist/files` and `dist/command`. */
const MANIFEST = new URL('../../package.json', import.meta.url);

/** Version of the package. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return known && typeof manifest.version === 'string' ? manifest.version : 'unknown';
}

/**
 * What is going to be at a path: a `folder` that is written into, a `file` that is made or replaced, a file of
 * `metrics`, which replaces no other one, a `ledger` that is made or written on, a ledger that is only read, or the
 * database of a `sandbox`.
 */
export type PlaceKind = 'folder' | 'file' | 'metrics' | 'ledger' | 'read ledger' | 'sandbox';

/** File systems of the kernel, by their magic number: their entries are no files, and some can be opened for ever. */
const KERNEL = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x1cd1, // devpts
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
  0xcafe4a11, // bpf
  0x62656570, // configfs
  0x6165676c, // pstore
  0xde5e81e4, // efivarfs
]);

const SQLITE = 'SQLite format 3\0';
/** How every file of metrics that cardline writes begins. */
const METRICS = '# HELP cardline_';
/** What is said of a file that `mayBecomeMetrics` does not take. */
export const NO_METRICS = 'holds no metrics of cardline, and is not replaced';

/**
 * Why nothing can be written at a path, as the second half of a sentence; `undefined` where nothing speaks against it.
 * Leaves everything as it was: whether there is room is tried with a file that is removed at once.
 */
export function placeProblem(path: string, kind: PlaceKind): string | undefined {
  const full = resolve(path);
  try {
    const found = statSync(full, { throwIfNoEntry: false });
    const folder = existingFolder(dirname(full));
    if (isOfKernel(found ? full : folder))
      return 'lies among the files of the operating system, which keep nothing';
    if (found) return problemOf(full, found, kind);
    if (kind === 'read ledger') return undefined;
    tryToWrite(folder);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function problemOf(path: string, found: Stats, kind: PlaceKind): string | undefined {
  if (kind === 'folder') {
    if (!found.isDirectory()) return `is a ${otherKind(found) ?? 'file'}, not a folder`;
    tryToWrite(path);
    return undefined;
  }
  const other = otherKind(found);
  if (other !== undefined) return `is a ${other}, not a file`;
  if (kind === 'file' || kind === 'metrics') {
    if (kind === 'metrics' && !mayBecomeMetrics(path)) return NO_METRICS;
    tryToWrite(dirname(path));
    return undefined;
  }
  const what = kind === 'sandbox' ? 'database of a sandbox' : 'ledger';
  if (found.size > 0 && !isDatabase(path)) return `is not a ${what}, and was left as it is`;
  // Whether a run in it can go on, and what to do where it cannot, is said when the ledger is opened.
  return undefined;
}

/** Whether metrics can be written to a path without replacing anything else: nothing is there, or earlier metrics. */
export function mayBecomeMetrics(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || (found.isFile() && found.size === 0)) return true;
  return found.isFile() && !hasLog(path) && beginsWith(path, METRICS);
}

const isDatabase = (path: string): boolean => hasLog(path) || beginsWith(path, SQLITE);

/** A database that this process has open must not be opened here: closing it would take its locks away. It has a log beside it. */
function hasLog(path: string): boolean {
  return statSync(`${path}-wal`, { throwIfNoEntry: false }) !== undefined;
}

function isOfKernel(path: string): boolean {
  return process.platform === 'linux' && KERNEL.has(statfsSync(path).type >>> 0);
}

/** Room for one block is a sign that the disk is not full, and shows whether the folder takes files. */
function tryToWrite(folder: string): void {
  const trial = join(folder, `.cardline-${randomUUID()}`);
  const file = openSync(trial, 'wx', 0o600);
  try {
    writeSync(file, Buffer.alloc(4096));
  } finally {
    closeSync(file);
    rmSync(trial, { force: true });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: there is no room left for this user',
  EROFS: 'cannot be written: the file system is read-only',
  EACCES: 'may not be written by this user',
  EPERM: 'may not be written by this user',
  ENOTDIR: 'lies below a file, not below a folder',
  ELOOP: 'is a link that leads to itself',
  ENAMETOOLONG: 'has a name that is too long',
};

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === '') throw error;
  return REASONS[code] ?? `cannot be written (${code})`;
}
