import {
  type ReportFileRequest,
  reportLines as lines,
  type ReportRequest,
  writeReportFile,
  compareRuns as compare,
  mappingTrend as trend,
  listRuns as list,
  runRows as rowsOf,
  showRun as show,
} from '../history/history.js';
import type { RunRecord } from '../core/ledger.js';
import type { RowReport } from '../core/report.js';
import type { LineFormat } from '../report/formats.js';
import { type LedgerOptions, ledgerOf, refusePlaces } from './result.js';
import type { ComparisonCounts, RowDifference } from '../report/compare.js';
import type { Trend } from '../report/trend.js';

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

/** Options of `reportRun`. */
export interface ReportRunOptions extends ReportFileRequest, LedgerOptions {}

/** Options of `reportLines`. */
export interface ReportLinesOptions extends ReportRequest, LedgerOptions {
  readonly format: LineFormat;
}

/** A run, and where its report is. */
export interface ReportedRun extends RunRecord {
  /** Absolute path of the report. */
  readonly file: string;
}

/**
 * Writes the report of a run, finished or not, into a file that appears whole or not at all. Memory does not grow with the
 * rows.
 * @throws UsageError when the ledger does not have the run, the file's ending says no format, or the file may not be
 * replaced; InputError when there is no ledger; OutputError when the file cannot be written; LedgerError
 */
export async function reportRun(options: ReportRunOptions): Promise<ReportedRun> {
  refusePlaces(options, { file: 'file' });
  const { installation: _, ...request } = options;
  const ledger = await ledgerOf(options);
  const file = await writeReportFile({ ...request, ledger });
  return { ...(await show(options.run, ledger)), file };
}

/**
 * The same as pieces of text of some size, which end with line breaks. The ledger is read as they are taken.
 * @throws InputError, UsageError, LedgerError as `reportRun` does, with the first piece
 */
export async function* reportLines(
  options: ReportLinesOptions,
): AsyncGenerator<string, void, undefined> {
  const { installation: _, ...request } = options;
  yield* lines({ ...request, ledger: await ledgerOf(options) });
}

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
  const earlier = await show(options.earlier, ledger);
  const later = await show(options.later, ledger);
  return { ...counts, earlier, later };
}
