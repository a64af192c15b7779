import type { ColumnEvidence } from '../../core/table/evidence.js';

/** Counts what the values of a column look like, as rows are mapped. It changes nothing about any row. */
export class Watch {
  #values = 0;
  #looks = new Map<string, number>();

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
    this.#looks.set(like, (this.#looks.get(like) ?? 0) + 1);
  }

  /** What was seen so far, which is then forgotten; `null` when nothing was. */
  take(): ColumnEvidence | null {
    if (this.#values === 0) return null;
    const { column, kind } = this;
    const taken = { column, kind, values: this.#values, looks: Object.fromEntries(this.#looks) };
    this.#values = 0;
    this.#looks.clear();
    return taken;
  }
}
