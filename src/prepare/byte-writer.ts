import { joinedBytes } from '../core/prepared.js';

const FIRST_BYTES = 64 * 1024;
/** Maximum bytes of UTF-8 for one unit of a text. */
const LONGEST_CHARACTER = 3;

/** Texts in UTF-8, one after the other. What has been taken makes room for others in the same memory. */
export class ByteWriter {
  #bytes = Buffer.from(new ArrayBuffer(FIRST_BYTES));
  length = 0;

  write(text: string): void {
    const max = this.length + text.length * LONGEST_CHARACTER;
    if (max > this.#bytes.length) this.#grow(max);
    this.length += this.#bytes.write(text, this.length, 'utf8');
  }

  /** Forgets what was written beyond this length. */
  cut(length: number): void {
    this.length = length;
  }

  /** A copy of its own size. */
  take(): Uint8Array {
    const bytes = joinedBytes([this.#bytes.subarray(0, this.length)]);
    this.length = 0;
    return bytes;
  }

  #grow(needed: number): void {
    const larger = Buffer.from(new ArrayBuffer(Math.max(needed, this.#bytes.length * 2)));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}
