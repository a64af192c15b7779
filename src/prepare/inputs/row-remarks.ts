import type { Problem } from '../../core/problem.js';
import { CORRECTED, type Row } from '../../core/table.js';

/** Hidden rows are data like any other: a filter that was forgotten is no reason to lose them. */
const HIDDEN: Problem = {
  column: null,
  code: 'hidden_row',
  message: 'The row is hidden in its sheet, by hand or by a filter, and was read all the same.',
  value: null,
};

const MESSAGE = 'Corrected by hand.';

/**
 * What a report says of a row that is hidden, whose cells a person has corrected, or whose text is read otherwise than it is written:
 * their columns, and no values; `undefined` where there is nothing to say.
 */
export function remarksOn(
  { corrected, isHidden, remarks }: Row,
  headers: readonly string[],
): readonly Problem[] | undefined {
  if (!corrected && !isHidden && !remarks) return undefined;
  const nameOf = (at: number | null): string | null => (at === null ? null : (headers[at] ?? null));
  const read = (remarks ?? []).map(({ column, code, message }) => ({
    ...{ column: nameOf(column), code, message, value: null },
  }));
  const mended = (corrected ?? []).map((at) => ({
    ...{ column: nameOf(at), code: CORRECTED, message: MESSAGE, value: null },
  }));
  return [...(isHidden ? [HIDDEN] : []), ...read, ...mended];
}
