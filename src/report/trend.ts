import { basename } from 'node:path';
import type { RunRecord } from '../core/ledger.js';
import { addRowQuality, type RowReport } from '../core/report.js';
import { type ListQuality, scoreOf, noQuality } from '../core/quality.js';
import { GOOD_OUTCOMES, noOutcomes, type OutcomeCounts } from '../core/outcome.js';
import type { RunReport } from './rows.js';
import { type Reason, ReasonTally, type RowPlace } from './reasons.js';

/** How the rows of one file of one run ended, in figures. */
export interface TrendFigures {
  readonly run: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly file: string;
  readonly rows: number;
  readonly outcomes: OutcomeCounts;
  /** Shares of the rows, 0 to 1: those that were rejected, and all that did not end well. */
  readonly rejectRate: number;
  readonly badRate: number;
}

/** The same, and why. */
export interface TrendPoint extends TrendFigures {
  /** Why rows were rejected, the most frequent reason first. */
  readonly rejects: readonly RejectReason[];
  /** How good the list was; absent of runs without a score. */
  readonly quality?: ListQuality;
}

/** A reason without the values of rows, which have no place in a history of files. */
export interface RejectReason extends Omit<Reason, 'id' | 'examples' | 'values'> {
  readonly examples: readonly RowPlace[];
}

/** The points of a source: files whose names differ in numbers only, such as the daily lists of a vendor. */
export interface Trend {
  readonly source: string;
  /** The earliest first. */
  readonly points: readonly TrendPoint[];
}

/** Name of the source of a file. */
export const sourceOf = (file: string): string => basename(file).replace(/\d+/g, '#');

/** One point for each file of a run that has rows. `weights`: what the parts of its score count for; observations are of all files. */
export function trendPoints(
  { run, createdAt, inputs }: RunRecord,
  rows: Iterable<RowReport>,
  { weights, observations }: Pick<RunReport, 'weights' | 'observations'> = {},
): TrendPoint[] {
  const files = inputs.map(() => ({
    ...{ rows: 0, outcomes: noOutcomes() },
    ...{ tally: new ReasonTally(), seen: noQuality() },
  }));
  for (const row of rows) {
    const file = files[row.input];
    if (!file) continue;
    file.rows++;
    file.outcomes[row.outcome]++;
    if (row.outcome === 'rejected') file.tally.add(row);
    if (weights) addRowQuality(file.seen, row);
  }
  return files.flatMap(({ rows: count, outcomes, tally, seen }, index) => {
    if (count === 0) return [];
    const quality = weights ? scoreOf(seen, weights, undefined, observations) : null;
    return {
      ...trendFigures({ run, createdAt }, inputs[index] ?? '', outcomes),
      rejects: tally.list().map(withoutValues),
      ...(quality ? { quality } : {}),
    };
  });
}

/** The figures of one file, of which it is known how its rows ended. */
export function trendFigures(
  { run, createdAt }: Pick<RunRecord, 'run' | 'createdAt'>,
  file: string,
  outcomes: OutcomeCounts,
): TrendFigures {
  const rows = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const good = [...GOOD_OUTCOMES].reduce((sum, outcome) => sum + outcomes[outcome], 0);
  const share = (part: number): number => (rows === 0 ? 0 : part / rows);
  return {
    ...{ run, createdAt, file, rows, outcomes },
    rejectRate: share(outcomes.rejected),
    badRate: share(rows - good),
  };
}

const withoutValues = ({ id: _, examples, values: __, ...reason }: Reason): RejectReason => ({
  ...reason,
  examples: examples.map(({ input, sheet, row }) => ({ input, sheet, row })),
});

/** The points by their sources, the source of the earliest file first. */
export function trendsOf(points: readonly TrendPoint[]): Trend[] {
  const bySource = new Map<string, TrendPoint[]>();
  for (const point of points.toSorted((a, b) => a.createdAt - b.createdAt)) {
    const source = sourceOf(point.file);
    bySource.set(source, [...(bySource.get(source) ?? []), point]);
  }
  return [...bySource].map(([source, its]) => ({ source, points: its }));
}
