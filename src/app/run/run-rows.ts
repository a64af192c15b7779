import type { RunRecord } from '../../core/ledger.js';
import type { RowReport } from '../../core/report.js';
import { createSeenKeys } from '../../dedup/seen.js';
import { withRepeats } from '../../reconcile/repeated.js';

/** The rows of a run as its reports tell of them: of a comparison, with remarks where rows repeat others. */
export function reportedRows(
  { mode, inputs }: Pick<RunRecord, 'mode' | 'inputs'>,
  rows: Iterable<RowReport>,
): Iterable<RowReport> {
  return mode === 'reconcile' ? comparedRows(inputs, rows) : rows;
}

function* comparedRows(
  inputs: readonly string[],
  rows: Iterable<RowReport>,
): Generator<RowReport, void, undefined> {
  const seen = createSeenKeys();
  try {
    yield* withRepeats(rows, inputs, seen);
  } finally {
    seen.close();
  }
}
