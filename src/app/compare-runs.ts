import { comparisonJson, comparisonText } from '../report/compare-text.js';
import { differences, noCounts } from '../report/compare.js';
import { DEFAULT_LEDGER } from './defaults.js';
import { existingLedger, recordedRun } from './runs.js';

export interface ComparisonRequest {
  /** Ids of the runs. */
  readonly earlier: string;
  readonly later: string;
  /** @default 'cardline.db' */
  readonly ledger?: string | undefined;
  /** JSON with every row that differs, not a text with examples. */
  readonly json: boolean;
}

/**
 * Which rows are new, gone or ended differently from one run to another, matched by uuid, as pieces of text.
 * @throws InputError when there is no ledger, UsageError when it does not have the runs, LedgerError.
 */
export async function* comparisonLines(
  request: ComparisonRequest,
): AsyncGenerator<string, void, undefined> {
  const file = request.ledger ?? DEFAULT_LEDGER;
  const ledger = existingLedger(file);
  try {
    const earlier = recordedRun(ledger, file, request.earlier);
    const later = recordedRun(ledger, file, request.later);
    const counts = noCounts();
    const found = differences(() => ledger.rowsOf(earlier.run), ledger.rowsOf(later.run), counts);
    if (request.json) yield* comparisonJson({ earlier, later }, found, counts);
    else yield comparisonText({ earlier, later }, found, counts);
  } finally {
    await ledger.close();
  }
}
