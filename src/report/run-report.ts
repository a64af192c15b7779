import type { RunRecord } from '../core/ledger.js';
import { MODE_TRAITS } from '../core/mode.js';
import type { Outcome } from '../core/outcome.js';
import type { RowReport } from '../core/report.js';

/** A run as its reports show it. */
export interface RunReport {
  readonly run: RunRecord;
  /** Names of the synchronization identifiers, in the order of `RowReport.identifiers`. */
  readonly identifierNames: readonly string[];
  /** The rows in their order; to be taken once. */
  readonly rows: Iterable<RowReport>;
  /** Outcomes of the rows that are shown; `null` for all. Counts are of all rows in any case. */
  readonly only: ReadonlySet<Outcome> | null;
}

/** Whether a row is among those that are shown. */
export const isShown = ({ only }: Pick<RunReport, 'only'>, { outcome }: RowReport): boolean =>
  only === null || only.has(outcome);

/** The rows that are shown. */
export function* shownRows(report: RunReport): Generator<RowReport, void, undefined> {
  for (const row of report.rows) if (isShown(report, row)) yield row;
}

/** Whether the run changes clients: then a column tells what became of it. */
export const isChanging = ({ run }: Pick<RunReport, 'run'>): boolean =>
  MODE_TRAITS[run.mode].changes;

/** What a line tells: how a row ended, or what a comparison found of it. */
export const tellsOf = ({ run }: Pick<RunReport, 'run'>): 'outcomes' | 'verdicts' =>
  run.mode === 'reconcile' ? 'verdicts' : 'outcomes';
