import type { Problem } from '../../core/problem.js';
import { CORRECTED } from '../../core/table/correction.js';
import type { Row } from '../../core/table/row.js';

const MESSAGE = 'Corrected by hand.';

/** What a report says of a row with corrected cells: their columns, and no values; `undefined` where there are none. */
export function remarksOn(
  { corrected }: Row,
  headers: readonly string[],
): readonly Problem[] | undefined {
  return corrected?.map((at) => ({
    column: headers[at] ?? null,
    code: CORRECTED,
    message: MESSAGE,
    value: null,
  }));
}
