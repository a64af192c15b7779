import { headerName, type Cell } from '../core/table.js';
import { InputError } from '../core/errors.js';
import { columnLetters } from './rows.js';
import { traitsOf } from './formats.js';

/** Columns that a rejects file adds. */
const ADDED_COLUMNS = 2;
/** How their names begin. */
const OWN = 'cardline:';

/** Where the header stands. */
export interface HeaderPlace {
  readonly file: string;
  /** Name of the sheet; `null` where the format has none. */
  readonly sheet: string | null;
  /** Row number as the person sees it. */
  readonly row: number;
  readonly format: string;
  /** Line of the text file, where there is one. See `LineCounter` in `lines.ts`. */
  readonly line?: number | undefined;
}

/**
 * The column names of a header row, without surrounding white space. A column without a name, or with one that stands
 * twice, goes by its letter. Empty cells at the end are left out where the format does not store them.
 * @param used columns that the mapping uses: none of their names may stand twice
 * @throws InputError when there is no name, one that is used stands twice, or the format has no room for the columns of
 * rejects
 */
export function readHeader(
  cells: readonly Cell[],
  place: HeaderPlace,
  used: readonly string[] = [],
): string[] {
  const names = cells.map(cleanName);
  const { storesEmptyCells, maxColumns } = traitsOf(place.format);
  if (!storesEmptyCells) while (names.at(-1) === '') names.pop();
  if (names.every((name) => name === '')) throw noHeader(place);
  refuseFullSheet(names, maxColumns - ADDED_COLUMNS, place);
  const firstSeen = new Map<string, number>();
  names.forEach((name, index) => {
    const first = firstSeen.get(name);
    if (first !== undefined && name !== '' && used.includes(name))
      throw duplicateHeader(first, index, place);
    if (first === undefined) firstSeen.set(name, index);
  });
  return distinctNames(names);
}

/** The names of a header, with the letter of the column where one is missing or stands twice. */
export function distinctNames(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isOwn = (name: string): boolean => name !== '' && counts.get(name) === 1;
  return names.map((name, index) => {
    if (isOwn(name)) return name;
    const letter = columnLetters(index);
    // A letter may be the name of another column.
    return counts.has(letter) ? `${letter} (${index + 1})` : letter;
  });
}

/** The error for a file or sheet that has no row where its header should be. */
export function noHeader(place: HeaderPlace): InputError {
  const reason = 'there is no header here: the row is empty or missing. Check headerRow.';
  return new InputError('no_header', reason, inputPlace(place));
}

/**
 * The error for a header that was found below rows of data, which would be left out.
 * @param above numbers of the first and the last one of them, and how many they are
 */
export function rowsAboveHeader(
  { first, last, count }: { readonly first: number; readonly last: number; readonly count: number },
  place: HeaderPlace,
): InputError {
  const rows = count === 1 ? `row ${first}` : `${count} rows (${first} to ${last})`;
  const reason =
    `${rows} above the header in row ${place.row} look like the rows below it, and would be left out. Put the header ` +
    `above them. To leave them out, name its row: "source: { headerRow: ${place.row} }" in the mapping. ` +
    'Where no row is a header: "source: { headerRow: none }".';
  return new InputError('rows_above_header', reason, inputPlace(place));
}

function cleanName(cell: Cell): string {
  return cell === null ? '' : headerName(cell);
}

function refuseFullSheet(names: readonly string[], max: number, place: HeaderPlace): void {
  if (names.length <= max) return;
  const count = names.filter((name) => !name.startsWith(OWN)).length;
  if (count <= max) return;
  const reason = `the header has ${count} columns, and more than ${max} leave no room to mark rejected rows. Remove columns that are not needed.`;
  throw new InputError('too_many_columns', reason, inputPlace(place));
}

// Errors leave the names out: in a file without a header they would be a person's data.
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
