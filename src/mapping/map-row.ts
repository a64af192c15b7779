import type { Problem } from '../core/problem.js';
import { OUTCOME_COLUMN, PROBLEMS_COLUMN } from '../core/report.js';
import {
  type Cell,
  columnLetters,
  headerName,
  type Row,
  type RowDefect,
  STRAY_QUOTE,
} from '../core/table.js';
import type { CompiledMapping, MappedRow } from './compile.js';

/* Rows as files have them: with cells too many or too few, left out by their file, or with cells that it could not read. */

/** What is known of the columns of an input. */
export interface InputColumns {
  readonly headers: readonly string[];
  /** The names in each row of a header of two rows, which are read as one. @default the header has one row */
  readonly headerRows?: readonly (readonly string[])[];
  /** Cells that a row should have. Absent where their number means nothing. */
  readonly width: number | undefined;
  /** What stands between cells, where the file is text. */
  readonly delimiter?: string | undefined;
}

/** A row, wherever it is from. */
export type MappableRow = Omit<Row, 'sheet'>;
type RowMapping = Pick<CompiledMapping, 'map' | 'findErrors' | 'columns' | 'identifierNames'>;

/** Maps a row, unless it has so many cells more or fewer than the header that none can be trusted. */
export function mapRow(row: MappableRow, columns: InputColumns, mapping: RowMapping): MappedRow {
  const { width, headers, headerRows = [] } = columns;
  if (row.leftOut) return skip(row.cells, row.leftOut, headers, mapping);
  const cells = row.cells.length;
  if (width !== undefined && cells !== width) return mapUneven(row, width, columns, mapping);
  const mapped = mapping.map(row.cells);
  const repeats = (names: readonly string[]): boolean => repeatsHeader(row.cells, names);
  if (mapped.status !== 'skipped' && (repeats(headers) || headerRows.some(repeats)))
    return rejectRow(mapping, 'repeated_header', REPEATED);
  const defects = mapping.findErrors(row);
  return defects ? rejectDefects(mapped, defects, headers, mapping.columns) : mapped;
}

const REPEATED =
  'The row repeats the header, as lists do that were put one below the other. Delete it.';

/** What a file of rejects has beside the cells of its rows. */
const OWN_COLUMNS: ReadonlySet<string> = new Set([OUTCOME_COLUMN, PROBLEMS_COLUMN]);

/** Whether the cells of a row are the names of their columns: a header in the middle of a list is nobody. */
function repeatsHeader(cells: readonly Cell[], headers: readonly string[]): boolean {
  const first = cells.findIndex((cell) => cell !== null && cell !== '');
  // Of hardly any row, more than this is looked at.
  if (!isName(cells[first], headers[first])) return false;
  let names = 0;
  for (const [at, header] of headers.entries()) {
    const cell = cells[at]?.trim() ?? '';
    if (cell === '' || OWN_COLUMNS.has(header)) continue;
    // The letters of a column stand for a name that several have.
    if (header.startsWith(columnLetters(at))) {
      if (cells.filter((other) => other?.trim() === cell).length > 1) continue;
    }
    if (!isName(cell, header)) return false;
    names++;
  }
  return names > 1;
}

/** A name is never longer than the cell that it is made of. */
const isName = (cell: Cell | undefined, header = ''): boolean =>
  typeof cell === 'string' && cell.length >= header.length && headerName(cell) === header;

/** A row that is left out still says who it is, as far as it can. */
function skip(
  cells: readonly Cell[],
  { column, code, message }: RowDefect,
  headers: readonly string[],
  mapping: RowMapping,
): MappedRow {
  const { uuid, identifiers } = mapping.map(cells);
  const name = column === null ? null : (headers[column] ?? null);
  const value = column === null ? null : (cells[column] ?? null);
  return {
    status: 'skipped',
    uuid,
    identifiers,
    problems: [{ column: name, code, message, value }],
  };
}

