import { compareRuns as compare } from '../history/compare.js';
import { showRun } from '../history/runs.js';
import type { RunRecord } from '../core/ledger.js';
import type { ComparisonCounts, RowDifference } from '../report/compare.js';
import { type LedgerOptions, ledgerOf } from './ledger-of.js';

/** Options of `compareRuns`. */
export interface CompareRunsOptions extends LedgerOptions {
  /** Ids of the runs, which one ledger has. */
  readonly earlier: string;
  readonly later: string;
  /** Called with every row that is new, gone or ended differently, one after the other. */
  readonly onDifference?: (difference: RowDifference) => void;
}

/** Two runs of a ledger, and how many of their rows are alike. */
export interface ComparedRuns extends ComparisonCounts {
  readonly earlier: RunRecord;
  readonly later: RunRecord;
}

/**
 * Counts which rows are new, gone, ended differently or alike from one run to another, matched by uuid. What is held is
 * the uuids of the earlier run.
 * @throws InputError when there is no ledger, UsageError when it does not have the runs, LedgerError
 */
export async function compareRuns(options: CompareRunsOptions): Promise<ComparedRuns> {
  const { installation: _, ...request } = options;
  const ledger = await ledgerOf(options);
  const counts = await compare({ ...request, ledger });
  const earlier = await showRun(options.earlier, ledger);
  const later = await showRun(options.later, ledger);
  return { ...counts, earlier, later };
}
