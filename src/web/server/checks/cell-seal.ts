import type { Correction } from '../../../core/table.js';
import type { CellPlace } from '../lists/corrections.js';
import { Refusal } from '../refusal.js';
import { Seal } from './seal.js';

/** A cell, and what the file holds in it. */
export type CellInFile = CellPlace & Pick<Correction, 'was'>;

const seal = new Seal<CellInFile>();

export const sealedCell = (cell: CellInFile): string => seal.close(cell);

/** @throws Refusal for one of an earlier start */
export function cellOf(sealed: string): CellInFile {
  const cell = seal.open(sealed);
  if (cell) return cell;
  throw new Refusal(409, {
    code: 'old_rows',
    sentence: 'cardline was started again since these rows were shown.',
    next: 'The page shows them anew: correct the cell again.',
  });
}

/** The correction of a cell, where it has one. */
export const correctionOf = (
  corrections: readonly Correction[],
  { sheet, row, column }: CellPlace,
): Correction | undefined =>
  corrections.find(
    (one) =>
      one.row === row && one.column.trim() === column.trim() && (one.sheet ?? sheet) === sheet,
  );
