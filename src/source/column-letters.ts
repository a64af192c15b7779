const LETTERS = 26;
const BEFORE_A = 0x40;

/** Letters of a column from 0, as a spreadsheet program shows them: `A`, `Z`, `AA`, …, `XFD`. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / LETTERS))
    letters = String.fromCharCode(BEFORE_A + 1 + ((rest - 1) % LETTERS)) + letters;
  return letters;
}
