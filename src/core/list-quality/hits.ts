/** Rows that are named as examples of what a check counts. */
export const EXAMPLES = 3;

/** Where a row stands. */
export interface CheckedPlace {
  readonly input: number;
  readonly sheet: string | null;
  readonly row: number;
}

/** How many rows of a list are so as a check looks for, and the first of them. */
export interface HitCount {
  hits: number;
  readonly examples: CheckedPlace[];
}

export const noHits = (): HitCount => ({ hits: 0, examples: [] });

/** Counts a row. */
export function addHit(count: HitCount, place: CheckedPlace): void {
  count.hits++;
  if (count.examples.length < EXAMPLES) count.examples.push(place);
}

/** Adds what was counted of later rows. */
export function addHits(count: HitCount, more: HitCount): void {
  count.hits += more.hits;
  for (const place of more.examples)
    if (count.examples.length < EXAMPLES) count.examples.push(place);
}
