import { UsageError } from '../../core/errors.js';
import type { DuplicateRule } from '../../core/duplicates.js';
import type { RowPart, RowRange } from '../../core/table.js';
import type { OpenedInput } from '../../prepare/plan.js';

/** What is known of the inputs that rows are sent of. */
export interface SentInputs {
  readonly inputs: readonly Pick<OpenedInput, 'headerRow' | 'info'>[];
  readonly duplicates: DuplicateRule;
}

/**
 * Refuses to send a part of the rows where that would send others than an import of all of them. The first row with a
 * phone wins, and what was sent may not be known by its phones: a later run of all rows would send an earlier row with the
 * same phone, too. Where the last row wins, that can be any row that a part leaves out.
 * @throws UsageError
 */
export function refuseOtherRows(
  { rows, limit }: RowPart,
  { inputs, duplicates }: SentInputs,
): void {
  const { by, keep } = duplicates;
  if (keep === 'last' && by.length > 0 && (rows ?? limit) !== undefined)
    throw new UsageError(
      'With "keep: last", the last of several rows is sent, and a part of the file does not show which one that is. Look ' +
        'at a part with check, or import all rows.',
    );
  if (rows === undefined || !by.includes('phone') || isBeginning(rows, inputs)) return;
  throw new UsageError(
    'With duplicates by phone, the first row with a phone is sent and later ones are skipped. Rows from the middle would ' +
      'be sent before it, and the phone twice. Try the first rows with --limit, or look at these with check --rows.',
  );
}

/** Whether no row before the range is left out: of the second table, those after the range of the first are. */
function isBeginning({ first }: RowRange, inputs: SentInputs['inputs']): boolean {
  const [input, ...others] = inputs;
  if (!input || others.length > 0 || input.info.sheets.length > 1) return false;
  return first <= input.headerRow + 1;
}
