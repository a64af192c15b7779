/** Kinds of cells that a column consists of, the first that fits. */
const KINDS: readonly RegExp[] = [
  /^["']?[+-]?\d+["']?$/,
  /^["']?[+-]?[\d.,]*\d%?["']?$/,
  /^["']?\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[ Tx]\d{1,2}:.*)?["']?$/,
  /^["']?[\d\s()+.x-]{6,}["']?$/,
  /^["']?[^\s@]+@[^\s@]+["']?$/,
  /^["']?[\p{L}\p{M}' .x-]+["']?$/u,
];

/** How much the cells of each column are of one kind, from 0 to 1; empty ones do not count. */
export function likeness(records: readonly (readonly string[])[]): number {
  const width = records[0]?.length ?? 0;
  if (width === 0) return 0;
  let sum = 0;
  for (let column = 0; column < width; column++)
    sum += likenessOf(records.map((cells) => cells[column] ?? ''));
  return sum / width;
}

function likenessOf(cells: readonly string[]): number {
  const kinds = new Map<number, number>();
  let filled = 0;
  for (const cell of cells) {
    const text = cell.trim();
    if (text === '') continue;
    filled++;
    const kind = KINDS.findIndex((pattern) => pattern.test(text));
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return filled === 0 ? 0 : Math.max(...kinds.values()) / filled;
}
