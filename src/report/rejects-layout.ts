import type { Outcome } from '../core/outcome.js';
import type { Cell } from '../core/row.js';
import { inert } from './inert.js';

/** The columns that a rejects file has beyond those of its input. */
export const OUTCOME_COLUMN = 'cardline:outcome';
export const PROBLEMS_COLUMN = 'cardline:problems';

/** How the rows of one input become rows of its rejects file. */
export interface RejectsLayout {
  readonly headers: readonly Cell[];
  /** Original cells as they are, then the two added ones. */
  row(cells: readonly Cell[], outcome: Outcome, problems: string): Cell[];
}

/**
 * Puts the two added columns after the last header. An input that has them already is a rejects file imported again:
 * they are replaced. Cells beyond the last header follow the added ones, and short rows are filled up.
 * @param countsCells whether the number of cells means something, as it does in CSV: a row that had too few or too
 *   many is not trusted, so it must not come out with the right number, or it would pass when it is imported again.
 */
export function rejectsLayout(headers: readonly Cell[], countsCells: boolean): RejectsLayout {
  const isOwn = (header: Cell | undefined): boolean =>
    header?.trim() === OUTCOME_COLUMN || header?.trim() === PROBLEMS_COLUMN;
  const withoutOwn = (cells: readonly Cell[]): Cell[] =>
    cells.filter((_, column) => !isOwn(headers[column]));
  const original = withoutOwn(headers);
  return {
    headers: [...original, OUTCOME_COLUMN, PROBLEMS_COLUMN],
    row(cells, outcome, problems) {
      const kept = withoutOwn(cells);
      const surplus = kept.splice(original.length);
      if (countsCells && cells.length < headers.length) surplus.push(null);
      while (kept.length < original.length) kept.push(null);
      return [...kept, outcome, inert(problems), ...surplus];
    },
  };
}
