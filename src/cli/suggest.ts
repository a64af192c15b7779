import { closest, distance } from 'fastest-levenshtein';

/** The known word that was probably meant, if one is near enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const best = closest(word, known);
  const tolerance = Math.max(1, Math.floor(best.length / 3));
  return distance(word, best) <= tolerance || isPrefix(word, best) ? best : undefined;
}

function isPrefix(word: string, known: string): boolean {
  return word.length >= 2 && known.startsWith(word);
}
