import { CELL_BYTES } from '../rows.js';
import { InputError, type InputPlace } from '../../core/errors.js';

const MiB = 2 ** 20;

/** How much of anything a workbook may bring: beyond these it is refused, so that no file takes all memory or time. */
export const LIMITS = {
  /** Parts in the zip: reading their directory stays below a second or two. */
  parts: 20_000,
  /** Inflated bytes of `workbook.xml`, relationships and styles. They are small in every honest workbook. */
  structureBytes: 64 * MiB,
  /** Inflated bytes of the shared strings: the table addresses them with 32 bits. */
  sharedStringsBytes: 4096 * MiB,
  /** Inflated bytes of a sheet that is looked through for merged cells before its rows are read. */
  mergedBytes: 16 * MiB,
  /** Rows of a larger one in which cells may be merged, since titles and headers are. */
  mergedRows: 50,
  /** Inflated bytes of one sheet: a full one of 1,048,576 rows and 200 columns takes about 8 GiB. */
  sheetBytes: 16_384 * MiB,
  /**
   * A part may inflate to `freeBytes` whatever its compression, and beyond that to `ratio` times its compressed size.
   * Sheets of one value filled down compress 12 to 30 times (measured); deflate ends at 1,032, where bombs are.
   */
  freeBytes: 64 * MiB,
  ratio: 100,
  /**
   * Characters and cells of all rows together, beyond `freeBytes`, for each compressed byte that they are read from. A
   * text of 1,000 characters filled down beside nothing else comes to about 250.
   */
  rowsRatio: 1_000,
  /**
   * Empty cells before others, beyond `freeGaps`, for each compressed byte. A value in column A and one in column AZ come
   * to 4 (measured).
   */
  freeGaps: 2 ** 26,
  gapsRatio: 32,
  /** Rows that hold something, beyond `freeRows`, for each compressed byte: with row numbers in it, a row takes 6 or more. */
  freeRows: 2 ** 18,
  rowCountRatio: 1,
  /**
   * Tags, comments, entities and attributes of a part, beyond `freeMarks`, for each of its compressed bytes. Each takes
   * as long to read as dozens of letters. Sheets of one value filled down have 2 to 4 (measured).
   */
  freeMarks: 2 ** 23,
  marksRatio: 6,
  /** Text of one cell, in bytes of UTF-8. */
  cellBytes: CELL_BYTES,
  /** One tag, comment or stretch of text. */
  tokenBytes: 4 * MiB,
  /** Nested elements. */
  depth: 256,
  /** Distinct shared strings: a full sheet of 1,048,576 rows with 32 columns of them. */
  sharedStrings: 2 ** 25,
  /** Shared strings kept in memory; what is beyond lies in a temporary file. */
  sharedStringsInMemory: 64 * MiB,
  /** Rows and columns of a sheet in Excel. */
  rows: 1_048_576,
  columns: 16_384,
  /** Sheets, styles and relationships that are remembered. */
  entries: 100_000,
} as const;

/** What to do about a file that is broken, in the same words everywhere. */
export const SAVE_AGAIN = 'Open it in a spreadsheet program, save it as .xlsx and try again.';

const MAX_NAME = 80;

/** The name of a part or sheet as it can be shown: a file may call them as it likes. */
export function shownName(name: string, longest = MAX_NAME): string {
  const shown = name.replace(/\p{Cc}/gu, '\ufffd');
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}

/** Refuses a workbook for what is wrong at one place of it. @throws InputError */
export function fail(code: string, reason: string, place: InputPlace, cause?: unknown): never {
  throw new InputError(code, reason, place, cause === undefined ? undefined : { cause });
}

/** Refuses a workbook that only its password opens. @throws InputError `encrypted` */
export function failEncrypted(place: InputPlace): never {
  fail('encrypted', 'the workbook is encrypted. Save it without a password and try again.', place);
}

/** Refuses a cell beyond `LIMITS.cellBytes`. `advice`: what to do. @throws InputError `cell_too_long` */
export function failLong(place: InputPlace, advice = ''): never {
  const reason = `the text of a cell is longer than ${LIMITS.cellBytes} bytes.${advice}`;
  fail('cell_too_long', reason, place);
}
