import { columnLetters, headerName, type Cell, type Row } from '../core/table.js';
import { InputError } from '../core/errors.js';
import { traitsOf } from './source.js';
import { lineBreaks } from './rows.js';

/** Rows from the beginning among which a header is looked for. */
const HEADER_ROWS = 50;
/** Rows that show what kind of data the columns hold. */
export const LOOKED_AT = 2 * HEADER_ROWS;

/** What is known of a header before the rows are read. */
export interface HeaderQuestion {
  /** Row number of the header, or `none`. @default it is found */
  readonly headerRow?: number | 'none' | undefined;
  /** Columns that the header has, where they are known. @default none */
  readonly columns?: readonly string[];
  /** Whether a text is known to be the name of a column. @default of no text */
  readonly isName?: (text: string) => boolean;
}

/** Which rows of a table are its header. */
export interface HeaderChoice {
  /** The header's rows: one, or two that are read as one; none where the table has no header. */
  readonly rows: readonly Row[];
  /** Names of the columns: of two rows, joined; of none, the letters `A`, `B`, …. */
  readonly names: readonly string[];
}

/** Share of the usual number of cells that a header fills at least. */
const FILLED = 0.7;
/** Share of a header's cells that look like data at most. */
const MAX_DATA = 0.25;
/** Share of its cells that stand below again, in the same column, at most. */
const MAX_REPEATED = 0.34;
/** Longest name of a column. */
const NAME_CHARACTERS = 80;

/** Whether so many of the first rows have been read that the header can be chosen among them. */
export function showHeader(rows: readonly Row[], { headerRow }: HeaderQuestion): boolean {
  if (typeof headerRow !== 'number') return rows.length >= LOOKED_AT;
  const last = rows.at(-1);
  return last !== undefined && last.row >= headerRow;
}

/**
 * Which of the first rows of a sheet are its header; `undefined` where the row that is asked for is not among them.
 * Formats that name their columns give the names as row 0, which is the header then whatever is asked for.
 */
export function headerOf(
  rows: readonly Row[],
  { headerRow, columns = [], isName }: HeaderQuestion,
): HeaderChoice | undefined {
  const row = rows[0]?.row === 0 ? 0 : headerRow;
  if (row === 'none') return { rows: [], names: lettersOf(rows) };
  if (row !== undefined) {
    const found = rows.find((one) => one.row === row);
    return found && oneRow(found);
  }
  // Where a row farther up has some of the columns, those between are data: that row is the header, and lacks columns.
  const whole = headerWith(rows, columns);
  const at = rows.findIndex((one) => one === whole?.rows[0]);
  const above = rows
    .slice(0, Math.max(0, at - 1))
    .find(({ cells }) => cells.some((cell) => columns.includes(textOf(cell))));
  return above ? oneRow(above) : (whole ?? chooseHeader(rows, [], isName));
}

const oneRow = (row: Row): HeaderChoice => ({ rows: [row], names: row.cells.map(textOf) });

/**
 * The header of a table: with `wanted`, the first row, or else two rows read as one, that has all of these columns.
 * Without, or where there is none, the first row that looks like a header by its content.
 * @param rows first rows of one sheet, blank ones left out; more than `HEADER_ROWS` show the kind of the columns better
 * @param wanted names of columns that the header has
 */
export function chooseHeader(
  rows: readonly Row[],
  wanted: readonly string[] = [],
  isName: (text: string) => boolean = () => false,
): HeaderChoice {
  return headerWith(rows, wanted) ?? headerByContent(rows, isName);
}

/** The first row, or else two rows read as one, that has all the columns. */
function headerWith(rows: readonly Row[], wanted: readonly string[]): HeaderChoice | undefined {
  if (wanted.length === 0) return undefined;
  const first = rows.slice(0, HEADER_ROWS);
  const hasAll = (names: readonly string[]): boolean =>
    wanted.every((name) => names.includes(name)) ||
    (wanted.some((name) => names.includes(name)) && hasLetters(names));
  // A column without a name of its own is wanted by its letter.
  const hasLetters = (names: readonly string[]): boolean => {
    const distinct = distinctNames(names);
    return wanted.every((name) => names.includes(name) || distinct.includes(name));
  };
  const single = first.map(oneRow).find(({ names }) => hasAll(names));
  if (single) return single;
  const pairs = first.slice(1).map((below, at) => twoRows(first[at] ?? below, below));
  return pairs.find(({ names }) => hasAll(names));
}

