import { codeOf } from '../core/errors.js';
import {
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
} from 'node:fs';
import { open, stat, type FileHandle, mkdtemp, rm, lstat, readdir } from 'node:fs/promises';
import { dirname, join, isAbsolute, sep } from 'node:path';
import { tmpdir } from 'node:os';

/** Whether the file system, or what a user may have of it, has no room for what was written. */
export function isDiskFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
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
