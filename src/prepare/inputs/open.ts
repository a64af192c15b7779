import { InputError } from '../../core/errors.js';
import type { Warning } from '../../core/quality.js';
import {
  type Cell,
  type Row,
  type SourceInfo,
  type SourceOptions,
  headerName,
  type Source,
  type ReopenOptions,
} from '../../core/table.js';
import { chooseHeader, refuseDataAbove, distinctNames } from '../../source/header.js';
import { isMainThread } from 'node:worker_threads';
import { traitsOf, findFormat, openFound } from '../../source/source.js';

/** Rows of a sheet among which a header is looked for, and sheets that are looked into. */
const MAX = { rows: 50, sheets: 50 } as const;
/** Names that a message lists. */
const MAX_LISTED = 10;

interface Table {
  readonly path: string;
  readonly name: string;
  readonly options: SourceOptions;
  readonly info: SourceInfo;
  /** Columns of the first sheet. */
  readonly header: readonly string[];
  readonly hasHeader: boolean;
  /** Row number of its header. */
  readonly headerRow: number;
  /** Whether it was found by what the rows hold, and not named. */
  readonly isFound: boolean;
}

/** Last row of the header in each further sheet that is read, by the name of the sheet; 0 where it has none. */
type SheetHeaders = ReadonlyMap<string, number>;

/**
 * Finds the header in each further sheet that is read with the first one.
 * @throws InputError where a sheet has other columns: its rows would be read by the wrong ones
 */
export async function furtherHeaders(table: Table): Promise<SheetHeaders> {
  const found = new Map<string, number>();
  for (const sheet of table.info.sheets.slice(1)) {
    const rows = await firstRows(table, sheet);
    const at = table.hasHeader ? headerRowIn(rows, table.header) : 0;
    if (at === undefined && rows.length > 0 && !isData(rows)) throw otherColumns(table, sheet);
    const header = at ?? 0;
    if (table.isFound)
      refuseDataAbove(
        rows.filter(({ row }) => row < header),
        rows.filter(({ row }) => row > header),
        { file: table.name, format: table.info.format, sheet, row: header },
      );
    found.set(sheet, header);
  }
  return found;
}

/** Whether rows are such as stand below a header, and none of them is one. */
const isData = (rows: readonly Row[]): boolean =>
  chooseHeader(rows).rows.length === 0 && rows.length > 1;

/** What a cell looks like: `15 Jan` as `0 a`. */
const shapeOf = (cell: Cell | undefined): string =>
  (cell ?? '')
    .trim()
    .replace(/\d+/g, '0')
    .replace(/\p{L}+/gu, 'a');

/** A column with more shapes of cells than these holds texts of any kind. */
const MAX_SHAPES = 2;

/** Whether the rows of a sheet without a header look, column by column, like those of the list. */
function goesOn(rows: readonly Row[], list: readonly Row[], width: number): boolean {
  if (rows.some(({ cells }) => cells.length > width)) return false;
  const shapesOf = (of: readonly Row[], at: number): Set<string> =>
    new Set(of.map(({ cells }) => shapeOf(cells[at])).filter((shape) => shape !== ''));
  let fit = 0;
  for (let at = 0; at < width; at++) {
    const [of, its] = [shapesOf(list, at), shapesOf(rows, at)];
    if ([...its].some((shape) => of.has(shape))) fit++;
    else if (its.size > 0 && of.size <= MAX_SHAPES) return false;
  }
  return fit > width / 2;
}

