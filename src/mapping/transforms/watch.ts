import type { ColumnEvidence } from '../../core/table/evidence.js';

/** Counts what the values of a column look like, as rows are mapped. It changes nothing about any row. */
export class Watch {
  #values = 0;
  readonly #looks = new Map<string, number>();
  /** The look that was seen last, which is nearly always seen again, and how often since it is no part of the counts. */
  #last = '';
  #again = 0;

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
    if (like !== this.#last) {
      this.#count();
      this.#last = like;
    }
    this.#again++;
  }

  #count(): void {
    if (this.#again > 0)
      this.#looks.set(this.#last, (this.#looks.get(this.#last) ?? 0) + this.#again);
    this.#again = 0;
  }

  /** What was seen so far, which is then forgotten; `null` when nothing was. */
  take(): ColumnEvidence | null {
    if (this.#values === 0) return null;
    this.#count();
    const { column, kind } = this;
    const taken = { column, kind, values: this.#values, looks: Object.fromEntries(this.#looks) };
    this.#values = 0;
    this.#looks.clear();
    return taken;
  }
}
