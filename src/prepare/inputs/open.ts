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
  readonly headerRow: number;
  /** Whether it was found by what the rows hold, and not named. */
  readonly isFound: boolean;
  /** Columns that the mapping uses. @default all */
  readonly columns?: readonly string[];
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
    if (at === undefined && rows.length > 0 && !isData(rows) && !(await goesOn(rows, table))) {
      const [first = ''] = table.info.sheets;
      const reason =
        `sheet "${sheet}" has other columns than "${first}". Name the sheets that belong together with --sheet, ` +
        `separated by commas, or import each with a mapping of its own.`;
      throw new InputError('other_columns', reason, { file: table.name, sheet });
    }
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

/** Whether rows are such as stand below a header, and none of them is one; a single one may be anything. */
const isData = (rows: readonly Row[]): boolean => rows.length > 1 && hasNoHeader(rows);
const hasNoHeader = (rows: readonly Row[]): boolean => chooseHeader(rows).rows.length === 0;

/** What a cell looks like: `15 Jan` as `0 a`. */
const shapeOf = (cell: Cell | undefined): string =>
  (cell ?? '')
    .trim()
    .replace(/\d+/g, '0')
    .replace(/\p{L}+/gu, 'a');

/** A column with more shapes of cells than these holds texts of any kind. */
const MAX_SHAPES = 2;

/** Whether the rows of a sheet have no header, and look, column by column, like those of the list. */
async function goesOn(rows: readonly Row[], table: Table): Promise<boolean> {
  const width = table.header.length;
  if (!hasNoHeader(rows) || rows.some(({ cells }) => cells.length > width)) return false;
  const first = await firstRows(table, table.info.sheets[0] ?? '');
  const list = first.filter(({ row }) => row > table.headerRow);
  const shapesOf = (of: readonly Row[], at: number): Set<string> =>
    new Set(of.map(({ cells }) => shapeOf(cells[at])).filter((shape) => shape !== ''));
  let fit = 0;
  for (let at = 0; at < width; at++) {
    const [of, its] = [shapesOf(list, at), shapesOf(rows, at)];
    // Names are written in many ways: words beside other words say nothing.
    const hasDigits = [...of, ...its].some((shape) => shape.includes('0'));
    if ([...its].some((shape) => of.has(shape))) fit++;
    else if (its.size > 0 && of.size <= MAX_SHAPES && hasDigits) return false;
  }
  return fit > width / 2;
}

/** A sheet in a list of several: by its name, else by its number; `null` where another one has that number for a name. */
function sheetWord(name: string, tabs: readonly string[]): string | null {
  // A command that is pasted can have the name beside others.
  if (/^[^",;$`\\!-][^",;$`\\!]*$/.test(name) && name.trim() === name) return name;
  const number = String(tabs.indexOf(name) + 1);
  return tabs.includes(number) ? null : number;
}

/** What stands for every visible sheet, where no sheet has that name. */
const ALL = 'all';

/** Where a list goes on that is not read to its end. */
interface Continuation {
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
  const { info, header, hasHeader } = table;
  const { sheets, otherSheets = [], hiddenSheets = [], tabs = [] } = info;
  if (!hasHeader) return undefined;
  const same: string[] = [];
  for (const sheet of otherSheets.slice(0, MAX.sheets)) {
    if (hiddenSheets.includes(sheet)) continue;
    const rows = await firstRows(table, sheet);
    if (headerRowIn(rows, header) !== undefined || (await goesOn(rows, table))) same.push(sheet);
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

/** Visible sheets of which a row has the columns of the list, though in another order, in other letters or beside others. */
async function withItsColumns(table: Table, others: readonly string[]): Promise<string[]> {
  const nameOf = (cell: Cell | undefined): string => headerName(cell ?? '').toLowerCase();
  const wanted = (table.columns ?? table.header).map(nameOf);
  const found: string[] = [];
  if (!table.hasHeader || wanted.length < 2) return found;
  for (const sheet of others.slice(0, MAX.sheets)) {
    const rows = await firstRows(table, sheet);
    const at = rows.findIndex(({ cells }) => {
      const names = new Set(cells.map(nameOf));
      return wanted.every((name) => names.has(name));
    });
    // A header alone is no list.
    if (at >= 0 && at < rows.length - 1) found.push(sheet);
  }
  return found;
}

/** What is to be said of the sheets that are not read: those with the same columns, and hidden ones. */
export async function noticesOfSheets(table: Table): Promise<Warning[]> {
  const { name, info } = table;
  const { hiddenSheets = [] } = info;
  const further = await continuationOf(table);
  const notices: Warning[] = [];
  const say = (observation: 'doubt' | 'note', message: string): void => {
    notices.push({ message, observation });
  };
  if (further) {
    const { sheets: same } = further;
    say(
      'doubt',
      `${name}: the list goes on: ${wordOf(same)} ${listed(same)} with the same columns ${isOrAre(same)} not read. ${howToTake(further)}`,
    );
  }
  const left = (info.otherSheets ?? []).filter(
    (sheet) => !hiddenSheets.includes(sheet) && further?.sheets.includes(sheet) !== true,
  );
  const similar = await withItsColumns(table, left);
  if (similar.length > 0)
    say(
      'doubt',
      `${name}: the columns of the list also stand on ${wordOf(similar)} ${listed(similar)}, in another order or beside ` +
        'others. Import each by itself with --sheet.',
    );
  if (hiddenSheets.length > 0)
    say(
      'note',
      `${name}: ${hiddenSheets.length} hidden ${wordOf(hiddenSheets)} ${isOrAre(hiddenSheets)} not read: ` +
        `${listed(hiddenSheets)}. Take one with --sheet and its name.`,
    );
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

/** Number of the row that has the same names in the same order, or gives them with that above it; `undefined` where there is none. */
function headerRowIn(rows: readonly Row[], header: readonly string[]): number | undefined {
  const names = header.map(headerName);
  const isSame = (cells: readonly Cell[]): boolean => {
    if (cells.length > names.length || cells.every((cell) => !cell)) return false;
    // As those of the first sheet: columns without a name, and those of the same one, are told apart.
    const its = distinctNames(names.map((_, at) => headerName(cells[at] ?? '')));
    return names.every((name, at) => its[at] === name);
  };
  const withAbove = (at: number) => chooseHeader(rows.slice(Math.max(0, at - 1), at + 1), names);
  return rows.find(({ cells }, at) => isSame(cells) || isSame(withAbove(at).names))?.row;
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

const wordOf = ({ length }: readonly string[]): string => (length === 1 ? 'sheet' : 'sheets');
const isOrAre = ({ length }: readonly string[]): string => (length === 1 ? 'is' : 'are');

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
