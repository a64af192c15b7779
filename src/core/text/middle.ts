/** A text of at most `width` characters: what is left out of a longer one is its middle. */
export function shortenedInMiddle(text: string, width: number): string {
  const signs = Array.from(text);
  if (signs.length <= width) return text;
  const kept = Math.max(0, width - 1);
  const end = Math.floor(kept / 2);
  const last = end === 0 ? [] : signs.slice(-end);
  return [...signs.slice(0, kept - end), '…', ...last].join('');
}
