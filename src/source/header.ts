import { InputError } from '../core/errors.js';
import type { Cell } from '../core/row.js';
import { columnLetters } from './column-letters.js';

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
  return `column ${index + 1} (${columnLetters(index)})`;
}

function inputPlace({ file, sheet, row, line }: HeaderPlace, index?: number) {
  const column = index === undefined ? undefined : columnLetters(index);
  return { file, sheet: sheet ?? undefined, line, row, column };
}
