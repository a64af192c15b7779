import type { Row } from '../core/table.js';

/** Physical lines of a text file, followed along with its rows: a newline inside a cell starts a line but no row. */
export class LineCounter {
  #inner = 0;

  /** Line on which the row begins. Give it the rows in order, from the first one. */
  lineOf({ row, cells }: Row): number {
    const line = row + this.#inner;
    for (const cell of cells) if (cell !== null) this.#inner += lineBreaks(cell);
    return line;
  }
}

const LF = 0x0a;
const CR = 0x0d;

/** Characters that are looked at together. */
const BLOCK = 4096;
/** Below this, a call out of the engine takes longer than asking the text for each of its characters. */
const LONG = 64;
const bytes = Buffer.allocUnsafeSlow(2 * BLOCK);
const characters = new Uint16Array(bytes.buffer);

/** How many line breaks a text holds; `\r\n` is one. */
export function lineBreaks(text: string): number {
  // Nearly all cells hold none, which native code sees at once.
  if (!text.includes('\n') && !text.includes('\r')) return 0;
  let breaks = 0;
  let before = 0;
  for (let from = 0; from < text.length; from += BLOCK) {
    const length = copyCharacters(text.slice(from, from + BLOCK));
    for (let at = 0; at < length; at++) {
      const character = characters[at] ?? 0;
      if (character === CR || (character === LF && before !== CR)) breaks++;
      before = character;
    }
  }
  return breaks;
}

/** Copies a text of up to a block into `characters`, which is quicker to index than a text. Returns its length. */
function copyCharacters(text: string): number {
  if (text.length >= LONG) return bytes.write(text, 'utf16le') / 2;
  for (let at = 0; at < text.length; at++) characters[at] = text.charCodeAt(at);
  return text.length;
}
