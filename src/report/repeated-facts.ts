import type { Repeated } from '../core/duplicates.js';

/** Counts of rows that repeat others, each with a label and a note; zeros are left out. */
export function repeatedFacts({
  identifiers,
  cards,
}: Repeated): (readonly [label: string, rows: number, note: string])[] {
  return [
    ['repeated identifiers', identifiers, 'identifiers that an earlier row has, too'] as const,
    ['shared cards', cards, "identifiers that belong to an earlier row's card"] as const,
  ].filter(([, rows]) => rows > 0);
}
