import { type Cell, type Row, type RejectsFormat, headerName } from '../../core/table.js';
import type { Outcome } from '../../core/outcome.js';
import { UsageError } from '../../core/errors.js';
import { OUTCOME_COLUMN, PROBLEMS_COLUMN } from '../../core/report.js';

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

/** Cells right of the last header that are kept where their number does not matter, such as a note beside the table. */
const MAX_CELLS_BESIDE = 256;

/** What the layout depends on in a format. */
export interface LayoutRules {
  /** Whether a row with too few or too many cells is rejected when the file is imported. */
  readonly cellCountMatters: boolean;
  /** Columns that fit into a file. */
  readonly maxColumns: number;
}

/** How the rows of one input become rows of its rejects file. */
export interface RejectsLayout {
  readonly headers: readonly Cell[];
  /** Original cells as they are, then the two added ones. Whoever writes them sees to it that no cell is a formula. */
  row(cells: readonly Cell[], outcome: Outcome, problems: string): Cell[];
}

/**
 * Puts the two added columns after the last header. In a rejects file that is imported again they are replaced. Cells
 * right of the last header follow the added ones, and short rows are filled up.
 *
 * Where the number of cells matters, a row that cannot be trusted for it keeps a wrong number: with the right one it
 * would pass when it is imported again. Elsewhere stray cells far to the right, which might not fit any more, are left out.
 * @throws UsageError when the added columns do not fit into the file
 */
export function rejectsLayout(
  given: readonly Cell[],
  { cellCountMatters, maxColumns }: LayoutRules,
): RejectsLayout {
  const headers = cellCountMatters ? given : withoutBlankEnd(given);
  const own = new Set([...headers.keys()].filter((column) => isOwn(headers[column])));
  const withoutOwn = (cells: readonly Cell[]): readonly Cell[] =>
    own.size === 0 ? cells : cells.filter((_, column) => !own.has(column));
  const original = withoutOwn(headers);
  const columns = [...original, OUTCOME_COLUMN, PROBLEMS_COLUMN];
  if (columns.length > maxColumns) throw tooWide();
  const beside = cellCountMatters
    ? Infinity
    : Math.min(MAX_CELLS_BESIDE, maxColumns - columns.length);
  return {
    headers: columns,
    row(cells, outcome, problems) {
      const isWide = cells.length > headers.length + beside;
      const kept = withoutOwn(isWide ? cells.slice(0, headers.length + beside) : cells);
      const added: Cell[] = [outcome, problems];
      // `concat` copies whole arrays at once: a row may have thousands of cells.
      if (kept.length > original.length)
        return kept.slice(0, original.length).concat(added, kept.slice(original.length));
      const missing = Array<Cell>(original.length - kept.length).fill(null);
      const isShort = cellCountMatters && cells.length < headers.length && isUntrusted(cells);
      return kept.concat(missing, added, isShort ? [SURPLUS] : []);
    },
  };
}

/** What a row that is too short has behind its last column, so that it is rejected again until it is mended. */
const SURPLUS = 'cardline:cells-missing';

/** A single cell is no row, and with a quote in it the cells of a short one may stand in other columns. */
function isUntrusted(cells: readonly Cell[]): boolean {
  return cells.length === 1 || cells.some((cell) => cell?.includes('"') === true);
}

function isOwn(header: Cell | undefined): boolean {
  const name = headerName(header ?? '');
  return name === OUTCOME_COLUMN || name === PROBLEMS_COLUMN;
}

function withoutBlankEnd(cells: readonly Cell[]): readonly Cell[] {
  const last = cells.findLastIndex((cell) => cell !== null && cell.trim() !== '');
  return cells.slice(0, last + 1);
}

function tooWide(): UsageError {
  return new UsageError(
    `The header fills the sheet, so that ${OUTCOME_COLUMN} and ${PROBLEMS_COLUMN} have no place beside it in the ` +
      `rejects. Remove columns that are not needed.`,
  );
}
