import { InputError } from '../core/errors.js';
import type { Cell, Row } from '../core/row.js';

/** Columns of a workbook that leave room for the two that a rejects file adds. */
const MOST_COLUMNS = 16_382;
/** How the names of those two begin. */
const OWN = 'cardline:';

/** Where the header stands. */
export interface HeaderPlace {
  readonly file: string;
  /** Name of the sheet; `null` for CSV. */
  readonly sheet: string | null;
  /** Row number as the person sees it. */
  readonly row: number;
  readonly format: 'csv' | 'xlsx';
  /** Line of the text file, where there is one. See `LineCounter`. */
  readonly line?: number | undefined;
}

/**
 * The column names of a header row, without surrounding white space.
 * Empty cells at the end of a workbook's header are left out; in CSV every field needs a name.
 * @throws InputError when a name is missing or stands twice, or a workbook has no room for two more columns
 */
export function readHeader(cells: readonly Cell[], place: HeaderPlace): string[] {
  const names = cells.map(cleanName);
  if (place.format === 'xlsx') while (names.at(-1) === '') names.pop();
  if (names.length === 0) throw noHeader(place);
  if (place.format === 'xlsx') refuseFullSheet(names, place);
  const firstSeen = new Map<string, number>();
  names.forEach((name, index) => {
    if (name === '') throw emptyHeader(index, place);
    const first = firstSeen.get(name);
    if (first !== undefined) throw duplicateHeader(first, index, place);
    firstSeen.set(name, index);
  });
  return names;
}

/** The error for a file or sheet that has no row where its header should be. */
export function noHeader(place: HeaderPlace): InputError {
  const reason = 'there is no header here: the row is empty or missing. Check headerRow.';
  return new InputError('no_header', reason, inputPlace(place));
}

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

/** Puts the characters of a text of up to a block into `characters`: an array tells them faster. Returns their number. */
function copyCharacters(text: string): number {
  if (text.length >= LONG) return bytes.write(text, 'utf16le') / 2;
  for (let at = 0; at < text.length; at++) characters[at] = text.charCodeAt(at);
  return text.length;
}

/** Name of a column as a spreadsheet program shows it: 1 is `A`, 27 is `AA`. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

function cleanName(cell: Cell): string {
  // trim() takes a stray byte order mark along.
  return cell === null ? '' : cell.trim();
}

function refuseFullSheet(names: readonly string[], place: HeaderPlace): void {
  if (names.length <= MOST_COLUMNS) return;
  const count = names.filter((name) => !name.startsWith(OWN)).length;
  if (count <= MOST_COLUMNS) return;
  const reason = `the header has ${count} columns, and more than ${MOST_COLUMNS} leave no room to mark rejected rows. Remove columns that are not needed.`;
  throw new InputError('too_many_columns', reason, inputPlace(place));
}

// The names themselves are not told: in a file without a header they would be a person's data.
function emptyHeader(index: number, place: HeaderPlace): InputError {
  const reason = `${columnName(index)} has no name in the header. Give it a name, or remove the column.`;
  return new InputError('empty_header', reason, inputPlace(place, index));
}

function duplicateHeader(first: number, second: number, place: HeaderPlace): InputError {
  const reason = `${columnName(first)} and ${columnName(second)} have the same name in the header. Rename one of them.`;
  return new InputError('duplicate_header', reason, inputPlace(place, second));
}

function columnName(index: number): string {
  return `column ${index + 1} (${columnLetters(index + 1)})`;
}

function inputPlace({ file, sheet, row, line }: HeaderPlace, index?: number) {
  const column = index === undefined ? undefined : columnLetters(index + 1);
  return { file, sheet: sheet ?? undefined, line, row, column };
}
