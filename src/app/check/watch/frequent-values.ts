/** A value, and how many rows have it. */
export interface ValueCount {
  /** As it stands in the file; of a long one its beginning. Personal data. */
  readonly value: string;
  readonly rows: number;
  /** Rows in which nothing else is wrong. */
  readonly alone: number;
  /** Whether there may be more such rows: the value was forgotten for a while, to bound memory. */
  readonly isMin: boolean;
}

interface Counted {
  rows: number;
  alone: number;
  /** How many rows may have been forgotten. */
  readonly missed: number;
}

/** Counts values in bounded memory: of too many different ones, the rarest are forgotten. */
export class FrequentValues {
  readonly #values = new Map<string, Counted>();
  #forgotten = 0;

  /** `max`: values that are kept; up to twice as many are at a time. */
  constructor(private readonly max: number) {}

  add(value: string, isAlone: boolean): void {
    let counted = this.#values.get(value);
    if (!counted) {
      if (this.#values.size >= 2 * this.max) this.#forgetRare();
      counted = { rows: 0, alone: 0, missed: this.#forgotten };
      this.#values.set(value, counted);
    }
    counted.rows++;
    if (isAlone) counted.alone++;
  }

  get(value: string): ValueCount | undefined {
    const counted = this.#values.get(value);
    return counted && shown(value, counted);
  }

  /** The most frequent first; equally frequent ones in the order in which they came. */
  top(count: number): ValueCount[] {
    const found: [string, Counted][] = [];
    for (const entry of this.#values) {
      const last = found.at(-1);
      if (found.length === count && last && last[1].rows >= entry[1].rows) continue;
      const at = found.findIndex(([, { rows }]) => rows < entry[1].rows);
      found.splice(at < 0 ? found.length : at, 0, entry);
      if (found.length > count) found.pop();
    }
    return found.map(([value, counted]) => shown(value, counted));
  }

  /** Whether there are, or were, other values than these many. */
  hasMoreThan(count: number): boolean {
    return this.#forgotten > 0 || this.#values.size > count;
  }

  /** A value that comes again may have had as many rows as the most frequent one of those that are forgotten. */
  #forgetRare(): void {
    const rare = [...this.#values].sort(([, a], [, b]) => b.rows - a.rows).slice(this.max);
    for (const [value] of rare) this.#values.delete(value);
    this.#forgotten = Math.max(
      this.#forgotten,
      ...rare.map(([, { rows, missed }]) => rows + missed),
    );
  }
}

const shown = (value: string, { rows, alone, missed }: Counted): ValueCount => ({
  ...{ value, rows, alone, isMin: missed > 0 },
});
