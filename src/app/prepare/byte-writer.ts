const FIRST_BYTES = 256 * 1024;
/** Most bytes of UTF-8 for one unit of a text. */
const LONGEST_CHARACTER = 3;

/** Texts in UTF-8, one after the other, in memory that can be handed to another thread. */
export class ByteWriter {
  #bytes = Buffer.from(new ArrayBuffer(FIRST_BYTES));
  length = 0;

  write(text: string): void {
    const most = this.length + text.length * LONGEST_CHARACTER;
    if (most > this.#bytes.length) this.#grow(most);
    this.length += this.#bytes.write(text, this.length, 'utf8');
  }

  /** A copy of its own size. */
  take(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(0, this.length));
  }

  #grow(needed: number): void {
    const larger = Buffer.from(new ArrayBuffer(Math.max(needed, this.#bytes.length * 2)));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}