/** What programs leave out at the end of a row, or put there, is empty: the other cells stand in their columns. */
function mapUneven(
  row: MappableRow,
  width: number,
  { headers, delimiter }: InputColumns,
  mapping: RowMapping,
): MappedRow {
  const { cells, remarks = [] } = row;
  const isOdd = remarks.some(({ code }) => code === STRAY_QUOTE);
  const other = delimiter === undefined ? undefined : otherDelimiter(cells, width, delimiter);
  if (other !== undefined)
    return rejectRow(mapping, 'other_delimiter', otherMessage(other, delimiter));
  const isWide =
    cells.length > width && cells.slice(width).some((cell) => cell !== null && cell.trim() !== '');
  const isAlone = cells.length === 1 && width > 2 && mapping.columns.length > 1;
  if (isOdd || isWide || isAlone)
    return rejectRow(mapping, 'ragged', raggedMessage(cells.length, width));
  const mapped = rejectDefects(
    mapping.map(cells),
    mapping.findErrors(row) ?? [],
    headers,
    mapping.columns,
  );
  const missing = headers.slice(cells.length).filter((name) => mapping.columns.includes(name));
  if (mapped.status !== 'client' || missing.length === 0) return mapped;
  const message = `The row has ${cells.length} of ${width} cells: those that it lacks at its end are taken as empty.`;
  const remark = { column: missing.join(', '), code: 'cells_missing', message, value: null };
  return { ...mapped, remarks: [...(mapped.remarks ?? []), remark] };
}

/** Delimiters that rows of another program may have. */
const DELIMITERS = [';', ',', '\t', '|'];

/** What divides a row into as many cells as the header has, where the delimiter of the table does not. */
function otherDelimiter(
  cells: readonly Cell[],
  width: number,
  delimiter: string,
): string | undefined {
  if (cells.length >= width || width < 2) return undefined;
  const line = cells.map((cell) => cell ?? '').join(delimiter);
  return DELIMITERS.find((one) => {
    const others = one === delimiter ? [] : line.split(one);
    // Blanks behind it are those of sentences, in a row that merely lacks its last cells.
    const isProse = cells.length > 1 && others.some((cell) => cell.startsWith(' '));
    return others.length === width && !isProse;
  });
}

const DELIMITER_NAMES = new Map([['\t', 'a tab']]);
const shownDelimiter = (one: string): string => DELIMITER_NAMES.get(one) ?? `"${one}"`;

const otherMessage = (other: string, delimiter = ''): string =>
  `The cells of this row are divided by ${shownDelimiter(other)}, those of the table by ${shownDelimiter(delimiter)}. Put rows with one delimiter into one file.`;

const raggedMessage = (cells: number, width: number): string =>
  `The number of cells is ${cells}, and that of the header ${width}. Check its quotes and delimiters.`;

function rejectRow(mapping: RowMapping, code: string, message: string): MappedRow {
  return {
    status: 'rejected',
    uuid: null,
    identifiers: mapping.identifierNames.map(() => null),
    problems: [{ column: null, code, message, value: null }],
  };
}

/**
 * The row as mapped, or rejected where the file lacks something that the mapping uses. Such a cell looks empty to the
 * mapping, so that even a row that a filter leaves out cannot be trusted to be left out rightly. Values without a column
 * that the mapping cannot use are a remark.
 * @param used names of the columns that the mapping uses
 */
export function rejectDefects(
  mapped: MappedRow,
  defects: readonly RowDefect[],
  headers: readonly string[],
  used: readonly string[],
): MappedRow {
  const problems: Problem[] = [];
  const remarks: Problem[] = [];
  for (const { column, names, code, message } of defects) {
    const name = column === null ? null : (headers[column] ?? '');
    if (names && !names.some((one) => isOfColumn(one, used)))
      remarks.push({ column: null, code, message: `Left out: ${message}`, value: null });
    else if (name === null || used.includes(name))
      problems.push({ column: name, code, message, value: null });
  }
  if (problems.length === 0) return withRemarks(mapped, remarks);
  // The mapping calls the cell empty; what is wrong with it stands here already.
  const others = mapped.status === 'rejected' ? mapped.problems : [];
  const columns = new Set(problems.map(({ column }) => column));
  problems.push(...others.filter(({ column }) => !columns.has(column)));
  const { uuid, identifiers } = mapped;
  return { status: 'rejected', uuid, identifiers, problems };
}

/** Whether a value stands where a column has its own: within it, such as `phone.0` for `phone`, or around it. */
function isOfColumn(name: string, used: readonly string[]): boolean {
  return used.some(
    (column) => column === name || column.startsWith(`${name}.`) || name.startsWith(`${column}.`),
  );
}

function withRemarks(mapped: MappedRow, remarks: readonly Problem[]): MappedRow {
  if (mapped.status !== 'client' || remarks.length === 0) return mapped;
  return { ...mapped, remarks: [...(mapped.remarks ?? []), ...remarks] };
}
