import { closest, distance } from 'fastest-levenshtein';

/** The known word that was probably meant, if one is near enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const best = closest(word, known);
  const tolerance = Math.max(1, Math.floor(best.length / 3));
  if (distance(word, best) <= tolerance) return best;
  return word.length < 2 ? undefined : known.find((name) => name.startsWith(word));
}