/** Whether a sheet can be named beside others, in a command that is pasted. */
const isNameable = (name: string): boolean =>
  /^[^",;$`\\!-][^",;$`\\!]*$/.test(name) && name.trim() === name;

/** A sheet in a list of several: by its name, else by its number; `null` where another one has that number for a name. */
function sheetWord(name: string, tabs: readonly string[]): string | null {
  if (isNameable(name)) return name;
  const number = String(tabs.indexOf(name) + 1);
  return tabs.includes(number) ? null : number;
}

/** What stands for every visible sheet, where no sheet has that name. */
const ALL = 'all';

/** Where a list goes on that is not read to its end. */
export interface Continuation {
  /** Visible sheets with the same columns which are not read. */
  readonly sheets: readonly string[];
  /** Whether all visible sheets can be named at once. */
  readonly isAll: boolean;
  /** The sheets of the list by their names, for `sheet`; `null` where one of them cannot be named so. */
  readonly named: string | null;
}

/** The value of `sheet` that reads a list to its end; `undefined` where nothing names its sheets. */
export const wholeList = ({ isAll, named }: Continuation): string | undefined =>
  isAll ? ALL : (named ?? undefined);

/** The sheets on which the list goes on; `undefined` where there are none. */
export async function continuationOf(table: Table): Promise<Continuation | undefined> {
  const { info, header, hasHeader, headerRow } = table;
  const { sheets, otherSheets = [], hiddenSheets = [], tabs = [] } = info;
  if (!hasHeader) return undefined;
  let list: readonly Row[] | undefined;
  const same: string[] = [];
  for (const sheet of otherSheets.slice(0, MAX.sheets)) {
    if (hiddenSheets.includes(sheet)) continue;
    const rows = await firstRows(table, sheet);
    let isSame = headerRowIn(rows, header) !== undefined;
    if (!isSame && isData(rows)) {
      list ??= (await firstRows(table, sheets[0] ?? '')).filter(({ row }) => row > headerRow);
      isSame = goesOn(rows, list, header.length);
    }
    if (isSame) same.push(sheet);
  }
  if (same.length === 0) return undefined;
  const words = [...sheets, ...same].map((name) => sheetWord(name, tabs));
  // All visible ones would be taken: one with other columns is refused then.
  const areAllVisible = same.length === otherSheets.length - hiddenSheets.length;
  return {
    sheets: same,
    // A sheet of that name would be the one that is taken.
    isAll: areAllVisible && !tabs.some((name) => name.toLowerCase() === ALL),
    named: words.includes(null) ? null : words.join(','),
  };
}

function howToTake({ isAll, named }: Continuation): string {
  if (named === null)
    return isAll
      ? 'Take all with --sheet all.'
      : 'Give them other names, and take them with --sheet.';
  return isAll
    ? `Take all with --sheet all, or name them: --sheet "${named}".`
    : `Take them with --sheet "${named}".`;
}

/** What is to be said of the sheets that are not read: those with the same columns, and hidden ones. */
export async function noticesOfSheets(table: Table): Promise<Warning[]> {
  const { name, info } = table;
  const { hiddenSheets = [] } = info;
  const further = await continuationOf(table);
  const notices: Warning[] = [];
  if (further) {
    const { sheets: same } = further;
    const advice = howToTake(further);
    notices.push({
      message:
        `${name}: the list goes on: ${wordOf(same)} ${listed(same)} with the same columns ${same.length === 1 ? 'is' : 'are'} ` +
        `not read. ${advice}`,
      observation: 'doubt',
    });
  }
  if (hiddenSheets.length > 0)
    notices.push({
      message:
        `${name}: ${hiddenSheets.length} hidden ${wordOf(hiddenSheets)} ${hiddenSheets.length === 1 ? 'is' : 'are'} not read: ` +
        `${listed(hiddenSheets)}. Take one with --sheet and its name.`,
      observation: 'note',
    });
  return notices;
}

/** The rows without the headers of further sheets, and what stands above them. */
export async function* withoutHeaders(
  batches: AsyncIterable<readonly Row[]>,
  headers: SheetHeaders,
): AsyncGenerator<readonly Row[], void, undefined> {
  const isData = ({ row, sheet }: Row): boolean => row > (headers.get(sheet ?? '') ?? 0);
  for await (const rows of batches) yield rows.every(isData) ? rows : rows.filter(isData);
}

/** Number of the row that has the same names in the same order; `undefined` where there is none. */
function headerRowIn(rows: readonly Row[], header: readonly string[]): number | undefined {
  const names = header.map(headerName);
  return rows.find(({ cells }) => {
    if (cells.length > names.length || cells.every((cell) => !cell)) return false;
    // As those of the first sheet: columns without a name, and those of the same one, are told apart.
    const its = distinctNames(names.map((_, at) => headerName(cells[at] ?? '')));
    return names.every((name, at) => its[at] === name);
  })?.row;
}

async function firstRows({ path, options }: Table, sheet: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  try {
    const { allSheets: _, ...others } = options;
    const source = await openWithinLimits(path, { ...others, sheet });
    for await (const batch of source.batches()) {
      rows.push(...batch);
      if (rows.length >= MAX.rows) break;
    }
  } catch (error) {
    // A sheet that is broken is refused where it is read; one that is not does no harm.
    if (!(error instanceof InputError)) throw error;
  }
  return rows.slice(0, MAX.rows);
}

function otherColumns({ name, info }: Table, sheet: string): InputError {
  const [first = ''] = info.sheets;
  const reason =
    `sheet "${sheet}" has other columns than "${first}". Name the sheets that belong together with --sheet, ` +
    `separated by commas, or import each with a mapping of its own.`;
  return new InputError('other_columns', reason, { file: name, sheet });
}

const wordOf = ({ length }: readonly string[]): string => (length === 1 ? 'sheet' : 'sheets');

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map((name) => `"${name}"`);
  if (names.length > MAX_LISTED) shown.push(`${names.length - MAX_LISTED} more`);
  return shown.join(', ');
}

/**
 * Opens a spreadsheet file as `openSource` does. On the thread of the program, what is read into memory whole is read in
 * a thread of its own: an enormous file, or one that is made to harm, does not end the program.
 * @throws InputError, UsageError as `openSource` does; InputError `too_much_memory`
 */
export async function openWithinLimits(file: string, options: ReopenOptions = {}): Promise<Source> {
  const found = await findFormat(file);
  if (!traitsOf(found.format).isReadWhole || !isMainThread) return openFound(found, options);
  const { openInThread } = await import('./source-thread.js');
  return openInThread(file, options);
}
