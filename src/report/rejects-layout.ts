import { UsageError } from '../core/errors.js';
import type { Outcome } from '../core/outcome.js';
import type { Cell } from '../core/row.js';
import { inert } from './inert.js';

/** The columns that a rejects file has beyond those of its input. */
export const OUTCOME_COLUMN = 'cardline:outcome';
export const PROBLEMS_COLUMN = 'cardline:problems';

/** Columns that a sheet of a workbook can have. */
const SHEET_COLUMNS = 16_384;

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
 * so far to the right that they do not fit any more are left out.
 * @throws UsageError when the two columns do not fit beside those of a workbook
 */
export function rejectsLayout(headers: readonly Cell[], format: 'csv' | 'xlsx'): RejectsLayout {
  const isOwn = (header: Cell | undefined): boolean =>
    header?.trim() === OUTCOME_COLUMN || header?.trim() === PROBLEMS_COLUMN;
  const withoutOwn = (cells: readonly Cell[]): Cell[] =>
    cells.filter((_, column) => !isOwn(headers[column]));
  const original = withoutOwn(headers);
  if (format === 'xlsx') while (isBlank(original.at(-1))) original.pop();
  const columns = [...original, OUTCOME_COLUMN, PROBLEMS_COLUMN];
  if (format === 'xlsx' && columns.length > SHEET_COLUMNS) throw tooWide();
  return {
    headers: columns,
    row(cells, outcome, problems) {
      const kept = withoutOwn(cells);
      const surplus = kept.splice(original.length);
      if (format === 'csv' && cells.length < headers.length) surplus.push(null);
      while (kept.length < original.length) kept.push(null);
      kept.push(outcome, inert(problems));
      return kept.concat(
        format === 'csv' ? surplus : surplus.slice(0, SHEET_COLUMNS - columns.length),
      );
    },
  };
}

/** Whether it is a cell, and an empty one. */
function isBlank(cell: Cell | undefined): boolean {
  return cell === null || cell?.trim() === '';
}

function tooWide(): UsageError {
  return new UsageError(
    `The header fills the sheet, so that ${OUTCOME_COLUMN} and ${PROBLEMS_COLUMN} have no place beside it in the ` +
      `rejects. Remove columns that are not needed.`,
  );
}
