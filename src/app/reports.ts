import { join } from 'node:path';
import type { RunLedger } from '../core/ledger.js';
import { CHANGING_MODES } from '../core/mode.js';
import { GOOD_OUTCOMES, OUTCOMES, noOutcomes, type OutcomeCounts } from '../core/outcome.js';
import { RepeatTally } from '../core/repeated.js';
import type { RowReport, Summary } from '../core/report.js';
import { writeReport } from '../report/report-csv.js';
import { writeSummary } from '../report/summary.js';
import { toldRows } from './run-rows.js';
import type { Work } from './work.js';

export interface ReportsRequest {
  readonly run: RunLedger;
  readonly work: Work;
  /** Folder for the reports. */
  readonly out: string;
  readonly identifierNames: readonly string[];
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
  const { run, out, work } = request;
  const report = join(out, 'report.csv');
  const outcomes = noOutcomes();
  const repeats = new RepeatTally();
  const rows = await writeReport({
    file: report,
    rows: counted(toldRows(work, run.rows()), outcomes, repeats),
    identifierNames: request.identifierNames,
    inputs: work.inputs,
    changes: CHANGING_MODES.has(work.mode),
    tells: work.inspect ? 'verdicts' : 'outcomes',
  });
  const rejects = hasRejects(outcomes) ? await work.writeRejects(out, rowsAgain(run)) : [];
  const summary: Summary = {
    run: run.run,
    mode: work.mode,
    rows,
    outcomes,
    ...(work.inspect ? { repeated: repeats.repeated } : {}),
    requests: request.requests,
    retries: request.retries,
    seconds: request.seconds,
    rowsPerSecond: request.seconds > 0 ? rows / request.seconds : 0,
    ...(request.stopped ? { waiting: run.waiting() } : {}),
    state: request.stopped ? 'stopped' : 'finished',
    inputs: work.inputs,
    campaignId: work.campaign?.id ?? null,
  };
  await writeSummary(join(out, 'summary.json'), summary);
  return { summary, report, rejects };
}

/** The rows of a run, read anew each time. */
function rowsAgain(run: RunLedger): Iterable<RowReport> {
  return { [Symbol.iterator]: () => run.rows()[Symbol.iterator]() };
}

function* counted(
  rows: Iterable<RowReport>,
  outcomes: OutcomeCounts,
  repeats: RepeatTally,
): Generator<RowReport, void, undefined> {
  for (const row of rows) {
    outcomes[row.outcome]++;
    repeats.add(row);
    yield row;
  }
}

function hasRejects(counts: OutcomeCounts): boolean {
  return OUTCOMES.some((outcome) => !GOOD_OUTCOMES.has(outcome) && counts[outcome] > 0);
}
