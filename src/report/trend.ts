import { basename } from 'node:path';
import type { RunRecord } from '../core/ledger.js';
import { addRowQuality, type RowReport } from '../core/report.js';
import { type ListQuality, scoreOf, noQuality } from '../core/quality.js';
import { GOOD_OUTCOMES, noOutcomes, type OutcomeCounts } from '../core/outcome.js';
import { printableLine, shortenedInMiddle, whole, wrapped } from '../core/text.js';
import type { RunReport } from './rows.js';
import { columnMessage } from './text/words.js';
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

/** Reasons that are listed for a run. */
const MAX_REASONS = 3;

/**
 * Trends for a person: a line for each run, the change against the one before, and why rows were rejected.
 * @param width of the terminal in characters: where a line does not fit, a run has several
 */
export function trendText(
  mapping: string,
  trends: readonly Trend[],
  width = Number.POSITIVE_INFINITY,
): string {
  const named = shortenedInMiddle(`mapping ${printableLine(mapping)}`, width);
  return `${named}\n${trends.map((trend) => sourceText(trend, width)).join('')}`;
}

function sourceText({ source, points }: Trend, width: number): string {
  const hasScores = points.some(({ quality }) => quality !== undefined);
  const head = hasScores ? withScore(HEAD, 'quality') : HEAD;
  const isNarrow = head.trimEnd().length + (hasScores ? BAR + 2 : 0) > width;
  const lines = points.map((point, at) => {
    const cells = cellsOf(point, points[at - 1]);
    const score = hasScores ? scoreText(point) : null;
    const text = isNarrow ? narrow(cells, score, width) : line(...cells);
    const scored = score === null || isNarrow ? text : withScore(text, score);
    return scored + reasonsText(point, width);
  });
  const named = shortenedInMiddle(printableLine(source), width);
  return `\n${named}\n${isNarrow ? '' : head}${lines.join('')}`;
}

type Cells = readonly [
  day: string,
  run: string,
  rows: string,
  rejected: string,
  change: string,
  notWell: string,
];

const line = (...[day, run, ...figures]: Cells): string => {
  const right = figures.map((cell, at) => cell.padStart(at === 0 ? 11 : 10)).join('');
  return `  ${day.padEnd(10)}  ${run.padEnd(20)}${right}\n`;
};

/** Length of the bar of a score, in characters. */
const BAR = 20;
const POINTS = 100;

/** The score with a bar, so that a decline is seen; empty text of a run without one. */
function scoreText({ quality }: TrendPoint): string {
  if (!quality) return '';
  const filled = Math.round((quality.score / POINTS) * BAR);
  return `${String(quality.score).padStart(3)}  ${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
}

const withScore = (text: string, score: string): string => `${text.trimEnd()}   ${score}\n`;

const narrow = (
  [day, run, rows, rejected, change, notWell]: Cells,
  score: string | null,
  width: number,
): string => {
  const changed = change === '' ? '' : ` (${change})`;
  const quality = score ? `, quality ${score.trim().split(' ')[0] ?? ''}` : '';
  const facts = `${rows} rows, ${rejected} rejected${changed}, ${notWell} not well${quality}`;
  return `${wrapped('  ', `${day}  ${run}`, width)}\n${wrapped('    ', facts, width)}\n`;
};

const HEAD = line('begun', 'run', 'rows', 'rejected', 'change', 'not well');

function cellsOf(point: TrendPoint, before: TrendPoint | undefined): Cells {
  const { createdAt, run, rows, rejectRate, badRate } = point;
  const change = before === undefined ? '' : signed(rejectRate - before.rejectRate);
  const day = new Date(createdAt).toISOString().slice(0, 10);
  return [day, run, whole(rows), percent(rejectRate), change, percent(badRate)];
}

const reasonsText = ({ rejects }: TrendPoint, width: number): string =>
  rejects
    .slice(0, MAX_REASONS)
    .map((reason) => {
      const words = printableLine(columnMessage(reason));
      return `${wrapped(`      ${whole(reason.rows)}  `, words, width)}\n`;
    })
    .join('');

const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`;

/** In percentage points. */
const signed = (change: number): string =>
  `${change < 0 ? '-' : '+'}${(Math.abs(change) * 100).toFixed(1)}`;
