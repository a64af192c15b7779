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
 * they are replaced. A row that is too short is filled up; cells beyond the last header follow the added ones, so that
 * the row has too many when it is read again, as it had before.
 */
export function rejectsLayout(headers: readonly Cell[]): RejectsLayout {
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
      while (kept.length < original.length) kept.push(null);
      return [...kept, outcome, inert(problems), ...surplus];
    },
  };
}
