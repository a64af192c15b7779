import type { ColumnEvidence } from '../../core/table.js';

/** How many values had one look. */
export interface LookCount {
  count: number;
}

/** Counts what the values of a column look like, as rows are mapped. It changes nothing about any row. */
export class Watch {
  #values = 0;
  readonly #looks = new Map<string, LookCount>();

  constructor(
    private readonly column: string | null,
    private readonly kind: ColumnEvidence['kind'],
  ) {}

  /** A value went by. */
  see(): void {
    this.#values++;
  }

  /** It looks like this. */
  look(like: string): void {
    this.counterOf(like).count++;
  }

  /** The same for a look that nearly all values have: one is added to it for each. */
  counterOf(like: string): LookCount {
    let known = this.#looks.get(like);
    if (known === undefined) this.#looks.set(like, (known = { count: 0 }));
    return known;
  }

  /** What was seen so far, which is then forgotten; `null` when nothing was. */
  take(): ColumnEvidence | null {
    if (this.#values === 0) return null;
    const { column, kind } = this;
    const looks: Record<string, number> = {};
    for (const [like, known] of this.#looks) {
      if (known.count > 0) looks[like] = known.count;
      known.count = 0;
    }
    const taken = { column, kind, values: this.#values, looks };
    this.#values = 0;
    return taken;
  }
}
