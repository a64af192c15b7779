import { type ProblemCount, ProblemCounts } from '../core/problem.js';
import { DuplicateTally, type Repeated, RepeatTally } from '../core/duplicates.js';
import { noOutcomes, OUTCOMES } from '../core/outcome.js';
import { addRowQuality, type RowReport } from '../core/report.js';
import { type ListQuality, scoreOf, noQuality } from '../core/quality.js';
import { type SuppressedCount, SuppressedTally } from '../core/suppressed.js';
import { reportKind } from './columns.js';
import { ReasonTally } from './reasons.js';
import { isShown, type RunReport } from './run-report.js';

/** Counts the rows of a report as they are iterated: all of them by outcome, the shown ones by reason. */
export class RowTally {
  readonly outcomes = noOutcomes();
  readonly reasons = new ReasonTally();
  private readonly repeats = new RepeatTally();
  private readonly leftOut = new ProblemCounts();
  private readonly listed = new SuppressedTally();
  private readonly duplicateTally = new DuplicateTally();

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
    this.duplicateTally.add(row);
    for (const remark of row.remarks ?? []) this.leftOut.add(remark, row.row);
    this.listed.addRow(row);
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

  /** What was left out of the rows, the most frequent first. */
  get remarks(): readonly ProblemCount[] {
    return this.leftOut.list();
  }

  /** What lists of numbers that must not be called did, the one that did most first. */
  get suppressed(): readonly SuppressedCount[] {
    return this.listed.list();
  }

  /** Rows that were left out as duplicates, by code. */
  get duplicates(): readonly ProblemCount[] {
    return this.duplicateTally.list();
  }

  /** Rows of a comparison that repeat others; `null` elsewhere, where these are among the reasons. */
  get repeated(): Repeated | null {
    return reportKind(this.report.run) === 'comparison' ? this.repeats.repeated : null;
  }
}
