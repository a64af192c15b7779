import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './folder.js';
import { OutputError } from './output-error.js';

/**
 * A file that appears whole or not at all: written as `<name>.part` beside its place, and renamed once it is on the
 * disk. Its mode is 0600, folders that are made for it have 0700. Every method may throw `OutputError`.
 */
export class AtomicFile {
  /** What the operating system is being given. */
  private written: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly file: string,
    private readonly handle: FileHandle,
  ) {}

  static async open(file: string): Promise<AtomicFile> {
    return guarded(file, async () => {
      makeFolder(dirname(file));
      // What a killed run left behind may have other permissions, or be a link to somewhere else.
      await rm(partOf(file), { force: true });
      return new AtomicFile(file, await open(partOf(file), 'wx', 0o600));
    });
  }

  /**
   * Appends, one call at a time; bytes must not change after it. Resolves when the operating system has all that was
   * appended before: so the caller makes the next piece while this one is written. A failure is thrown by the next call
   * of any method.
   */
  write(data: string | Uint8Array): Promise<void> {
    return guarded(this.file, async () => {
      await this.written;
      // `writeFile` of a handle goes on where the last one ended and, unlike `write`, never writes a part only.
      this.written = this.handle.writeFile(data);
      // Not lost: the next call waits for it and throws.
      this.written.catch(() => undefined);
    });
  }

  /** Puts the file in its place, replacing an older one. */
  async commit(): Promise<void> {
    await guarded(this.file, async () => {
      await this.written;
      await this.handle.sync();
      await this.handle.close();
      await rename(partOf(this.file), this.file);
      await syncFolder(dirname(this.file));
    });
  }

  /** Forgets what was written; an older file in its place stays. */
  async discard(): Promise<void> {
    await guarded(this.file, async () => {
      await Promise.allSettled([this.written]);
      await this.handle.close();
      await rm(partOf(this.file), { force: true });
    });
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
