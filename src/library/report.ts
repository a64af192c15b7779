import {
  type ReportFileRequest,
  reportLines as lines,
  type ReportRequest,
  writeReportFile,
} from '../history/report.js';
import { showRun } from '../history/runs.js';
import type { RunRecord } from '../core/ledger.js';
import type { LineFormat } from '../report/formats.js';
import { type LedgerOptions, ledgerOf } from './ledger-of.js';
import { refusePlaces } from './places.js';

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
  return { ...(await showRun(options.run, ledger)), file };
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
