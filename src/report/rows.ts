import { ProblemCounts, SuppressedTally } from '../core/problem.js';
import { DuplicateTally, type Repeated, RepeatTally } from '../core/duplicates.js';
import { noOutcomes, OUTCOMES, type Outcome } from '../core/outcome.js';
import { addRowQuality, type RowReport, type ChangedInput } from '../core/report.js';
import {
  type ListQuality,
  scoreOf,
  noQuality,
  type ListObservation,
  type QualityWeights,
} from '../core/quality.js';
import {
  reportKind,
  type ReportColumn,
  type TableCell,
  type ReportedRun,
  COLUMNS,
  type ColumnPart,
  type Layout,
} from './columns.js';
import { ReasonTally } from './reasons.js';
import type { RunRecord } from '../core/ledger.js';
import type { Cell } from '../core/table.js';
import type { RunTimeline } from './timeline.js';

/** Counts the rows of a report as they are iterated: all of them by outcome, the shown ones by reason. */
export class RowTally {
  readonly outcomes = noOutcomes();
  readonly reasons = new ReasonTally();
  /** What was left out of the rows. */
  readonly remarks = new ProblemCounts();
  /** What lists of numbers that must not be called did. */
  readonly suppressed = new SuppressedTally();
  /** Rows that were left out as duplicates, by code. */
  readonly duplicates = new DuplicateTally();
  private readonly repeats = new RepeatTally();
  private readonly seen = noQuality();

  constructor(
    private readonly report: Pick<
      RunReport,
      'run' | 'only' | 'weights' | 'leadPrice' | 'observations'
    >,
  ) {}

  /** Counts a row; returns the ids of its reasons, or `null` when the row is not shown. */
  add(row: RowReport): readonly number[] | null {
    this.outcomes[row.outcome]++;
    this.repeats.add(row);
    if (this.report.weights) addRowQuality(this.seen, row);
    this.duplicates.add(row);
    for (const remark of row.remarks ?? []) this.remarks.add(remark, row.row);
    this.suppressed.addRow(row);
    return isShown(this.report, row) ? this.reasons.add(row) : null;
  }

  get rows(): number {
    return OUTCOMES.reduce((sum, outcome) => sum + this.outcomes[outcome], 0);
  }

  /** How good the list is; `null` where the run has no score, or rows that have not ended. */
  get quality(): ListQuality | null {
    const { run, weights, leadPrice, observations } = this.report;
    if (!weights || run.waiting?.rows) return null;
    return scoreOf(this.seen, weights, leadPrice, observations);
  }

  /** Rows of a comparison that repeat others; `null` elsewhere, where these are among the reasons. */
  get repeated(): Repeated | null {
    return reportKind(this.report.run) === 'comparison' ? this.repeats.repeated : null;
  }
}

/** The columns of `report.csv`, with cells that keep their types and are not escaped. */
export interface ReportTable {
  readonly columns: readonly ReportColumn[];
  readonly cells: (row: RowReport) => TableCell[];
}

export function reportTable(report: RunReport): ReportTable {
  const run = reportedRun(report);
  const columns = reportColumns('table', run);
  return { columns, cells: (row) => columns.map(({ cell }) => cell(row, run)) };
}

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
const isShown = ({ only }: Pick<RunReport, 'only'>, { outcome }: RowReport): boolean =>
  only === null || only.has(outcome);

/** The rows that are shown. */
export function* shownRows(report: RunReport): Generator<RowReport, void, undefined> {
  for (const row of report.rows) if (isShown(report, row)) yield row;
}

/** Columns from left to right. On the page, what a person looks for comes first. */
const ORDERS: Readonly<Record<Layout, readonly ColumnPart[]>> = {
  table: [
    ...(['row', 'sheet', 'uuid', 'identifiers', 'outcome', 'result', 'problems'] as const),
    ...(['file', 'run'] as const),
  ],
  page: ['row', 'file', 'sheet', 'identifiers', 'outcome', 'result', 'problems', 'uuid'],
};

/** The columns of the report of a run in one layout, from left to right. */
export function reportColumns(layout: Layout, run: ReportedRun): ReportColumn[] {
  const kind = reportKind(run);
  const isIn = ({ only, onPage = only, isOnPageAlone }: ReportColumn): boolean => {
    if (layout === 'table') return !isOnPageAlone;
    return onPage === 'several inputs'
      ? run.inputs.length > 1
      : onPage === 'every run' || onPage === kind;
  };
  return ORDERS[layout].flatMap((part) => [
    ...(part === 'identifiers' ? identifierColumns(layout, run) : []),
    ...COLUMNS.filter((column) => column.part === part && isIn(column)),
  ]);
}

function identifierColumns(layout: Layout, run: ReportedRun): ReportColumn[] {
  const names = layout === 'table' ? distinctNames(run) : run.identifierNames;
  return names.map((name, at) => ({
    name,
    type: 'identifier',
    part: 'identifiers',
    cell: ({ identifiers }) => identifiers[at] ?? null,
  }));
}

/** Names of the identifiers as columns: a name that another column has gets `id:` before it. */
function distinctNames({ identifierNames }: ReportedRun): string[] {
  const taken = new Set(
    COLUMNS.filter(({ isOnPageAlone }) => !isOnPageAlone).map(({ name }) => name),
  );
  return identifierNames.map((name) => {
    let distinct = name;
    while (taken.has(distinct)) distinct = `id:${distinct}`;
    taken.add(distinct);
    return distinct;
  });
}

/** Counts of rows that repeat others, each with a label and a note; zeros are left out. */
export function repeatedFacts({
  identifiers,
  cards,
}: Repeated): (readonly [label: string, rows: number, note: string])[] {
  return [
    ['repeated identifiers', identifiers, 'identifiers that an earlier row has, too'] as const,
    ['shared cards', cards, "identifiers that belong to an earlier row's card"] as const,
  ].filter(([, rows]) => rows > 0);
}
