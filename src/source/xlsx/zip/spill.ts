import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BLOCK = 2 ** 16;
const BLOCKS = 64;

/** The temporary file cannot be made, written or read. */
export class SpillError extends Error {}

function attempted<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const reason =
      'its many texts need a temporary file, which fails. Make room in the temporary folder.';
    throw new SpillError(reason, { cause });
  }
}

/**
 * Bytes that do not fit into memory, in a temporary file that only this user can read and that has no name any more
 * once it is open, so that nothing is left behind however the process ends. Reading goes by blocks, of which the
 * latest are kept: neighbours are mostly asked for together. Synchronous, since cells are read synchronously.
 */
export class Spill {
  private readonly folder = attempted(() => mkdtempSync(join(tmpdir(), 'cardline-strings-')));
  private readonly descriptor: number;
  private readonly blocks = new Array<Buffer | undefined>(BLOCKS).fill(undefined);
  private readonly numbers = new Int32Array(BLOCKS).fill(-1);
  private length = 0;

  /** @throws SpillError */
  constructor() {
    this.descriptor = attempted(() => openSync(join(this.folder, 'strings'), 'wx+', 0o600));
    // Where an open file cannot be removed (Windows), `close` does it.
    if (process.platform !== 'win32') this.remove();
  }

  /** @throws SpillError */
  append(bytes: Buffer): void {
    for (let done = 0; done < bytes.length;) {
      const rest = bytes.length - done;
      done += attempted(() => writeSync(this.descriptor, bytes, done, rest, this.length + done));
    }
    this.length += bytes.length;
  }

  /** Copies what lies from `offset` on into `target`. */
  read(offset: number, target: Buffer): void {
    let done = 0;
    while (done < target.length) {
      const at = offset + done;
      const block = this.block(Math.floor(at / BLOCK));
      const copied = block.copy(target, done, at % BLOCK);
      if (copied === 0) throw new RangeError('read beyond the end of the spilled bytes');
      done += copied;
    }
  }

  close(): void {
    closeSync(this.descriptor);
    this.remove();
  }

  private remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private block(number: number): Buffer {
    const slot = number % BLOCKS;
    const known = this.blocks[slot];
    if (known !== undefined && this.numbers[slot] === number) return known;
    const block = Buffer.allocUnsafe(BLOCK);
    const length = attempted(() => readSync(this.descriptor, block, 0, BLOCK, number * BLOCK));
    this.numbers[slot] = number;
    return (this.blocks[slot] = block.subarray(0, length));
  }
}
