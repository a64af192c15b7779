import type { ClientNumbers } from '../core/prepared.js';
import { WordWriter } from './word-writer.js';

/** As many as a usual chunk has clients with two phones each. */
const FIRST_NUMBERS = 2048;

/** Gathers numbers of the clients of a chunk. What has been taken makes room for others in the same memory. */
export class NumberWriter {
  #numbers = new Float64Array(FIRST_NUMBERS);
  #length = 0;
  readonly #ends = new WordWriter();

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length++] = number;
  }

  /** To be called behind the numbers of each client. */
  end(): void {
    this.#ends.push(this.#length);
  }

  /** What was added since this was last called. */
  take(): ClientNumbers {
    const numbers = this.#numbers.slice(0, this.#length);
    this.#length = 0;
    return { numbers, ends: this.#ends.take() };
  }
}

/** Gathers the numbers of clients that are compared with lists; nothing where there are none. */
export class CallableWriter {
  readonly #writer = new NumberWriter();
  #isUsed = false;

  /** Adds the numbers of the next client. */
  add(numbers: readonly number[] | undefined): void {
    if (numbers === undefined && !this.#isUsed) return;
    this.#isUsed = true;
    for (const number of numbers ?? []) this.#writer.push(number);
    this.#writer.end();
  }

  /** What was added since this was last called. */
  take(): ClientNumbers | undefined {
    return this.#isUsed ? this.#writer.take() : undefined;
  }
}