/** Names of the columns of a table without a header: letters, as many as most rows have cells, or the longest one. */
export function lettersOf(rows: readonly Row[], of: 'most' | 'longest' = 'longest'): string[] {
  const widths = rows.map(({ cells }) => cells.length);
  const width = of === 'most' ? mostFrequent(widths) : Math.max(0, ...widths);
  return Array.from({ length: width }, (_, column) => columnLetters(column));
}

/** Rows above a header that are enough where no column holds numbers, dates or addresses of e-mail. */
const WORDS_ABOVE = 3;
/** Share of the rows below with data in a column, for it to be a column of data. */
const DATA_COLUMN = 0.8;

/**
 * Rows above a header that look like the rows below it: as many cells, and data in the columns that have data below.
 * What a preface holds, such as a title or a name with its value, does not.
 */
export function dataAbove(above: readonly Row[], below: readonly Row[]): Row[] {
  const width = usualWidth(below);
  if (width < 2 || below.length === 0) return [];
  const columns = columnsOf(below);
  const hasData = columns.some(({ isData }) => isData);
  const alike = above.filter(({ cells }) => {
    if (filledOf(cells) < Math.max(2, FILLED * width)) return false;
    return columns.every(({ at, isData }) => {
      const text = textOf(cells[at]);
      return text === '' || (isData ? looksLikeData(text) : hasData || !looksLikeData(text));
    });
  });
  const isEnough = hasData || (width > 2 && alike.length >= WORDS_ABOVE);
  return isEnough ? alike : [];
}

/** @throws InputError where rows above a header look like those below: they would be left out. @param place of the header */
export function refuseDataAbove(
  above: readonly Row[],
  below: readonly Row[],
  place: HeaderPlace,
): void {
  const found = dataAbove(above, below);
  const [first, last = first] = [found[0], found.at(-1)];
  if (!first || !last) return;
  const rows =
    found.length === 1 ? `row ${first.row}` : `${found.length} rows (${first.row} to ${last.row})`;
  const reason =
    `${rows} above the header in row ${place.row} look like the rows below it, and would be left out. Put the header ` +
    `above them. To leave them out, name its row: "source: { headerRow: ${place.row} }" in the mapping. ` +
    'Where no row is a header: "source: { headerRow: none }".';
  throw new InputError('rows_above_header', reason, inputPlace(place));
}

/** The columns of rows, and whether each holds numbers, dates or addresses of e-mail. */
function columnsOf(rows: readonly Row[]): { readonly at: number; readonly isData: boolean }[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, at) => {
    const cells = textsOf(rows.map((row) => row.cells[at] ?? null));
    const data = cells.filter(looksLikeData).length;
    return { at, isData: cells.length > 0 && data >= DATA_COLUMN * cells.length };
  });
}

function headerByContent(rows: readonly Row[], isName: (text: string) => boolean): HeaderChoice {
  const width = usualWidth(rows);
  const none = { rows: [], names: lettersOf(rows) };
  for (const [at, row] of rows.slice(0, HEADER_ROWS).entries()) {
    const below = rows.slice(at + 1);
    if (filledOf(row.cells) < FILLED * width) continue;
    if (!looksLikeNames(row.cells) && !hasNames(row.cells, below, isName))
      return headerAmongData(rows.slice(at, LOOKED_AT), width, HEADER_ROWS - at) ?? none;
    const second = below[0];
    if (second && isSecondHeaderRow(row, second, below.slice(1))) return twoRows(row, second);
    const above = rows[at - 1];
    if (above && isGroupRow(above, row)) return twoRows(above, row);
    return repeatsBelow(row.cells, withoutRepetitions(row, below)) ? none : oneRow(row);
  }
  return none;
}

/** The rows without those that repeat a header, which the rows with data in its columns tell from a row that stands twice. */
function withoutRepetitions(row: Row, below: readonly Row[]): readonly Row[] {
  const others = below.filter((other) => !isSame(other, row));
  const isHeader = columnsOf(others).some(
    ({ at, isData }) =>
      isData && textOf(row.cells[at]) !== '' && !looksLikeData(textOf(row.cells[at])),
  );
  return isHeader ? others : below;
}

const isSame = (one: Row, other: Row): boolean =>
  one.cells.length === other.cells.length &&
  one.cells.every((cell, column) => textOf(cell) === textOf(other.cells[column]));

