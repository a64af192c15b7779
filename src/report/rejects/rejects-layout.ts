import { UsageError } from '../../core/errors.js';
import type { Outcome } from '../../core/outcome.js';
import type { Cell } from '../../core/row.js';
import type { RejectsFormat } from '../../core/source.js';
import { inert } from '../text/inert.js';

/** The columns that a rejects file has beyond those of its input. */
export const OUTCOME_COLUMN = 'cardline:outcome';
export const PROBLEMS_COLUMN = 'cardline:problems';

/** Columns that a sheet of a workbook can have. */
const SHEET_COLUMNS = 16_384;
/** Cells beyond the last header that a rejected row of a workbook keeps: a note beside the table, not what strays. */
const CELLS_BESIDE = 256;

/** How the rows of one input become rows of its rejects file. */
export interface RejectsLayout {
  readonly headers: readonly Cell[];
  /** Original cells as they are, then the two added ones. */
  row(cells: readonly Cell[], outcome: Outcome, problems: string): Cell[];
}

/**
 * Puts the two added columns after the last header. An input that has them already is a rejects file imported again:
 * they are replaced. Cells beyond the last header follow the added ones, and short rows are filled up.
 *
 * In CSV the number of cells means something: a row that had too few or too many is not trusted, so it must not come
 * out with the right number, or it would pass when it is imported again. In a workbook it means nothing, and stray cells
 * far to the right, where they may not even fit any more, are left out.
 * @throws UsageError when the two columns do not fit beside those of a workbook
 */
export function rejectsLayout(given: readonly Cell[], format: RejectsFormat): RejectsLayout {
  const headers = format === 'csv' ? given : withoutBlankEnd(given);
  const own = new Set([...headers.keys()].filter((column) => isOwn(headers[column])));
  const withoutOwn = (cells: readonly Cell[]): readonly Cell[] =>
    own.size === 0 ? cells : cells.filter((_, column) => !own.has(column));
  const original = withoutOwn(headers);
  const columns = [...original, OUTCOME_COLUMN, PROBLEMS_COLUMN];
  if (format === 'xlsx' && columns.length > SHEET_COLUMNS) throw tooWide();
  const beside =
    format === 'csv' ? Infinity : Math.min(CELLS_BESIDE, SHEET_COLUMNS - columns.length);
  return {
    headers: columns,
    row(cells, outcome, problems) {
      const far = cells.length > headers.length + beside;
      const kept = withoutOwn(far ? cells.slice(0, headers.length + beside) : cells);
      const added: Cell[] = [outcome, inert(problems)];
      // Each as one copy: a row may have thousands of cells.
      if (kept.length > original.length)
        return kept.slice(0, original.length).concat(added, kept.slice(original.length));
      const missing = Array<Cell>(original.length - kept.length).fill(null);
      const short = format === 'csv' && cells.length < headers.length;
      return kept.concat(missing, added, short ? [null] : []);
    },
  };
}

function isOwn(header: Cell | undefined): boolean {
  const name = header?.trim();
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
