import type { Problem } from '../../core/problem.js';
import { CORRECTED } from '../../core/table/correction.js';
import type { Row } from '../../core/table/row.js';

/** Hidden rows are data like any other: a filter that was forgotten is no reason to lose them. */
const HIDDEN: Problem = {
  column: null,
  code: 'hidden_row',
  message: 'The row is hidden in its sheet, by hand or by a filter, and was read all the same.',
  value: null,
};

const MESSAGE = 'Corrected by hand.';

/** What a report says of a hidden row, and of corrected cells: their columns, and no values; `undefined`: nothing. */
export function remarksOn(
  { corrected, isHidden }: Row,
  headers: readonly string[],
): readonly Problem[] | undefined {
  const remarks = corrected?.map((at) => ({
    column: headers[at] ?? null,
    code: CORRECTED,
    message: MESSAGE,
    value: null,
  }));
  return isHidden ? [HIDDEN, ...(remarks ?? [])] : remarks;
}
