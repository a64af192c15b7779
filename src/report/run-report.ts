import type { ChangedInput, RowReport } from '../core/report.js';
import type { RunRecord } from '../core/ledger.js';
import type { ListObservation } from '../core/quality.js';
import type { QualityWeights } from '../core/quality-parts.js';
import type { Outcome } from '../core/outcome.js';
import type { Cell } from '../core/table.js';
import type { ReportedRun } from './columns.js';
import type { RunTimeline } from './timeline.js';

/** A run as its reports show it. */
export interface RunReport {
  readonly run: RunRecord;
  /** The ledger that has the run, as commands in any folder name it. */
  readonly ledger: string;
  /** Names of the synchronization identifiers, in the order of `RowReport.identifiers`. */
  readonly identifierNames: readonly string[];
  /** The rows in their order; they can be iterated once. */
  readonly rows: Iterable<RowReport>;
  /** Outcomes of the rows that are shown; `null` for all. Counts are of all rows in any case. */
  readonly only: ReadonlySet<Outcome> | null;
  /** What the parts of the list's score count for, and what a row cost; absent of runs without a score. */
  readonly weights?: QualityWeights | undefined;
  readonly leadPrice?: number | undefined;
  /** What was found out about the list as a whole. @default nothing */
  readonly observations?: readonly ListObservation[] | undefined;
  /** Name of the campaign, where it is known. */
  readonly campaignName?: string | undefined;
  /** Whether the run was made in a sandbox. @default false */
  readonly isSandbox?: boolean | undefined;
  /** Whether an undo of it has come to its end: nothing of it is left to correct. @default false */
  readonly isTakenBack?: boolean | undefined;
  /** Inputs that were changed while the run worked on them. @default none */
  readonly changedInputs?: readonly ChangedInput[] | undefined;
}

/** Columns of the input that the mapping chooses for the page (`report.show`). */
export interface ChosenColumns {
  readonly names: readonly string[];
  /**
   * The cells of a row, in the order of `names`; `null` when its file is gone or was changed since. Rows must be asked
   * for in their order, one after the other.
   */
  cells(row: RowReport): Promise<readonly Cell[] | null>;
  close(): Promise<void>;
}

/** A report with what only some formats need; it is loaded when they ask for it. */
export interface ReportSource extends RunReport {
  /** The rows once more, for a format that iterates them twice. */
  readonly rowsAgain: () => Iterable<RowReport>;
  /** The run over time; `null` when there is no record. */
  readonly timeline: () => Promise<RunTimeline | null>;
  /** The chosen columns; `null` when the mapping chooses none. The caller closes them. */
  readonly chosenColumns: () => ChosenColumns | null;
}

/** What the columns of a report depend on. */
export const reportedRun = ({
  run,
  identifierNames,
}: Pick<RunReport, 'run' | 'identifierNames'>): ReportedRun => ({
  run: run.run,
  mode: run.mode,
  inputs: run.inputs,
  identifierNames,
});

/** Whether a row is among those that are shown. */
export const isShown = ({ only }: Pick<RunReport, 'only'>, { outcome }: RowReport): boolean =>
  only === null || only.has(outcome);

/** The rows that are shown. */
export function* shownRows(report: RunReport): Generator<RowReport, void, undefined> {
  for (const row of report.rows) if (isShown(report, row)) yield row;
}
