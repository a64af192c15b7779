import type { Cell, Row } from '../../core/table.js';
import { traitsOf } from '../../source/formats.js';
import {
  type HeaderChoice,
  headerOf,
  type HeaderQuestion,
  lettersOf,
  refuseDataAbove,
  showHeader,
} from '../../source/header-choice.js';
import { noHeader, readHeader } from '../../source/header.js';
import { PREAMBLE_ROWS } from '../../source/limits.js';
import { LineCounter } from '../../source/lines.js';
import type { OpenedInput } from '../plan.js';
import type { ReadAhead } from './read-ahead.js';

/** The beginning of a table, up to its header. */
export interface TableHead extends Omit<
  OpenedInput,
  'name' | 'info' | 'headers' | 'furtherHeaders'
> {
  readonly header: string[];
  /** Data rows that were read with the header. */
  readonly rest: readonly Row[];
}

/** A question for the header of a table, and where the table stands. */
export interface PlacedQuestion extends Required<HeaderQuestion> {
  readonly place: { readonly file: string; readonly format: string };
}

/** What is kept of the rows above a header whose place is named. */
const PREAMBLE = { rows: PREAMBLE_ROWS, cells: 100_000, characters: 1024 * 1024 } as const;

/**
 * Reads a table up to its header.
 * @throws InputError when there is none, or it is no good
 */
export async function readTableHead(
  ahead: ReadAhead,
  question: PlacedQuestion,
): Promise<TableHead> {
  const { namesColumns } = traitsOf(question.place.format);
  const headerRow = namesColumns ? 0 : question.headerRow;
  const lines = new LineCounter();
  const isKept = typeof headerRow === 'number' ? keptBefore(headerRow, lines) : () => true;
  const rows = await firstRows(ahead, isKept, (all) => showHeader(all, { headerRow }));
  if (headerRow === 'none') return headless(rows, question);
  return headAt(rows, { ...question, headerRow }, lines);
}

/**
 * Which rows are kept until the header comes: those above a header far down would fill the memory. The rejects have empty
 * rows in place of the others, and the header where it was.
 * @param lines follows those that are not kept
 */
function keptBefore(header: number, lines: LineCounter): (row: Row) => boolean {
  let [rows, cells, characters] = [0, 0, 0];
  return (row) => {
    if (row.row >= header) return true;
    cells += row.cells.length;
    for (const cell of row.cells) characters += cell?.length ?? 0;
    const isKept =
      ++rows <= PREAMBLE.rows && cells <= PREAMBLE.cells && characters <= PREAMBLE.characters;
    if (!isKept) lines.lineOf(row);
    return isKept;
  };
}

/** The first row where nothing looks like a header: the message names what its columns lack. */
function chosenOf(
  rows: readonly Row[],
  { headerRow, columns }: PlacedQuestion,
): HeaderChoice | undefined {
  const [first] = rows;
  const own = headerRow === undefined ? rows.filter(({ sheet }) => sheet === first?.sheet) : rows;
  const chosen = headerOf(own, { headerRow, columns });
  return chosen?.rows.length === 0 ? headerOf(own, { headerRow: first?.row }) : chosen;
}

function headAt(rows: readonly Row[], question: PlacedQuestion, lines: LineCounter): TableHead {
  const { place, headerRow } = question;
  const chosen = chosenOf(rows, question);
  const last = chosen?.rows.at(-1);
  const sheet = last?.sheet ?? rows.at(-1)?.sheet ?? null;
  const named = typeof headerRow === 'number' ? headerRow : 1;
  if (!chosen || !last) throw noHeader({ ...place, sheet, row: named });
  const at = rows.indexOf(last);
  const starts = rows.slice(0, at + 1).map((row) => lines.lineOf(row));
  const line = traitsOf(place.format).hasLines ? starts[at] : undefined;
  const headerPlace = { ...place, sheet, row: last.row, line };
  const header = readHeader(chosen.names, headerPlace, question.columns);
  const [upper = last] = chosen.rows;
  const own = rows.filter((row) => row.sheet === last.sheet);
  if (headerRow === undefined)
    refuseDataAbove(
      own.slice(0, own.indexOf(upper)),
      own.slice(own.indexOf(last) + 1),
      headerPlace,
    );
  const missing = Math.max(0, chosen.names.length - last.cells.length);
  return {
    header,
    hasHeader: true,
    headerRow: last.row,
    foundHeader: typeof headerRow === 'number' ? [] : chosen.rows.map(({ row }) => row),
    headerCells: [...last.cells, ...Array<Cell>(missing).fill(null)],
    preamble: rows.slice(0, at),
    sheet,
    rest: rows.slice(at + 1),
  };
}

/** Columns go by their letters; by their numbers where the mapping names these. */
function headless(rows: readonly Row[], { place, columns }: PlacedQuestion): TableHead {
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

/** The rows up to the one that is enough, and those of its batch, without those that are not to be kept. */
async function firstRows(
  ahead: ReadAhead,
  isKept: (row: Row) => boolean,
  isEnough: (rows: readonly Row[]) => boolean,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const batch = await ahead.next();
    if (batch.done) return rows;
    rows.push(...batch.value.filter(isKept));
    if (isEnough(rows)) return rows;
  }
}
