import {
  areClean,
  cleanCells,
  errorInCell,
  type Row,
  type RowDefect,
  type Source,
  type SourceInfo,
} from '../core/table.js';
import { isErrorWord } from '../core/errors.js';
import type { FoundFile } from './file.js';

/** What a format brings for its files: all else is the same for all of them. */
interface TableReader {
  /** The rows from the first one on. `progress` is told how many bytes of the file have been read up to there. */
  readonly rows: (progress: (bytes: number) => void) => AsyncIterable<readonly Row[]>;
  readonly verify: () => Promise<void>;
}

/** A source whose cells are as they are meant, whatever its format. */
export function sourceOf(
  { file: _, ...found }: FoundFile,
  about: Omit<SourceInfo, 'bom' | keyof FoundFile>,
  { rows, verify }: TableReader,
): Source {
  let read = 0;
  return {
    info: { ...found, bom: false, ...about },
    bytesRead: () => Math.min(read, found.bytes),
    verify,
    async *batches() {
      read = 0;
      for await (const batch of rows((bytes) => (read = bytes))) yield batch.map(cleanedRow);
      read = found.bytes;
    },
  };
}

/** Makes something of a key once. */
export function kept<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const made = new Map<Key, T>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}

function cleanedRow(row: Row): Row {
  // As nearly all are: no copy is made of them.
  if (areClean(row.cells)) return row;
  const cells = [...row.cells];
  const cleaned = cleanCells(cells);
  return cleaned ? { ...row, cells, cleaned } : { ...row, cells };
}

/**
 * The batches that fill up while rows are added to one. What was added before an error is given before it, in all
 * formats.
 * @param adding stops at least wherever the batch is full
 * @param finish adds a row that is still held back
 */
export async function* batchesOf(
  batch: Batch,
  adding: AsyncIterable<unknown> | Iterable<unknown>,
  finish: () => void = () => undefined,
): AsyncGenerator<readonly Row[], void, undefined> {
  try {
    for await (const _ of adding) if (batch.isFull) yield batch.take();
  } catch (error) {
    finish();
    if (!batch.isEmpty) yield batch.take();
    throw error;
  }
  finish();
  if (!batch.isEmpty) yield batch.take();
}

/** Gathers rows that are handed on together: few enough that their memory is bounded, whatever they hold. */
export class Batch {
  #rows: Row[] = [];
  #weight = 0;
  #isComplete = false;

  /**
   * @param characters length of its cells, or of the text that they were cut from
   * @param isPlain whether no cell is the error of a formula in words, as far as is known. @default false: each is looked at
   */
  add(row: Row, characters: number, isPlain = false): void {
    this.#rows.push(isPlain ? row : withErrors(row));
    this.#weight += characters + CELL_CHARACTERS * row.cells.length;
  }

  /** Whether no row should be added before these are taken. */
  get isFull(): boolean {
    return this.#rows.length >= BATCH_ROWS || this.#weight >= BATCH_CHARACTERS || this.#isComplete;
  }

  /** A sheet has ended: rows of the next one go into a batch of their own. */
  complete(): void {
    this.#isComplete = !this.isEmpty;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  take(): Row[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#weight = 0;
    this.#isComplete = false;
    return rows;
  }
}

/** The row, with the errors of formulas that stand in it as texts: in a CSV file, and where a sheet was pasted as values. */
function withErrors(row: Row): Row {
  let found: RowDefect[] | undefined;
  for (let at = 0; at < row.cells.length; at++) {
    const cell = row.cells[at];
    if (cell && isErrorWord(cell) && !row.defects?.some(({ column }) => column === at))
      (found ??= []).push(errorInCell(at));
  }
  return found ? { ...row, defects: [...(row.defects ?? []), ...found] } : row;
}

const LF = 0x0a;
const CR = 0x0d;

/** How many line breaks a text holds; `\r\n` is one. */
export function lineBreaks(text: string): number {
  // Nearly all cells hold none, which native code sees at once.
  if (!text.includes('\n') && !text.includes('\r')) return 0;
  let [breaks, before] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === CR || (character === LF && before !== CR)) breaks++;
    before = character;
  }
  return breaks;
}

/** Maximum length of a cell, in bytes of UTF-8. A longer one is most likely a quote that was never closed. */
export const CELL_BYTES = 1024 * 1024;

/** Longest record that is read the fast way, in UTF-16 units: none of its cells can exceed `CELL_BYTES`. */
export const FAST_RECORD = CELL_BYTES / 4;
/**
 * How much longer a record that is longer than that, and not whole, must become before it is looked at again: to parse
 * it anew with each piece of text would take minutes.
 */
export const OPEN_RECORD_STEP = CELL_BYTES;

/** Maximum length of a row, in bytes of UTF-8. */
export const ROW_BYTES = 4 * CELL_BYTES;
/**
 * Maximum number of cells in a CSV row: the columns of Google Sheets, `A` to `ZZZ`; all other programs have fewer. What has more is a
 * table of something else, or was made to harm.
 */
export const ROW_CELLS = 18_278;
/** Rows in one batch. */
const BATCH_ROWS = 100;
/** Characters in one batch: rows may be 4 MiB long, and a thousand of those are too many for the memory. */
const BATCH_CHARACTERS = 8 * 1024 * 1024;
/** What a cell takes beside its text, in characters; an empty one, too. */
const CELL_CHARACTERS = 16;
