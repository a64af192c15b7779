/** What the values of a column look like where the mapping expects numbers, dates or text, and what was taken off its cells. */
export interface ColumnEvidence {
  /** Header of the column, or of several with commas. */
  readonly column: string | null;
  readonly kind: 'number' | 'date' | 'text' | 'cells';
  /** Values that were looked at. */
  readonly values: number;
  /** How many of them have a certain look; which looks there are depends on the kind. */
  readonly looks: Readonly<Record<string, number>>;
}

/** Adds up what was seen of columns, chunk by chunk. */
export class EvidenceTally {
  readonly #columns = new Map<string, ColumnEvidence>();

  add(evidence: readonly ColumnEvidence[]): void {
    for (const seen of evidence) {
      const key = JSON.stringify([seen.kind, seen.column]);
      const earlier = this.#columns.get(key);
      this.#columns.set(key, earlier ? sumOf(earlier, seen) : seen);
    }
  }

  list(): ColumnEvidence[] {
    return [...this.#columns.values()];
  }
}

function sumOf(one: ColumnEvidence, other: ColumnEvidence): ColumnEvidence {
  const looks = { ...one.looks };
  for (const [look, count] of Object.entries(other.looks)) looks[look] = (looks[look] ?? 0) + count;
  return { ...one, values: one.values + other.values, looks };
}
