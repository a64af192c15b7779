import type { SourceOptions } from '../../core/table/source.js';
import { openWithinLimits } from './open-within-limits.js';
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
): Promise<void> {
  for await (const batch of (await openWithinLimits(path, options)).batches()) {
    for (const row of batch) if (row.row > headerRow || row.sheet !== sheet) corrections.apply(row);
    if (corrections.isDone) return;
  }
  corrections.refuseLeft();
}
