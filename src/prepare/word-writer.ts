/** As many as the largest column of a usual chunk has: where the engine never sees it grow, nothing is compiled again. */
const FIRST_WORDS = 4096;

/** Words of 32 bits, one after the other. What has been taken makes room for others in the same memory. */
export class WordWriter {
  #words = new Uint32Array(FIRST_WORDS);
  length = 0;

  push(word: number): void {
    if (this.length === this.#words.length) this.#grow();
    this.#words[this.length++] = word;
  }

  /** Forgets what was added beyond this length. */
  cut(length: number): void {
    this.length = length;
  }

  /** The words from here on, until others are added. */
  from(start: number): Uint32Array {
    return this.#words.subarray(start, this.length);
  }

  /** A copy of its own size. */
  take(): Uint32Array {
    const words = this.#words.slice(0, this.length);
    this.length = 0;
    return words;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#words.length * 2);
    larger.set(this.#words);
    this.#words = larger;
  }
}
