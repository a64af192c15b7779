import { isServerError, meaningOf } from '../core/errors.js';
import {
  ProblemCounts,
  SuppressedTally,
  noOutcomes,
  type Outcome,
  rowsIn,
} from '../core/outcome.js';
import { DuplicateTally, type Repeated, RepeatTally } from '../core/duplicates.js';
import type { RowReport, ChangedInput } from '../core/report.js';
import {
  addQuality,
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

/** Slots of a timeline at most: as many points as a chart shows well. */
const MAX_SLOTS = 240;
/** Width of a slot at the start, in milliseconds. */
const FIRST_WIDTH = 100;

interface TimedAnswer {
  /** Time of the answer, in milliseconds since the epoch. */
  readonly at: number;
  /** From the request to the end of the answer. */
  readonly milliseconds: number;
  readonly status: number;
}

/** Several answers that were logged as sums: `at` is the time of the last one, `milliseconds` the sum of their times. */
interface TimedAnswers extends TimedAnswer {
  readonly answers: number;
  readonly longest: number;
  /** Milliseconds from the first answer to the last. */
  readonly within: number;
}

/** A change of the permitted number of requests in flight, and of their size. */
interface LimitChange {
  /** Seconds from the beginning. */
  readonly second: number;
  readonly concurrency: number;
  readonly batchSize: number;
  readonly reason: string;
}

/** What is known of a run over time. */
export interface RunTimeline {
  readonly points: readonly TimelinePoint[];
  /** The first changes; `left`: how many more there were. */
  readonly changes: readonly LimitChange[];
  readonly left: number;
}

/** Changes that are kept; further ones are counted. */
const MAX_CHANGES = 500;

interface Slot {
  answers: number;
  /** Answers that completed rows: not server errors, nor requests to retry later. */
  completed: number;
  /** Milliseconds of all requests in flight, added up. */
  busy: number;
  total: number;
  longest: number;
}

/** What happened in one slot. */
export interface TimelinePoint {
  /** Seconds from the beginning to the start of the slot. */
  readonly second: number;
  /** Share of all rows that were completed in the slot, per second. */
  readonly completedPerSecond: number;
  /** Requests in flight, on average. */
  readonly concurrency: number;
  /** Milliseconds; `null` when no answer came. */
  readonly meanLatency: number | null;
  readonly longestLatency: number | null;
}

/** Answers over time in a limited number of slots: the longer the run, the wider they are. */
export class Timeline {
  private slots: Slot[] = [];
  private width = FIRST_WIDTH;
  private end = 0;
  private completed = 0;
  private readonly changes: LimitChange[] = [];
  private left = 0;

  /** @param start when the run began, in milliseconds since the epoch */
  constructor(
    private readonly start: number,
    private readonly maxSlots = MAX_SLOTS,
  ) {}

  add({ at, milliseconds, status }: TimedAnswer): void {
    const end = Math.max(0, at - this.start);
    this.end = Math.max(this.end, end);
    while (end >= this.width * this.maxSlots) this.widen();
    const slot = this.slot(Math.floor(end / this.width));
    const completed = isServerError(status) || meaningOf(status) === 'busy' ? 0 : 1;
    slot.answers++;
    slot.completed += completed;
    slot.total += milliseconds;
    slot.longest = Math.max(slot.longest, milliseconds);
    this.completed += completed;
    this.addBusyTime(Math.max(0, end - milliseconds), end);
  }

  /** Adds answers of which only sums are known, spread evenly, with one of them the longest. */
  addSeveral({ at, answers, milliseconds, longest, within, status }: TimedAnswers): void {
    const others = answers > 1 ? (milliseconds - longest) / (answers - 1) : longest;
    for (let index = 0; index < answers; index++) {
      const share = answers > 1 ? index / (answers - 1) : 1;
      const time = index === answers - 1 ? longest : others;
      this.add({ at: at - within * (1 - share), milliseconds: time, status });
    }
  }

  addChange({ at, ...change }: Omit<LimitChange, 'second'> & { readonly at: number }): void {
    if (this.changes.length === MAX_CHANGES) this.left++;
    else this.changes.push({ ...change, second: Math.max(0, at - this.start) / 1000 });
  }

  result(): RunTimeline {
    return { points: this.points(), changes: this.changes, left: this.left };
  }

  points(): TimelinePoint[] {
    const { width, end, completed } = this;
    const count = this.completed === 0 && this.slots.length === 0 ? 0 : Math.floor(end / width) + 1;
    return Array.from({ length: count }, (_, index) => {
      const slot = this.slot(index);
      // The last slot is rarely full; a tiny part of it would show a rate that is far off.
      const length = Math.max(width / 4, Math.min(width, end - index * width));
      return {
        second: (index * width) / 1000,
        completedPerSecond: completed === 0 ? 0 : slot.completed / completed / (length / 1000),
        concurrency: slot.busy / length,
        meanLatency: slot.answers === 0 ? null : slot.total / slot.answers,
        longestLatency: slot.answers === 0 ? null : slot.longest,
      };
    });
  }

  private slot(index: number): Slot {
    return (this.slots[index] ??= { answers: 0, completed: 0, busy: 0, total: 0, longest: 0 });
  }

  private addBusyTime(from: number, to: number): void {
    for (let index = Math.floor(from / this.width); index * this.width < to; index++) {
      const [left, right] = [index * this.width, (index + 1) * this.width];
      this.slot(index).busy += Math.min(to, right) - Math.max(from, left);
    }
  }

  private widen(): void {
    const narrow = this.slots;
    this.slots = [];
    this.width *= 2;
    // It passes over slots in which nothing was.
    narrow.forEach((from, index) => {
      const to = this.slot(index >> 1);
      to.answers += from.answers;
      to.completed += from.completed;
      to.busy += from.busy;
      to.total += from.total;
      to.longest = Math.max(to.longest, from.longest);
    });
  }
}

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
    if (this.report.weights) addQuality(this.seen, row);
    this.duplicates.add(row);
    for (const remark of row.remarks ?? []) this.remarks.add(remark, row.row);
    this.suppressed.addRow(row);
    return isShown(this.report, row) ? this.reasons.add(row) : null;
  }

  get rows(): number {
    return rowsIn(this.outcomes);
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
