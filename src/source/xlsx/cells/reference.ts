const LETTERS = 26;
const BEFORE_A = 0x40;
const REFERENCE = /^\$?([A-Z]{1,3})\$?([0-9]{1,7})$/i;

/** A cell's place: row from 1, column from 0; `null` when the text is no reference. Upper bounds are not checked. */
export function parseReference(text: string): { row: number; column: number } | null {
  const match = REFERENCE.exec(text);
  if (match === null) return null;
  const [, letters = '', digits = ''] = match;
  let column = 0;
  for (const letter of letters.toUpperCase())
    column = column * LETTERS + letter.charCodeAt(0) - BEFORE_A;
  return { row: Number(digits), column: column - 1 };
}
