import { UsageError } from '../../core/errors/errors.js';
import type { DuplicateRule } from '../../core/duplicates/duplicate-rule.js';
import type { RowRange } from '../../core/table/row-range.js';
import type { OpenedInput } from '../../prepare/plan.js';

/** What is known of the inputs that rows are sent of. */
export interface SentInputs {
  readonly inputs: readonly Pick<OpenedInput, 'headerRow' | 'info'>[];
  readonly duplicates: DuplicateRule;
}

/**
 * Refuses to send rows from the middle where rows are compared by phone. The first row with a phone wins, and the ledger
 * has no phones: a later run of all rows would send an earlier row with the same phone too.
 * @throws UsageError
 */
export function refuseMiddle(rows: RowRange | undefined, { inputs, duplicates }: SentInputs): void {
  if (rows === undefined || duplicates !== 'phone' || isBeginning(rows, inputs)) return;
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
