import { join } from 'node:path';
import type { RunLedger } from '../core/ledger.js';
import { noOutcomes, type OutcomeCounts } from '../core/outcome.js';
import type { RowReport, Summary } from '../core/report.js';
import type { SourceOptions } from '../core/source.js';
import { writeReport } from '../report/report-csv.js';
import { writeSummary } from '../report/summary.js';
import type { InputFile, OpenedInput } from './prepare/plan.js';
import { writeRejects } from './rejects.js';

export interface ReportsRequest {
  readonly run: RunLedger;
  /** Folder for the reports. */
  readonly out: string;
  readonly files: readonly InputFile[];
  readonly inputs: readonly OpenedInput[];
  /** How the inputs were read. */
  readonly source: SourceOptions;
  readonly identifierNames: readonly string[];
  readonly campaignId: number | null;
  readonly requests: number;
  readonly retries: number;
  readonly seconds: number;
  readonly stopped: boolean;
}

export interface Reports {
  readonly summary: Summary;
  readonly report: string;
  readonly rejects: readonly string[];
}

/** Writes `report.csv`, the rejects and `summary.json` from the facts of the run: its counts are those of the report. */
export async function writeReports(request: ReportsRequest): Promise<Reports> {
  const { run, out, files, inputs, source } = request;
  const report = join(out, 'report.csv');
  const outcomes = noOutcomes();
  const names = inputs.map((input) => input.name);
  const rows = await writeReport({
    file: report,
    rows: counted(run.rows(), outcomes),
    identifierNames: request.identifierNames,
    inputs: names,
  });
  const rejects = hasRejects(outcomes)
    ? await writeRejects({ out, files, inputs, source, rows: run.rows() })
    : [];
  const summary: Summary = {
    run: run.run,
    rows,
    outcomes,
    requests: request.requests,
    retries: request.retries,
    seconds: request.seconds,
    rowsPerSecond: request.seconds > 0 ? rows / request.seconds : 0,
    ...(request.stopped ? { waiting: run.waiting() } : {}),
    state: request.stopped ? 'stopped' : 'finished',
    inputs: names,
    campaignId: request.campaignId,
  };
  await writeSummary(join(out, 'summary.json'), summary);
  return { summary, report, rejects };
}

function* counted(
  rows: Iterable<RowReport>,
  outcomes: OutcomeCounts,
): Generator<RowReport, void, undefined> {
  for (const row of rows) {
    outcomes[row.outcome]++;
    yield row;
  }
}

function hasRejects({ failed, rejected, enqueue_failed, unknown }: OutcomeCounts): boolean {
  return failed + rejected + enqueue_failed + unknown > 0;
}
