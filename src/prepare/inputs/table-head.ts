import type { Cell, Passing, Row, Source, SourceInfo } from '../../core/table.js';
import { PREAMBLE_ROWS, traitsOf } from '../../source/source.js';
import {
  type HeaderChoice,
  headerOf,
  type HeaderQuestion,
  lettersOf,
  LineCounter,
  refuseDataAbove,
  showHeader,
} from '../../source/header.js';
import { noHeader, readHeader } from '../../source/header.js';
import type { OpenedInput } from '../plan.js';

/** The beginning of a table, up to its header. */
interface TableHead extends Omit<OpenedInput, 'name' | 'info' | 'headers' | 'furtherHeaders'> {
  readonly header: string[];
  /** Data rows that were read with the header. */
  readonly rest: readonly Row[];
}

/** A question for the header of a table, and where the table stands. */
interface PlacedQuestion extends Required<Pick<HeaderQuestion, 'headerRow' | 'columns'>> {
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

/**
 * A file of up to `whole` bytes is read to its end before its first row is sent, of a larger one the first `ahead` bytes:
 * so a small one that is broken is not imported in part, and nobody is kept waiting for all of a large one to be read.
 */
const AHEAD_BYTES = {
  text: { whole: 1024 * 1024, ahead: 256 * 1024 },
  packed: { whole: 512 * 1024, ahead: 128 * 1024 },
} as const;

/** Most cells and characters that are kept meanwhile: a file that packs well holds a thousand times its own bytes. */
const KEPT_CELLS = 500_000;
const KEPT_TEXT = 16 * 1024 * 1024;

/**
 * A file up to this size is verified to its end before its first row is sent. A packed one is unpacked meanwhile, by
 * other threads: damage that its checksums tell, and what it holds too much of. Text is looked at for bytes that are none.
 * Either takes about as long as reading the beginning.
 */
const VERIFIED_BYTES = { packed: 4 * 1024 * 1024, text: 16 * 1024 * 1024 } as const;

/** How much of a file to read before its first row is sent, in bytes of the file. */
export function aheadOf(info: SourceInfo): number {
  const { whole, ahead } = AHEAD_BYTES[storageOf(info)];
  return info.bytes <= whole ? Infinity : ahead;
}

/** A source that is being read. */
export interface ReadAhead {
  next(): Promise<IteratorResult<readonly Row[], void>>;
  /** Which of the rows to come need only be counted. */
  readonly passing: Passing;
  /** How much of the file had been read when the rows that were given last were there. */
  bytesRead(): number;
  /** Lets go of the file. */
  close(): Promise<void>;
}

/**
 * Begins to read a source, and keeps what it reads until it is asked for, as far as it is not too much to keep.
 * @param bytes how much of the file to read at once; 0: nothing
 * @throws InputError where that much of it is broken
 */
export async function beginReadAhead(source: Source, bytes: number): Promise<ReadAhead> {
  const passing: Passing = { rows: 0, text: 0, cellText: 0 };
  const batches = source.batches(passing)[Symbol.asyncIterator]();
  const ready: Batch[] = [];
  const [read, whole] = await Promise.allSettled([
    readAhead({ source, batches, bytes, ready }),
    bytes > 0 && isVerified(source.info) ? source.verify() : undefined,
  ]);
  for (const result of [read, whole])
    if (result.status === 'rejected') {
      await batches.return?.();
      throw result.reason;
    }
  let given = 0;
  return {
    next: async () => {
      const kept = ready.shift();
      const next = kept ? { value: kept.rows } : await batches.next();
      given = kept?.read ?? source.bytesRead();
      return next;
    },
    bytesRead: () => given,
    passing,
    close: async () => {
      await batches.return?.();
    },
  };
}

function isVerified(info: SourceInfo): boolean {
  return info.bytes <= VERIFIED_BYTES[storageOf(info)];
}

function storageOf({ format, gzip }: SourceInfo): 'text' | 'packed' {
  return gzip || traitsOf(format).isPacked ? 'packed' : 'text';
}

interface Batch {
  readonly rows: readonly Row[];
  /** How much of the file had been read when it was there. */
  readonly read: number;
}

interface Ahead {
  readonly source: Source;
  readonly batches: AsyncIterator<readonly Row[]>;
  readonly bytes: number;
  /** Where batches are kept. */
  readonly ready: Batch[];
}

async function readAhead({ source, batches, bytes, ready }: Ahead): Promise<void> {
  let [cells, text] = [0, 0];
  while (source.bytesRead() < bytes && cells < KEPT_CELLS && text < KEPT_TEXT) {
    const next = await batches.next();
    if (next.done) break;
    ready.push({ rows: next.value, read: source.bytesRead() });
    for (const row of next.value) {
      cells += row.cells.length;
      for (const cell of row.cells) text += cell?.length ?? 0;
    }
  }
}