/** Columns of data that have words in a row, and data above and below it, for that row to be a header. */
const MIN_DATA_COLUMNS = 2;
/** Rows of data above such a row: below a single one it may as well be a row of data without values. */
const MIN_DATA_ABOVE = 2;
/** What stands for a value that is not there, and names no column. */
const NOTHING =
  /^(?:[-–—?.*]+|n\/?a|none|null|nil|unknown|empty|tbd|нет|неизвестно|пусто|keine|unbekannt|leer|aucun|inconnu|ninguno|desconocido|nenhum|desconhecido|nessuno|sconosciuto|brak|nieznany|yok|geen|onbekend)$/i;

/**
 * A header that rows were put above: the one row with names alone, where columns hold data above and below it, and none of
 * its names stands in its column again but where the whole header does.
 * @param last so many of the rows may be the header
 */
function headerAmongData(
  rows: readonly Row[],
  width: number,
  last: number,
): HeaderChoice | undefined {
  const found = rows.slice(1, last).filter((row) => {
    const names = textsOf(row.cells).filter((name) => !NOTHING.test(name));
    const isHeader = names.length >= FILLED * width && new Set(names).size === names.length;
    return isHeader && dataShare(row.cells) === 0 && looksLikeNames(row.cells);
  });
  const [row] = found;
  if (!row || !found.every((other) => isSame(other, row))) return undefined;
  const at = rows.indexOf(row);
  const [above, below] = [rows.slice(0, at), withoutRepetitions(row, rows.slice(at + 1))];
  const data = columnsOf(below).filter(({ isData }) => isData);
  const areNamed = data.every((column) => textOf(row.cells[column.at]) !== '');
  const isRepeated = repeats(row.cells, [...above, ...below]) > 0;
  return areNamed &&
    !isRepeated &&
    data.length >= MIN_DATA_COLUMNS &&
    dataAbove(above, below).length >= MIN_DATA_ABOVE
    ? oneRow(row)
    : undefined;
}

/** Known names in a row that make a header of it: so many, or a third of it. */
const KNOWN = { many: 3, few: 2, share: 1 / 3 } as const;

/** Whether cells are known names of columns that stand nowhere below, whatever the other cells are. */
function hasNames(
  cells: readonly Cell[],
  below: readonly Row[],
  isName: (text: string) => boolean,
): boolean {
  const named = cells.map((cell) => (isName(textOf(cell)) ? cell : null));
  const known = filledOf(named);
  const isEnough = known >= KNOWN.few && known >= KNOWN.share * filledOf(cells);
  return (known >= KNOWN.many || isEnough) && repeats(named, below) === 0;
}

function twoRows(upper: Row, lower: Row): HeaderChoice {
  return { rows: [upper, lower], names: joined(upper.cells, lower.cells) };
}

/** The names of two rows, the upper one of groups: `Address` over `City` and `Street`. */
function joined(upper: readonly Cell[], lower: readonly Cell[]): string[] {
  const names: string[] = [];
  let group = '';
  for (let column = 0; column < Math.max(upper.length, lower.length); column++) {
    const above = textOf(upper[column]);
    const own = textOf(lower[column]);
    // A group goes on over the empty cells beside it, as merged cells are stored, unless nothing stands below them.
    if (above !== '') group = above;
    else if (own === '') group = '';
    names.push([group, own].filter((name) => name !== '').join(' '));
  }
  return names;
}

/** A row of groups over names: fewer cells, with gaps, at least two of them. */
function isGroupRow(above: Row, names: Row): boolean {
  const filled = filledOf(above.cells);
  return (
    above.row === names.row - 1 &&
    filled >= 2 &&
    filled < filledOf(names.cells) &&
    looksLikeNames(above.cells)
  );
}

/** Gaps of a header that a row below fills when it is the names of the columns under groups. */
const MIN_GAPS = 2;

/** More names right below a header that has gaps or names that stand twice; below both, the columns hold data. */
function isSecondHeaderRow(first: Row, second: Row, below: readonly Row[]): boolean {
  const names = textsOf(first.cells);
  const isWhole = names.length >= filledOf(second.cells) && new Set(names).size === names.length;
  // Names under the gaps of a row of groups, and none under some of its names.
  const gaps = second.cells.filter(
    (cell, column) => textOf(cell) !== '' && textOf(first.cells[column]) === '',
  );
  const isOpen = first.cells.some(
    (cell, column) => textOf(cell) !== '' && textOf(second.cells[column]) === '',
  );
  const isUnderGroups = gaps.length >= MIN_GAPS && isOpen && !repeatsBelow(second.cells, below);
  return (
    (!isWhole || isUnderGroups) &&
    second.row === first.row + 1 &&
    dataShare(second.cells) === 0 &&
    below.slice(0, HEADER_ROWS).some(({ cells }) => dataShare(cells) > 0)
  );
}

