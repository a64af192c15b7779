import type { MappableRow } from '../mapping/compile.js';
import {
  type SourceInfo,
  type Cell,
  type Row,
  type Source,
  type SourceOptions,
  headerName,
} from '../core/table.js';
import type { Installation } from '../installation/installation.js';
import { openSource, traitsOf } from '../source/source.js';
import {
  type HeaderQuestion,
  LOOKED_AT,
  headerOf,
  lettersOf,
  noHeader,
  readHeader,
  refuseDataAbove,
} from '../source/header.js';
import { recognise } from './understand.js';
import { expressionsOf, normalForm } from './words.js';

/** Rows on which a draft is tried, and about as many as its columns are looked at in. */
const TRIED_ROWS = 1000;
/** Rows of the beginning among those that are looked at, where there are others. */
const FROM_BEGINNING = 250;
/** Places of a large file that rows are taken from, the last one its end. */
const PLACES = [1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1];
/** Rows at the end that may be totals. */
const LAST_ROWS = 3;
/** A file with no more rows is read whole, and one of plain text with no more bytes: its windows would overlap. */
const WHOLE = { rows: 10_000, cells: 1_000_000, bytes: 1024 ** 2 } as const;
/** Cells that are looked at: of a table with thousands of columns, fewer rows. */
const MAX_CELLS = 100_000;

/** A table that a mapping is drafted for: its header, and rows of it. */
export interface Table {
  readonly headers: readonly string[];
  /** `false`: the headers are letters, since the table has none. */
  readonly hasNames?: boolean | undefined;
  /** Of two header rows that were joined, the lower names. */
  readonly ownNames?: readonly string[] | undefined;
  /** Rows spread over the file: what the columns hold is found out by them. */
  readonly sample: readonly (readonly Cell[])[];
  /** The first rows, on which the draft is tried. */
  readonly first: readonly MappableRow[];
  /** The last rows of the file. */
  readonly last?: readonly (readonly Cell[])[] | undefined;
  /** Rows of the file where they are known. */
  readonly rows?: number | undefined;
  /** How many of the first rows the sample is from, where it is not from the whole file. */
  readonly beginning?: number | undefined;
}

export interface TableSource {
  /** Name of the file, for the comments. */
  readonly file: string;
  readonly info?: SourceInfo | undefined;
  readonly sheet?: string | undefined;
  /** Row number of the header, or `none`. */
  readonly headerRow: number | 'none';
  /** Reading options that the person gave: they belong into the mapping. */
  readonly given?: Readonly<Record<string, string | number>> | undefined;
}

/** A file as far as it is looked at: its first rows, and some from all over it, none of them twice. */
export interface ReadFile {
  readonly table: Table;
  readonly source: Omit<TableSource, 'given'>;
}

/** How a file is looked at. */
interface SampleOptions {
  /** Name of the file, as the person knows it. @default its path */
  readonly name?: string;
  /** Opens the file. @default on this thread */
  readonly open?: typeof openSource;
  /** Where the header is, or which columns it has. @default it is found by what the rows hold */
  readonly header?: HeaderQuestion;
  /** Names, titles and aliases of the fields of the card: they tell a header. @default none */
  readonly names?: readonly string[];
}

/**
 * Reads the header, the first rows, and rows spread over the file. Of what can only be read from its beginning, such as
 * a large workbook or a packed file, they are spread over the beginning alone.
 * @throws InputError when the file cannot be read
 */
export async function readForSuggestion(
  file: string,
  options: SourceOptions,
  { name = file, open = openSource, header: question = {}, names = [] }: SampleOptions = {},
): Promise<ReadFile> {
  const source = await open(file, options);
  const { rows, isWhole } = await firstRows(source, question);
  const header = findHeader(rows, { file: name, format: source.info.format }, question, names);
  const data = rows.filter(({ row }) => header.row === 'none' || row > header.row);
  const width = header.names.length;
  const others = isWhole ? [] : await rowsFarther(source.rowsNear, width);
  const max = Math.min(TRIED_ROWS, Math.ceil(MAX_CELLS / Math.max(1, width)));
  let all = data.map(cellsOf);
  if (others.length > 0) {
    // The rows from farther on may begin within the beginning, where rows are very wide.
    const beginning = all.slice(0, FROM_BEGINNING);
    const known = new Set(beginning.map((cells) => JSON.stringify(cells)));
    all = [...beginning, ...others.filter((cells) => !known.has(JSON.stringify(cells)))];
  }
  const step = Math.max(1, all.length / max);
  const sample = Array.from(
    { length: Math.min(max, all.length) },
    (_, index) => all[Math.floor(index * step)] ?? [],
  );
  return {
    table: {
      headers: header.names,
      hasNames: header.row !== 'none',
      ownNames: header.ownNames,
      sample,
      first: data.slice(0, TRIED_ROWS),
      last: (isWhole ? data.map(cellsOf) : others).slice(-LAST_ROWS),
      rows: isWhole ? data.length : undefined,
      beginning: isWhole || others.length > 0 ? undefined : data.length,
    },
    source: {
      file: name,
      info: source.info,
      sheet: rows[0]?.sheet ?? undefined,
      headerRow: header.row,
    },
  };
}

const cellsOf = ({ cells }: Row): readonly Cell[] => cells;

/** Rows above the header are among the first ones. */
const MAX_TOP = 60;

