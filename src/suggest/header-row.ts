import { headerName } from '../core/cell-text.js';
import type { Row } from '../core/table.js';
import {
  headerOf,
  type HeaderQuestion,
  lettersOf,
  LOOKED_AT,
  refuseDataAbove,
} from '../source/header-choice.js';
import { traitsOf } from '../source/formats.js';
import { noHeader, readHeader } from '../source/header.js';

/** The header of a table that nobody has a mapping for yet. */
export interface FoundHeader {
  readonly names: readonly string[];
  /** Of two rows, the names of the lower one. */
  readonly ownNames?: readonly string[];
  /** Row number of the header; of two rows, that of the lower one; `none` where there is none. */
  readonly row: number | 'none';
}

/**
 * Finds the header as a run finds it: where it is said to be, else by what the rows hold.
 * @throws InputError where there are no rows, no header in the row that was named, or rows of data above one that was not
 */
export function findHeader(
  all: readonly Row[],
  place: { readonly file: string; readonly format: string },
  question: HeaderQuestion = {},
): FoundHeader {
  // As many as a run looks at.
  const rows = typeof question.headerRow === 'number' ? all : all.slice(0, LOOKED_AT);
  const [first] = rows;
  if (!first) throw noHeader({ ...place, sheet: null, row: 1 });
  const { sheet } = first;
  const chosen = headerOf(rows, question);
  if (!chosen && typeof question.headerRow === 'number')
    throw noHeader({ ...place, sheet, row: question.headerRow });
  const last = chosen?.rows.at(-1);
  if (!chosen || !last) {
    const isText = traitsOf(place.format).storesEmptyCells;
    return { names: lettersOf(all, isText ? 'most' : 'longest'), row: 'none' };
  }
  const at = { ...place, sheet, row: last.row };
  const [upper = last] = chosen.rows;
  // As a run does: the draft would leave them out.
  if (question.headerRow === undefined)
    refuseDataAbove(rows.slice(0, rows.indexOf(upper)), rows.slice(rows.indexOf(last) + 1), at);
  const names = readHeader(chosen.names, at);
  if (chosen.rows.length === 1) return { names, row: last.row };
  return { names, ownNames: last.cells.map((cell) => headerName(cell ?? '')), row: last.row };
}
