import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { refuseOtherPlace } from '../../files/own-file.js';
import { NotRegularError } from '../../files/regular-file.js';
import { makeFolder } from './folder.js';
import { OutputError } from './output-error.js';

/** Bytes that are collected before the disk is given them. */
const BLOCK = 256 * 1024;
/** Most bytes that a unit of UTF-16 becomes in UTF-8. */
const BYTES_OF_CHARACTER = 3;

/**
 * A file that appears whole or not at all: written as `<name>.part` beside its place, and renamed once it is on the
 * disk. Its mode is 0600, folders that are made for it have 0700. Every method may throw `OutputError`.
 */
export class AtomicFile {
  /** Bytes that have been appended, up to `length`. */
  private block: Buffer = Buffer.allocUnsafeSlow(BLOCK);
  private length = 0;
  /** The block that is being written, or that was. */
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
      // What a killed run left behind may have other permissions, or be a link to somewhere else.
      await rm(partOf(file), { force: true });
      return new AtomicFile(file, await open(partOf(file), 'wx', 0o600));
    });
  }

  /**
   * Appends, one call at a time. The disk is given large blocks while the caller goes on, so that a failure may be
   * thrown by a later call. Small pieces are better than large ones: text that is put together of many parts is made of
   * objects until it is written.
   */
  write(data: string | Uint8Array): Promise<void> {
    return guarded(this.file, async () => {
      const most = typeof data === 'string' ? BYTES_OF_CHARACTER * data.length : data.length;
      if (this.length + most > BLOCK) await this.flush();
      if (most > BLOCK) {
        await this.give(typeof data === 'string' ? Buffer.from(data) : data);
        await this.writing;
      } else if (typeof data === 'string') {
        this.length += this.block.write(data, this.length);
      } else {
        this.block.set(data, this.length);
        this.length += data.length;
      }
    });
  }

  /** Puts the file in its place, replacing an older one. Where that fails, what was written is forgotten. */
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

  /** Forgets what was written; an older file in its place stays. */
  async discard(): Promise<void> {
    await guarded(this.file, async () => {
      await Promise.allSettled([this.writing]);
      await this.handle.close();
      await rm(partOf(this.file), { force: true });
    });
  }

  /** Resolves when the block before has been written, and this one is being written. */
  private async flush(): Promise<void> {
    if (this.length === 0) return;
    await this.give(this.block.subarray(0, this.length));
    [this.block, this.other] = [this.other ?? Buffer.allocUnsafeSlow(BLOCK), this.block];
    this.length = 0;
  }

  /** Only one write is under way at a time: two would overtake each other. */
  private async give(bytes: Uint8Array): Promise<void> {
    await this.writing;
    // `writeFile` of a handle goes on where the last one ended and, unlike `write`, never writes a part only.
    this.writing = this.handle.writeFile(bytes);
    // Not lost: whoever waits for it next throws it.
    this.writing.catch(() => undefined);
  }
}

/** Writes a whole file at once, with the guarantees of `AtomicFile`. */
export async function writeAtomically(file: string, text: string): Promise<void> {
  const target = await AtomicFile.open(file);
  await orDiscard(target, async () => {
    await target.write(text);
    await target.commit();
  });
}

/** Runs `work`; when it fails, the half-written file goes away and the failure is passed on. */
export async function orDiscard<T>(target: AtomicFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await target.discard();
    throw error;
  }
}

/** A link is replaced, and what it leads to stays as it is; a pipe or a device is somebody's, and is not replaced. */
function refusePlace(file: string): void {
  try {
    refuseOtherPlace(file);
  } catch (error) {
    if (!(error instanceof NotRegularError && error.kind === 'symbolic link')) throw error;
  }
}

const partOf = (file: string): string => `${file}.part`;

async function guarded<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof OutputError ? error : new OutputError(file, error);
  }
}

/** Makes the rename itself last. Windows cannot open a folder, and needs no such thing. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
