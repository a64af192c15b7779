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

/**
 * Cells that another delimiter seems to divide, in which none of its signs has a blank beside it as in a sentence, or
 * stands between the digits of a number; and cells that begin or end with a blank.
 */
const UNCLEAN = /^ | $|[^\s;];(?=[^\s;])|\t|\S\|(?=\S)|[^\s\d],(?=\S)|,(?=[^\s\d])/;

/** Share of the filled cells that look like a cell, and not like several, from 0 to 1. */
export function cleanness(records: readonly (readonly string[])[]): number {
  let filled = 0;
  let clean = 0;
  // Where each cell but the first begins with a blank, it belongs to the delimiter.
  const isPadded = records.every((cells) => cells.slice(1).every((cell) => /^(?: |$)/.test(cell)));
  for (const cells of records)
    for (const cell of cells) {
      const text = isPadded ? cell.trim() : cell;
      if (text.trim() === '') continue;
      filled++;
      if (text.startsWith('"') || text.startsWith("'") || !UNCLEAN.test(text)) clean++;
    }
  return filled === 0 ? 1 : clean / filled;
}

/** Whether all cells of a line are words, none of them twice. */
export function looksLikeHeader(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const isData = (text: string): boolean => KINDS.slice(0, 5).some((kind) => kind.test(text));
  return names.length >= 2 && new Set(names).size === names.length && !names.some(isData);
}
