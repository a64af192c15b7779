/** Longest text of a cell, by the limits of Excel. */
const CELL_LENGTH = 32_767;

/** Characters that XML cannot hold or changes, and texts that would be taken for an escaped character. */
const ESCAPED = /(?![\t\n])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu;

/** The text as a workbook stores it: `_xHHHH_` for what XML cannot hold, cut to what Excel can open. */
export function xlsxText(text: string): string {
  const fitting = text.length > CELL_LENGTH ? `${text.slice(0, CELL_LENGTH - 1)}…` : text;
  return fitting.replace(ESCAPED, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `_x${code}_`;
  });
}
