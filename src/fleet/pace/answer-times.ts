/** How long a permit rests at most after its request left, where the answer is slow in coming, in milliseconds. */
const LONGEST_MS = 500;
/** On average it is no more than this: permits that rest are not used. */
const AVERAGE_MS = 35;
const MAX_SAVED_MS = 10_000;
/** What was quickest once may not be any more. */
const FORGET = 1.0001;

/**
 * When requests were on the contact center's books, as far as it shows here: as much later than they left as their answer
 * took longer than the quickest answer to a request like it. A stall is counted in full, answers that always differ are not.
 */
export class AnswerTimes {
  readonly #quickest = new Map<number, number>();
  #saved = MAX_SAVED_MS;

  /** It counts as having left by then at the latest. */
  latest(left: number): number {
    return left + LONGEST_MS;
  }

  /** When it counts as having left. */
  counted(clients: number, left: number, answered: number): number {
    const kind = Math.ceil(Math.log2(clients + 1));
    const took = answered - left;
    const quickest = Math.min((this.#quickest.get(kind) ?? took) * FORGET, took);
    this.#quickest.set(kind, quickest);
    const later = Math.min(took - quickest, LONGEST_MS, this.#saved);
    this.#saved = Math.min(MAX_SAVED_MS, this.#saved - later + AVERAGE_MS);
    return left + later;
  }
}
