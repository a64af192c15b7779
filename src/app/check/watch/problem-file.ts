import { type FileHandle, open, rm } from 'node:fs/promises';
import { removeAtExit } from '../../../files/at-exit.js';

/** Bytes that are gathered before they are written. */
const PIECE = 256 * 1024;
/** What is read of a record at first; most are shorter. */
const FIRST_READ = 4 * 1024;
const LENGTH_BYTES = 4;

/**
 * Records one after the other in a file of their owner alone. It goes when it is closed, or when the process exits. What
 * has not been written yet can be read all the same.
 */
export class ProblemFile {
  #pieces: Buffer[] = [];
  #gathered = 0;
  #end = 0;
  #writing: Promise<void> = Promise.resolve();
  #written = 0;
  #safe = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
    private readonly forget: () => void,
  ) {}

  /** @throws what the file system says */
  static async create(path: string): Promise<ProblemFile> {
    const file = await open(path, 'wx+', 0o600);
    return new ProblemFile(file, path, removeAtExit(path));
  }

  /** Bytes of all records. */
  get length(): number {
    return this.#end;
  }

  /** Adds a record, and returns where it begins. */
  add(record: Buffer): number {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(record.length);
    const at = this.#end;
    this.#pieces.push(length, record);
    this.#gathered += LENGTH_BYTES + record.length;
    this.#end += LENGTH_BYTES + record.length;
    return at;
  }

  /** Whether enough is gathered to be written. */
  get isDue(): boolean {
    return this.#gathered >= PIECE;
  }

  /** Writes what is gathered. @throws what the file system says, now and from then on */
  flush(): Promise<void> {
    const pieces = this.#pieces;
    [this.#pieces, this.#gathered] = [[], 0];
    if (pieces.length === 0) return this.#writing;
    const bytes = Buffer.concat(pieces);
    const at = this.#written;
    this.#written += bytes.length;
    this.#writing = this.#writing.then(() => this.#writeAll(bytes, at));
    // Whoever waits for it gets the error.
    this.#writing.catch(() => undefined);
    return this.#writing;
  }

  /** Whether the record that begins there is in the file, where all that is before it is. */
  has(at: number): boolean {
    return at < this.#safe;
  }

  /** The record that begins there. What was added before has to be flushed. */
  async read(at: number): Promise<Buffer> {
    const first = await this.#bytesAt(at, FIRST_READ);
    const end = LENGTH_BYTES + first.readUInt32LE(0);
    const whole = end <= first.length ? first : await this.#bytesAt(at, end);
    return whole.subarray(LENGTH_BYTES, end);
  }

  /** Closes the file and removes it. */
  async close(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.file.close();
    await rm(this.path, { force: true });
    this.forget();
  }

  async #bytesAt(at: number, length: number): Promise<Buffer> {
    const { bytesRead, buffer } = await this.file.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  }

  async #writeAll(bytes: Buffer, at: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.file.write(bytes, done, bytes.length - done, at + done);
      done += bytesWritten;
    }
    this.#safe = at + bytes.length;
  }
}
