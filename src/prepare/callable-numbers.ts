import type { CallableNumbers } from '../core/client/prepared.js';
import { WordWriter } from './word-writer.js';

const WORD = 2 ** 32;

/** Gathers the numbers of clients, each as two words; nothing where no client was compared with lists. */
export class CallableWriter {
  readonly #words = new WordWriter();
  readonly #ends = new WordWriter();
  #isUsed = false;

  /** Adds the numbers of the next client. */
  add(numbers: readonly number[] | undefined): void {
    if (numbers === undefined && !this.#isUsed) return;
    this.#isUsed = true;
    for (const number of numbers ?? []) {
      this.#words.push(Math.floor(number / WORD));
      this.#words.push(number % WORD);
    }
    this.#ends.push(this.#words.length / 2);
  }

  /** What was added since this was last called. */
  take(): CallableNumbers | undefined {
    if (!this.#isUsed) return undefined;
    const words = this.#words.take();
    const numbers = new Float64Array(words.length / 2);
    for (let at = 0; at < numbers.length; at++)
      numbers[at] = (words[2 * at] ?? 0) * WORD + (words[2 * at + 1] ?? 0);
    return { numbers, ends: this.#ends.take() };
  }
}
