import type { Outcome } from '../../core/outcome.js';
import type { Cell, Row, RejectsFormat } from '../../core/table.js';

/** What a rejects file has in common with its input, so that the same mapping reads it. */
export interface RejectsFile {
  /** Path of the rejects file; it is created with the first row. */
  readonly file: string;
  readonly format: RejectsFormat;
  /** CSV only. @default 'utf-8' */
  readonly encoding?: string | undefined;
  /** CSV only: one character. @default ',' */
  readonly delimiter?: string | undefined;
  /** CSV only: begin with a byte order mark; UTF-16 always does. @default false */
  readonly bom?: boolean | undefined;
  /** Header row of the input. */
  readonly headers: readonly Cell[];
  /** Whether the input has a header; without, none is written. @default true */
  readonly hasHeader?: boolean | undefined;
  /** Row number of the header. @default 1 */
  readonly headerRow?: number | undefined;
  /** Rows above the header, with their numbers. Rows that are not given are left empty. @default [] */
  readonly preamble?: readonly Row[] | undefined;
  /** Excel only: name of the sheet. @default 'Rejects' */
  readonly sheet?: string | undefined;
}

/** Writes the rows that did not end well, ready to be corrected and imported again. */
export interface RejectsWriter {
  /**
   * Adds a row: its original cells, how it ended, and the text of its problems. A returned promise must be awaited
   * before the next call.
   * @throws OutputError when the file cannot be written.
   */
  write(cells: readonly Cell[], outcome: Outcome, problems: string): void | Promise<void>;
  /** Puts the file in its place and resolves with its number of rows. Without a row there is no file. */
  close(): Promise<number>;
  /** Removes what was written; an older file stays. */
  discard(): Promise<void>;
}
