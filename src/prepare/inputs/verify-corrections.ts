import type { SourceOptions } from '../../core/table.js';
import { openWithinLimits } from './open-within-limits.js';
import { type NumberUses, withNumbersIn } from './shown-numbers.js';
import type { CellCorrections } from './corrections.js';
import type { OpenedInput } from '../plan.js';

/**
 * Reads an input as far as its last corrected row, so that nothing is sent before every correction is known to fit.
 * @throws InputError when one does not
 */
export async function verifyCorrections(
  corrections: CellCorrections,
  path: string,
  options: SourceOptions,
  { headerRow, sheet }: Pick<OpenedInput, 'headerRow' | 'sheet'>,
  uses: NumberUses,
): Promise<void> {
  const rows = (await openWithinLimits(path, options)).batches();
  for await (const batch of withNumbersIn(rows, uses)) {
    for (const row of batch) if (row.row > headerRow || row.sheet !== sheet) corrections.apply(row);
    if (corrections.isDone) return;
  }
  corrections.refuseLeft();
}
