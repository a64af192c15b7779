/** Longest text of a cell, by the limits of Excel. */
const CELL_LENGTH = 32_767;

/** Characters that XML cannot hold or changes, and texts that would be taken for an escaped character. */
const ESCAPED = /(?![\t\n])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu;

/** Quick test for what may have to be escaped; most texts have none of it. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const SPECIAL = /[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff&<>_]/;

/** The text as a workbook stores it: `_xHHHH_` for what XML cannot hold, cut to what Excel can open. */
export function xlsxText(text: string): string {
  const fitting = text.length > CELL_LENGTH ? `${text.slice(0, CELL_LENGTH - 1)}…` : text;
  return fitting.replace(ESCAPED, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `_x${code}_`;
  });
}

/** The same as character data of XML. */
export function xmlText(text: string): string {
  if (text.length <= CELL_LENGTH && !SPECIAL.test(text)) return text;
  return xlsxText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
