import { join } from 'node:path';
import type { Outcome } from '../../core/outcome.js';
import type { Ledger } from '../../ledger/ledger.js';
import {
  FORMATS,
  formatOfFile,
  type LineFormat,
  type ReportFormat,
} from '../../report/formats.js';
import type { ReportSource } from '../../report/run-report.js';
import { reportPieces, writeReportAs } from '../../report/write-report.js';
import { DEFAULT_LEDGER } from '../defaults.js';
import { aboutRun, namesOf } from './about-run.js';
import { outputPlace } from '../output-place.js';
import { outputFile } from './output-file.js';
import { reportedRows } from '../run/run-rows.js';
import { runTimeline } from './run-timeline.js';
import { recordedRun } from './recorded-run.js';
import { existingLedger } from './runs.js';

export interface ReportRequest {
  /** Id of the run. */
  readonly run: string;
  /** Outcomes, or verdicts of a comparison, of the rows to show; counts are of all rows in any case. @default all */
  readonly outcomes?: readonly Outcome[] | undefined;
  /** @default 'cardline.db' */
  readonly ledger?: string | undefined;
}

/**
 * The report of a run, finished or not, as pieces of text of some size. The ledger is read as they are taken; memory does
 * not grow with the rows. `format`: `csv`, `jsonl` or `text`.
 * @throws InputError when there is no ledger, UsageError when it does not have the run, LedgerError.
 */
export async function* reportLines(
  request: ReportRequest & { readonly format: LineFormat },
): AsyncGenerator<string, void, undefined> {
  const { ledger, report } = await openReport(request);
  try {
    yield* reportPieces(request.format, report);
  } finally {
    await ledger.close();
  }
}

/** A report that is written into a file. */
export interface ReportFileRequest extends ReportRequest {
  /** @default what the ending of `file` says; without `file`, csv */
  readonly format?: ReportFormat | undefined;
  /** Path of the file; its folder is made when it is missing. @default one in the run's folder */
  readonly file?: string | undefined;
  /** Whether `file` replaces what is there. @default false */
  readonly force?: boolean | undefined;
}

/**
 * Writes the report of a run, finished or not, into a file that appears whole or not at all, and resolves with its
 * absolute path. Memory does not grow with the rows.
 * @throws UsageError when the file's ending says no format, or the file is there and may not be replaced; OutputError when it cannot
 * be written; and as `reportLines` does.
 */
export async function writeReportFile(request: ReportFileRequest): Promise<string> {
  const { file, ledger: ledgerFile = DEFAULT_LEDGER } = request;
  // Whoever names a folder, or the ledger, gets that error first.
  if (file !== undefined) {
    outputFile(file, ledgerFile);
    outputPlace(file, request.force === true);
  }
  const format = request.format ?? (file === undefined ? 'csv' : formatOfFile(file));
  const { ledger, report } = await openReport(request);
  try {
    const path = outputFile(file ?? join(report.run.out, nameOf(format, report)), ledgerFile);
    await writeReportAs(format, path, report);
    return path;
  } finally {
    await ledger.close();
  }
}

/** `report.csv` is the one that the run itself writes. */
function nameOf(format: ReportFormat, { only }: ReportSource): string {
  const part = only === null ? '' : `-${[...only].join('-')}`;
  return `report${part}${FORMATS[format].ending}`;
}

async function openReport({
  run: wanted,
  outcomes,
  ledger: file = DEFAULT_LEDGER,
}: ReportRequest): Promise<{ readonly ledger: Ledger; readonly report: ReportSource }> {
  const ledger = await existingLedger(file);
  try {
    const run = await recordedRun(ledger, file, wanted);
    const names = await namesOf(ledger, run);
    const rows = await ledger.rowsOf(run.run);
    const waiting = run.state === 'finished' ? {} : { waiting: await ledger.waitingOf(run.run) };
    const report = {
      run: { ...run, ...waiting },
      identifierNames: names,
      rows: reportedRows(run, rows),
      only: outcomes ? new Set(outcomes) : null,
      rowsAgain: () => rows,
      timeline: () => runTimeline(run),
      ...(await aboutRun(ledger, run.run)),
    };
    return { ledger, report };
  } catch (error) {
    await ledger.close();
    throw error;
  }
}
