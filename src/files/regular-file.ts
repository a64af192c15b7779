import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';

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
  constructor(
    /** In bytes. */
    readonly limit: number,
  ) {
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
