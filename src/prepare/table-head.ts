import type { Cell, Row } from '../core/table/row.js';
import { traitsOf } from '../source/formats.js';
import {
  chooseHeader,
  type HeaderChoice,
  headerWith,
  HEADER_ROWS,
  lettersOf,
} from '../source/header-choice.js';
import { noHeader, readHeader } from '../source/header.js';
import { LineCounter } from '../source/lines.js';
import type { OpenedInput } from './plan.js';
import type { ReadAhead } from './read-ahead.js';

/** The beginning of a table, up to its header. */
export interface TableHead extends Omit<OpenedInput, 'name' | 'info' | 'headers'> {
  readonly header: string[];
  /** Data rows that were read with the header. */
  readonly rest: readonly Row[];
}

/** What is known of the header before the first row is read. */
export interface HeaderQuestion {
  readonly place: { readonly file: string; readonly format: string };
  /** As the mapping has it; without, the header is found. */
  readonly headerRow: number | 'none' | undefined;
  /** Columns that the mapping names. */
  readonly columns: readonly string[];
}

/** Rows that show what kind of data the columns hold. */
const LOOKED_AT = 2 * HEADER_ROWS;

/**
 * Reads a table up to its header.
 * @throws InputError when there is none, or it is no good
 */
export async function readTableHead(
  ahead: ReadAhead,
  question: HeaderQuestion,
): Promise<TableHead> {
  const { namesColumns } = traitsOf(question.place.format);
  const headerRow = namesColumns ? 0 : question.headerRow;
  const wanted = typeof headerRow === 'number' ? headerRow : undefined;
  const rows = await firstRows(ahead, (row, count) =>
    wanted === undefined ? count >= LOOKED_AT : row.row >= wanted,
  );
  if (headerRow === 'none') return headless(rows, question);
  const chosen =
    wanted === undefined ? foundHeader(rows, question) : rows.filter(({ row }) => row === wanted);
  return headAt(rows, chosen, { ...question, headerRow });
}

/**
 * The header that has all columns. Where a row farther up has some of them, those between are data: then that row is the
 * header, and lacks columns.
 */
function withColumns(rows: readonly Row[], columns: readonly string[]): HeaderChoice | undefined {
  const found = headerWith(rows, columns);
  const at = rows.findIndex((row) => row === found?.rows[0]);
  const names = (row: Row): string[] => row.cells.map((cell) => (cell ?? '').trim());
  const above = rows
    .slice(0, Math.max(0, at - 1))
    .find((row) => names(row).some((name) => columns.includes(name)));
  return above ? { rows: [above], names: names(above) } : found;
}

/** The header's rows: those with the columns that the mapping names, else what looks like it, for the message. */
function foundHeader(rows: readonly Row[], { columns }: HeaderQuestion): readonly Row[] {
  const sheet = rows[0]?.sheet;
  const own = rows.filter((row) => row.sheet === sheet);
  const found = withColumns(own, columns) ?? chooseHeader(own);
  return found.rows.length > 0 ? found.rows : rows.slice(0, 1);
}

function headAt(
  rows: readonly Row[],
  chosen: readonly Row[],
  { place, headerRow, columns }: HeaderQuestion,
): TableHead {
  const last = chosen.at(-1);
  const sheet = last?.sheet ?? rows.at(-1)?.sheet ?? null;
  const named = typeof headerRow === 'number' ? headerRow : 1;
  if (!last) throw noHeader({ ...place, sheet, row: named });
  const at = rows.indexOf(last);
  const lines = new LineCounter();
  const starts = rows.slice(0, at + 1).map((row) => lines.lineOf(row));
  const line = traitsOf(place.format).hasLines ? starts[at] : undefined;
  const names: readonly Cell[] =
    chosen.length > 1 ? (headerWith(chosen, columns) ?? chooseHeader(chosen)).names : last.cells;
  const header = readHeader(names, { ...place, sheet, row: last.row, line });
  const missing = Math.max(0, names.length - last.cells.length);
  return {
    header,
    hasHeader: true,
    headerRow: last.row,
    foundHeader: typeof headerRow === 'number' ? [] : chosen.map(({ row }) => row),
    headerCells: [...last.cells, ...Array<Cell>(missing).fill(null)],
    preamble: rows.slice(0, at),
    sheet,
    rest: rows.slice(at + 1),
  };
}

/** Columns go by their letters; by their numbers where the mapping names these. */
function headless(rows: readonly Row[], { place, columns }: HeaderQuestion): TableHead {
  const [first] = rows;
  if (!first) throw noHeader({ ...place, sheet: null, row: 1 });
  const { storesEmptyCells } = traitsOf(place.format);
  const letters = lettersOf(rows, storesEmptyCells ? 'most' : 'longest');
  const header = letters.map((letter, index) => {
    const number = String(index + 1);
    return columns.includes(number) ? number : letter;
  });
  return {
    ...{
      header,
      hasHeader: false,
      headerRow: 0,
      foundHeader: [],
      headerCells: header,
      preamble: [],
    },
    ...{ sheet: first.sheet, rest: rows },
  };
}

/** The rows up to the one that is enough, and those of its batch. */
async function firstRows(
  ahead: ReadAhead,
  isEnough: (row: Row, count: number) => boolean,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const batch = await ahead.next();
    if (batch.done) return rows;
    rows.push(...batch.value);
    const last = rows.at(-1);
    if (last && isEnough(last, rows.length)) return rows;
  }
}
