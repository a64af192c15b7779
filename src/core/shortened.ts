/** Longest part of a value that is repeated where the row itself holds it whole, in characters. */
const VALUE_LENGTH = 200;

/** The beginning of a value, with `…` where it goes on. */
export function shortened(value: string): string {
  if (value.length <= VALUE_LENGTH) return value;
  const end = value.slice(0, VALUE_LENGTH);
  // Half of a surrogate pair at the end would become a replacement character.
  return `${/[\uD800-\uDBFF]$/.test(end) ? end.slice(0, -1) : end}…`;
}
