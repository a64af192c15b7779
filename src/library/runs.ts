import {
  mappingTrend as trend,
  listRuns as list,
  runRows as rowsOf,
  showRun as show,
} from '../history/history.js';
import type { RunRecord } from '../core/ledger.js';
import type { RowReport } from '../core/report.js';
import type { Trend } from '../report/trend.js';
import { type LedgerOptions, ledgerOf } from './result.js';

/** A run of a ledger. */
export interface RunOfLedgerOptions extends LedgerOptions {
  /** Id of the run. */
  readonly run: string;
}

/** Options of `mappingTrend`. */
export interface MappingTrendOptions extends LedgerOptions {
  /** Path of the mapping file. */
  readonly mapping: string;
}

/** All runs of a ledger, the latest first, with their counts. @throws InputError when there is no ledger, LedgerError */
export async function listRuns(options: LedgerOptions = {}): Promise<RunRecord[]> {
  return list(await ledgerOf(options));
}

/** One run with its counts. @throws UsageError when the ledger does not have it; and as `listRuns` does */
export async function showRun(options: RunOfLedgerOptions): Promise<RunRecord> {
  return show(options.run, await ledgerOf(options));
}

/**
 * Every row of a run with its outcome, in order; of a run that is not at its end, those that it has got to. The ledger is
 * read as the rows are taken.
 * @throws as `showRun` does, with the first row
 */
export async function* runRows(
  options: RunOfLedgerOptions,
): AsyncGenerator<RowReport, void, undefined> {
  yield* rowsOf(options.run, await ledgerOf(options));
}

/**
 * How the rows of a mapping's files ended from run to run, so that a decline is seen.
 * @throws UsageError when no run is of the mapping; and as `listRuns` does
 */
export async function mappingTrend(options: MappingTrendOptions): Promise<Trend[]> {
  return trend(options.mapping, await ledgerOf(options));
}