function looksLikeNames(cells: readonly Cell[]): boolean {
  const filled = textsOf(cells);
  const others = filled.filter((text, at) => !isNumbered(text, filled[at - 1], filled[at + 1]));
  // A question may be a name; texts in many columns are data.
  const isData = (text: string): boolean => looksLikeData(text) || text.length > NAME_CHARACTERS;
  return others.filter(isData).length <= MAX_DATA * filled.length;
}

const NUMBERED = /^(.*?)(\d{1,4})$/;

/** Whether a name goes on counting where that beside it ends, or goes on itself there: `c1`, `c2`. */
function isNumbered(text: string, ...beside: readonly (string | undefined)[]): boolean {
  const [, name = '', number = ''] = NUMBERED.exec(text) ?? [];
  if (!/\p{L}/u.test(name)) return false;
  return beside.some((other) => {
    const [, same, next] = NUMBERED.exec(other ?? '') ?? [];
    return same === name && Math.abs(Number(next) - Number(number)) === 1;
  });
}

const repeatsBelow = (cells: readonly Cell[], below: readonly Row[]): boolean =>
  repeats(cells, below) > MAX_REPEATED * filledOf(cells);

/** How many of the cells stand in their column in other rows as well. */
function repeats(cells: readonly Cell[], others: readonly Row[]): number {
  return cells.filter(
    (cell, column) => textOf(cell) !== '' && others.some((row) => row.cells[column] === cell),
  ).length;
}

/** Share of the filled cells that are no words: numbers, dates, addresses of e-mail. */
function dataShare(cells: readonly Cell[]): number {
  const filled = textsOf(cells);
  return filled.length === 0 ? 0 : filled.filter(looksLikeData).length / filled.length;
}

const EMAIL = /^\S+@\S+\.\S+$/;

function looksLikeData(text: string): boolean {
  if (EMAIL.test(text)) return true;
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  return digits > 0 && digits * 2 > text.replaceAll(/[\s().,:/+-]/g, '').length;
}

const usualWidth = (rows: readonly Row[]): number =>
  mostFrequent(rows.map(({ cells }) => filledOf(cells)));

function mostFrequent(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const [usual] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  return usual?.[0] ?? 0;
}

const filledOf = (cells: readonly Cell[]): number => textsOf(cells).length;
const textOf = (cell: Cell | undefined): string => (cell ? headerName(cell) : '');
/** The texts of the cells that are not empty. */
const textsOf = (cells: readonly Cell[]): string[] =>
  cells.map(textOf).filter((text) => text !== '');

/** Columns that a rejects file adds. */
const ADDED_COLUMNS = 2;
/** How their names begin. */
const OWN = 'cardline:';

interface HeaderPlace {
  readonly file: string;
  /** Name of the sheet; `null` where the format has none. */
  readonly sheet: string | null;
  /** Row number as the person sees it. */
  readonly row: number;
  readonly format: string;
  /** Line of the text file, where there is one. See `LineCounter`. */
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
  const names = cells.map(textOf);
  const { storesEmptyCells, maxColumns } = traitsOf(place.format);
  if (!storesEmptyCells) while (names.at(-1) === '') names.pop();
  if (names.every((name) => name === '')) throw noHeader(place);
  const max = maxColumns - ADDED_COLUMNS;
  const count = names.length <= max ? 0 : names.filter((name) => !name.startsWith(OWN)).length;
  const reason = `the header has ${count} columns, and more than ${max} leave no room to mark rejected rows. Remove columns that are not needed.`;
  if (count > max) throw new InputError('too_many_columns', reason, inputPlace(place));
  const firstSeen = new Map<string, number>();
  names.forEach((name, index) => {
    const first = firstSeen.get(name);
    if (first !== undefined && name !== '' && used.includes(name)) {
      // Errors leave the names out: in a file without a header they would be a person's data.
      const nameOf = (at: number): string => `column ${at + 1} (${columnLetters(at)})`;
      const same = `${nameOf(first)} and ${nameOf(index)} have the same name in the header. Rename one of them.`;
      throw new InputError('duplicate_header', same, inputPlace(place, index));
    }
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

function inputPlace({ file, sheet, row, line }: HeaderPlace, index?: number) {
  const column = index === undefined ? undefined : columnLetters(index);
  return { file, sheet: sheet ?? undefined, line, row, column };
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
