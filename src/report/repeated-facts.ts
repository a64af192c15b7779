import type { Repeated } from '../core/duplicates/repeated.js';

/** What there is to say of rows that repeat others, as a label, a count and a note; nothing where there are none. */
export function repeatedFacts({
  identifiers,
  cards,
}: Repeated): (readonly [label: string, rows: number, note: string])[] {
  return [
    ['repeated identifiers', identifiers, 'identifiers that stand in an earlier row, too'] as const,
    ['shared cards', cards, "identifiers that belong to an earlier row's card"] as const,
  ].filter(([, rows]) => rows > 0);
}
