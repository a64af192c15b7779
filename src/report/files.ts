import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { refuseOtherPlace, NotRegularError, makeFolder } from '../files/regular-file.js';
import { CardlineError, codeOf, EXIT } from '../core/errors.js';

/** Characters of a piece: large enough for a pipe, small enough that its parts die in the young generation. */
const PIECE = 32 * 1024;

/** The lines of all rows, in pieces of some size. */
export function* inPieces<T>(
  rows: Iterable<T>,
  line: (row: T) => string,
): Generator<string, void, undefined> {
  let piece = '';
  for (const row of rows) {
    piece += line(row);
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/**
 * Writes a file that appears complete or not at all. After a failure, there is none.
 * @throws OutputError when it cannot be written
 */
export async function writeWhole<T>(
  file: string,
  fill: (target: AtomicFile) => Promise<T>,
): Promise<T> {
  const target = await AtomicFile.open(file);
  return orDiscard(target, async () => {
    const result = await fill(target);
    await target.commit();
    return result;
  });
}

/** The same for pieces of text. */
export const writePieces = (file: string, pieces: Iterable<string>): Promise<void> =>
  writeWhole(file, async (target) => {
    for (const piece of pieces) await target.write(piece);
  });

/** Bytes that are collected for one write to the disk. */
const BLOCK = 256 * 1024;
/** Bytes that a UTF-16 unit takes in UTF-8 at most. */
const MAX_BYTES_OF_UNIT = 3;

/**
 * A file that appears complete or not at all: written as `<name>.part` beside its place, and renamed once it is on the
 * disk. Its mode is 0600, new folders on its path have 0700. Every method may throw `OutputError`.
 */
export class AtomicFile {
  /** Holds the bytes that wait for the disk, up to `length`. */
  private block: Buffer = Buffer.allocUnsafeSlow(BLOCK);
  private length = 0;
  /** The block of the current or last write. */
  private other: Buffer | undefined;
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    readonly file: string,
    private readonly handle: FileHandle,
  ) {}

  static async open(file: string): Promise<AtomicFile> {
    return guarded(file, async () => {
      makeFolder(dirname(file));
      refusePlace(file);
      // A file left by a killed run may have other permissions, or be a link.
      await rm(partOf(file), { force: true });
      return new AtomicFile(file, await open(partOf(file), 'wx', 0o600));
    });
  }

  /**
   * Appends, one call at a time. Large blocks are written in the background, so that a later call may throw the error of
   * an earlier one. Small pieces are better than large ones: the engine keeps a joined text as a tree of its parts until
   * it is encoded.
   */
  write(data: string | Uint8Array): Promise<void> {
    return guarded(this.file, async () => {
      const maxBytes = typeof data === 'string' ? MAX_BYTES_OF_UNIT * data.length : data.length;
      if (this.length + maxBytes > BLOCK) await this.flush();
      if (maxBytes > BLOCK) {
        await this.startWrite(typeof data === 'string' ? Buffer.from(data) : data);
        await this.writing;
      } else if (typeof data === 'string') {
        this.length += this.block.write(data, this.length);
      } else {
        this.block.set(data, this.length);
        this.length += data.length;
      }
    });
  }

  /** Puts the file in its place, replacing an older one. When that fails, the new file is removed. */
  async commit(): Promise<void> {
    await orDiscard(this, () =>
      guarded(this.file, async () => {
        await this.flush();
        await this.writing;
        await this.handle.sync();
        await this.handle.close();
        await rename(partOf(this.file), this.file);
        await syncFolder(dirname(this.file));
      }),
    );
  }

  /** Removes what was written; an older file in its place stays. */
  async discard(): Promise<void> {
    await guarded(this.file, async () => {
      await Promise.allSettled([this.writing]);
      await this.handle.close();
      await rm(partOf(this.file), { force: true });
    });
  }

  /** Starts to write the block; resolves when the block before has been written. */
  private async flush(): Promise<void> {
    if (this.length === 0) return;
    await this.startWrite(this.block.subarray(0, this.length));
    [this.block, this.other] = [this.other ?? Buffer.allocUnsafeSlow(BLOCK), this.block];
    this.length = 0;
  }

  /** Waits for the write before: the order of two writes at once would be undefined. */
  private async startWrite(bytes: Uint8Array): Promise<void> {
    await this.writing;
    // `writeFile` of a handle appends and, unlike `write`, always writes everything.
    this.writing = this.handle.writeFile(bytes);
    // The next call that awaits it throws the error.
    this.writing.catch(() => undefined);
  }
}

/** Runs `action`; when it fails, the half-written file is removed and the error is thrown on. */
export async function orDiscard<T>(target: AtomicFile, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    await target.discard();
    throw error;
  }
}

/** A link is replaced, and its target stays as it is; a pipe or a device may be in use, and is not replaced. */
function refusePlace(file: string): void {
  try {
    refuseOtherPlace(file);
  } catch (error) {
    if (!(error instanceof NotRegularError && error.kind === 'symbolic link')) throw error;
  }
}

const partOf = (file: string): string => `${file}.part`;

async function guarded<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof OutputError ? error : new OutputError(file, error);
  }
}

/** Makes the rename durable. Windows cannot open a folder, and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'there is no permission to write here',
  EPERM: 'there is no permission to write here',
  EROFS: 'the disk is read-only',
  ENOENT: 'its folder does not exist and cannot be made',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'a folder has this name',
  EEXIST: 'a file is where a folder should be',
};

/** A report or rejects file cannot be written. The run's ledger is intact: the run can be continued. */
export class OutputError extends CardlineError {
  readonly exitCode = EXIT.stopped;
  constructor(
    readonly file: string,
    cause: unknown,
  ) {
    super(`${file}: cannot be written, ${reasonOf(cause)}. Choose another folder or make room.`, {
      cause,
    });
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'for an unknown reason';
  if (cause instanceof NotRegularError) return cause.message;
  return REASONS[codeOf(cause)] ?? (codeOf(cause) || cause.message);
}