async function firstRows(source: Source, { headerRow }: HeaderQuestion) {
  const top = Math.max(MAX_TOP, typeof headerRow === 'number' ? headerRow : 0);
  const isSmall = source.rowsNear !== undefined && source.info.bytes <= WHOLE.bytes;
  const rows: Row[] = [];
  let cells = 0;
  let sheet: string | null | undefined;
  for await (const batch of source.batches()) {
    sheet ??= batch[0]?.sheet;
    for (const row of batch) {
      if (row.sheet !== sheet) continue;
      rows.push(row);
      cells += row.cells.length;
    }
    // What was read ahead makes a row look longer than it is, and a file shorter.
    const perRow = source.bytesRead() / Math.max(1, rows.length);
    const isLong = source.rowsNear !== undefined && source.info.bytes > 2 * WHOLE.rows * perRow;
    const isLarge = isLong || rows.length > WHOLE.rows + top || cells > WHOLE.cells;
    if (isLarge && !isSmall && rows.length > TRIED_ROWS + top) return { rows, isWhole: false };
  }
  return { rows, isWhole: true };
}

async function rowsFarther(
  rowsNear: ((share: number, width: number) => Promise<readonly Row[]>) | undefined,
  width: number,
): Promise<(readonly Cell[])[]> {
  if (!rowsNear) return [];
  const windows = await Promise.all(PLACES.map((share) => rowsNear(share, width)));
  const each = Math.floor((TRIED_ROWS - FROM_BEGINNING) / PLACES.length);
  // Of the last window, the end: that is where totals are.
  return windows.flatMap((rows, at) =>
    (at === windows.length - 1 ? rows.slice(-each) : rows.slice(0, each)).map(cellsOf),
  );
}

/** What a column may be called for a field of a card. */
export const namesOnCard = (card: Installation['card']): string[] =>
  Object.entries(card).flatMap(([name, { title, aliases = [] }]) => [
    ...[name, ...(title === undefined ? [] : [title]), ...aliases],
  ]);

/** The header of a table that nobody has a mapping for yet. */
export type FoundHeader = ReturnType<typeof findHeader>;

/**
 * Finds the header as a run finds it: where it is said to be, else by what the rows hold. `row`: its number, of two rows
 * that of the lower one, `none` where there is none; `ownNames`: of two rows, the names of the lower one.
 * @throws InputError where there are no rows, no header in the row that was named, or rows of data above one that was not
 */
export function findHeader(
  all: readonly Row[],
  place: { readonly file: string; readonly format: string },
  question: HeaderQuestion = {},
  onCard: readonly string[] = [],
): { readonly names: readonly string[]; ownNames?: readonly string[]; row: number | 'none' } {
  // As many as a run looks at.
  const rows = typeof question.headerRow === 'number' ? all : all.slice(0, LOOKED_AT);
  const [first] = rows;
  if (!first) throw noHeader({ ...place, sheet: null, row: 1 });
  const { sheet } = first;
  const forms = new Set(onCard.map(normalForm));
  const isName = (text: string): boolean => forms.has(normalForm(text)) || recognise(text).isKnown;
  const chosen = headerOf(rows, { isName, ...question });
  if (!chosen && typeof question.headerRow === 'number')
    throw noHeader({ ...place, sheet, row: question.headerRow });
  const last = chosen?.rows.at(-1);
  if (!chosen || !last) {
    const isText = traitsOf(place.format).storesEmptyCells;
    return { names: lettersOf(all, isText ? 'most' : 'longest'), row: 'none' };
  }
  const at = { ...place, sheet, row: last.row };
  const [upper = last] = chosen.rows;
  // As a run does: the draft would leave them out.
  if (question.headerRow === undefined)
    refuseDataAbove(rows.slice(0, rows.indexOf(upper)), rows.slice(rows.indexOf(last) + 1), at);
  const names = readHeader(chosen.names, at);
  if (chosen.rows.length === 1) return { names, row: last.row };
  return { names, ownNames: last.cells.map((cell) => headerName(cell ?? '')), row: last.row };
}

/** Rows of totals at the end of a table, as `source.until` leaves them out. */
export interface Totals {
  readonly column: string;
  readonly startsWith: string;
  readonly rows: number;
}

/** Share of the cells that such a row fills at most: it sums up a few columns. */
const MAX_FILLED = 0.6;

/** The totals that the last rows of a table are; `null` where they are none. */
export function totalsAt(
  headers: readonly string[],
  last: readonly (readonly Cell[])[],
): Totals | null {
  const rows = last.toReversed().map((cells) => totalOf(headers, cells));
  const [total] = rows;
  if (!total) return null;
  const other = rows.findIndex((row) => row?.column !== total.column);
  return { ...total, rows: other < 0 ? rows.length : other };
}

/** Whether `source.until` with these totals holds for a row. */
export function isTotal(
  headers: readonly string[],
  cells: readonly Cell[],
  { column, startsWith }: Totals,
): boolean {
  const text = cells[headers.indexOf(column)]?.trim().toLowerCase() ?? '';
  return text.startsWith(startsWith.toLowerCase());
}

function totalOf(
  headers: readonly string[],
  cells: readonly Cell[],
): Omit<Totals, 'rows'> | undefined {
  const texts = cells.map((cell) => cell?.trim() ?? '');
  const filled = texts.filter((text) => text !== '').length;
  const at = texts.findIndex((text) => text !== '');
  const column = headers[at];
  const [word] = expressionsOf('total')[0]?.[1].exec(texts[at] ?? '') ?? [];
  return column === undefined || word === undefined || filled > MAX_FILLED * headers.length
    ? undefined
    : { column, startsWith: word };
}
