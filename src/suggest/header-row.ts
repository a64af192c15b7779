import type { Row } from '../core/row.js';
import { noHeader, readHeader } from '../source/header.js';

/** The header of a table that nobody has a mapping for yet. */
export interface FoundHeader {
  readonly names: readonly string[];
  /** Row number of the header; of two rows, that of the lower one; `none` where there is none. */
  readonly row: number | 'none';
}

/** The one place where the header of a file is chosen. */
export function findHeader(
  rows: readonly Row[],
  place: { readonly file: string; readonly format: string },
): FoundHeader {
  const [first] = rows;
  if (!first) throw noHeader({ ...place, sheet: null, row: 1 });
  const { sheet, row, cells } = first;
  return { names: readHeader(cells, { ...place, sheet, row }), row };
}
