import {
  columnMessage,
  GOOD_OUTCOMES,
  type Outcome,
  OUTCOMES,
  noOutcomes,
  type OutcomeCounts,
  rowsIn,
  failuresIn,
} from '../core/outcome.js';
import type { RunRecord } from '../core/ledger.js';
import { printableLine, wrapped, whole, shortenedInMiddle } from '../core/text.js';
import { aligned, placeText } from '../report/text/words.js';
import type { RowReport } from '../core/report.js';
import { type RowPlace, type Reason, ReasonTally } from '../report/reasons.js';
import { basename } from 'node:path';
import { addQuality, type ListQuality, scoreOf, noQuality } from '../core/quality.js';
import type { RunReport } from '../report/rows.js';

/** Two runs that are compared. */
export interface RunPair {
  readonly earlier: RunRecord;
  readonly later: RunRecord;
}

/** Rows that are listed for each kind of difference. */
const MAX_EXAMPLES = 10;

/**
 * A comparison for a person: how many rows differ and how, with examples.
 * @param width of the terminal in characters; without it, nothing is wrapped
 */
export function comparisonText(
  { earlier, later }: RunPair,
  steps: Iterable<ComparisonStep>,
  counts: ComparisonCounts,
  width?: number,
): string {
  const ways = new Map<string, ComparedWay>();
  for (const step of steps) if (step) noteWay(ways, step);
  const [before, after] = counts.withoutUuid;
  const head = aligned(
    [
      ['new', whole(counts.new), `in ${later.run} alone`],
      ...(counts.endedWell > 0
        ? ([
            ['ended well', whole(counts.endedWell), `in ${earlier.run}, so not in its rejects`],
          ] as const)
        : []),
      ['gone', whole(counts.gone), `in ${earlier.run} alone`],
      ['changed', whole(counts.changed), 'ended differently'],
      ['same', whole(counts.same), 'ended alike'],
      ['without uuid', whole(before + after), `${whole(before)} before, ${whole(after)} after`],
    ],
    width,
  );
  const parts = frequentFirst(ways).map((way) => {
    const lines = way.examples.map(({ kind, place, uuid }) => {
      const { inputs } = kind === 'gone' ? earlier : later;
      return printableLine(`row ${placeText(place, inputs)}  ${uuid}`);
    });
    if (way.rows > lines.length) lines.push('…');
    const text = lines.map((line) => `${wrapped('  ', line, width)}\n`).join('');
    return `\n${wayText(way)}: ${whole(way.rows)}\n${text}`;
  });
  return `${wrapped('', `from ${earlier.run} to ${later.run}`, width)}\n${head}${parts.join('')}`;
}

function wayText({ before, after }: Pick<RowDifference, 'before' | 'after'>): string {
  if (before === null) return `new, ${after ?? ''}`;
  return after === null ? `gone, was ${before}` : `${before} -> ${after}`;
}

/** Rows that went one way, and the first of them. */
export interface ComparedWay extends Pick<RowDifference, 'before' | 'after'> {
  rows: number;
  readonly examples: RowDifference[];
}

/** Counts a difference among those of rows that went the same way. */
export function noteWay(ways: Map<string, ComparedWay>, difference: RowDifference): void {
  const { before, after } = difference;
  const key = `${before} ${after}`;
  const way = ways.get(key) ?? { before, after, rows: 0, examples: [] };
  ways.set(key, way);
  way.rows++;
  if (way.examples.length < MAX_EXAMPLES) way.examples.push(difference);
}

/** The ways that rows went, the most frequent first. */
export const frequentFirst = (ways: ReadonlyMap<string, ComparedWay>): ComparedWay[] =>
  [...ways.values()].sort((a, b) => b.rows - a.rows);

/** A comparison as JSON, every row that differs in it, piece by piece. */
export function* comparisonJson(
  { earlier, later }: RunPair,
  steps: Iterable<ComparisonStep>,
  counts: ComparisonCounts,
): Generator<string, void, undefined> {
  const runs = { earlier: earlier.run, later: later.run };
  yield `${JSON.stringify(runs).slice(0, -1)},"rows":[`;
  let between = '\n';
  for (const step of steps) {
    if (!step) continue;
    const { place, ...difference } = step;
    const { inputs } = difference.kind === 'gone' ? earlier : later;
    const { input, ...where } = place;
    yield between + JSON.stringify({ ...difference, file: inputs[input] ?? null, ...where });
    between = ',\n';
  }
  yield `],\n"counts":${JSON.stringify(counts)}}\n`;
}

/** A row that is in one run only, or ended differently. `place` is in the later run; of a row that is gone, in the earlier one. */
export interface RowDifference {
  readonly kind: 'new' | 'gone' | 'changed';
  readonly uuid: string;
  /** Outcome in the earlier run; `null` when it was not there. */
  readonly before: Outcome | null;
  readonly after: Outcome | null;
  readonly place: RowPlace;
}

/** What one row more of two runs that are compared tells; `null`: no difference, so that others can be given way to. */
type ComparisonStep = RowDifference | null;

/** How two runs compare, counted while the steps are iterated. */
export interface ComparisonCounts {
  new: number;
  gone: number;
  changed: number;
  same: number;
  /** Rows that ended well before, and so are not in the rejects that the later run is of. */
  endedWell: number;
  /** Rows of the earlier and the later run without a uuid, which cannot be matched. */
  readonly withoutUuid: [before: number, after: number];
}

export const noCounts = (): ComparisonCounts => ({
  new: 0,
  gone: 0,
  changed: 0,
  same: 0,
  endedWell: 0,
  withoutUuid: [0, 0],
});

const MATCHED = -1;

/**
 * Compares two runs row by row, matched by uuid: first come the rows of the later run in its order, then those that are
 * gone. Of several rows with one uuid the first one counts. Memory grows with the uuids of the earlier run.
 *
 * @param earlier returns the rows of the earlier run; called twice
 * @param counts incremented during the iteration
 * @param ofRejects whether the later run is of the rejects of the earlier one: its rows may have another uuid and are known
 * by their identifiers as well, and rows that ended well before are not expected in it
 */
export function* comparisonSteps(
  earlier: () => Iterable<RowReport>,
  later: Iterable<RowReport>,
  counts: ComparisonCounts,
  ofRejects = false,
): Generator<ComparisonStep, void, undefined> {
  const outcomes = new Map<string, number>();
  /** The uuids of rows that did not end well, by their identifiers. */
  const rejected = new Map<string, string>();
  for (const row of earlier()) {
    if (row.uuid === null) counts.withoutUuid[0]++;
    else if (!outcomes.has(row.uuid)) {
      outcomes.set(row.uuid, OUTCOMES.indexOf(row.outcome));
      const key = ofRejects && !GOOD_OUTCOMES.has(row.outcome) ? keyOf(row) : null;
      if (key !== null && !rejected.has(key)) rejected.set(key, row.uuid);
    }
    yield null;
  }
  for (const row of later) {
    const own = row.uuid === null || outcomes.has(row.uuid) ? row.uuid : null;
    const uuid = own ?? rejected.get(keyOf(row) ?? '') ?? row.uuid;
    if (uuid === null) counts.withoutUuid[1]++;
    yield uuid === null ? null : inLater(row, uuid, outcomes, counts);
  }
  for (const row of earlier()) {
    const { uuid, outcome: before } = row;
    let step: ComparisonStep = null;
    if (uuid !== null && outcomes.get(uuid) !== MATCHED) {
      outcomes.set(uuid, MATCHED);
      if (ofRejects && GOOD_OUTCOMES.has(before)) counts.endedWell++;
      else {
        counts.gone++;
        step = { kind: 'gone', uuid, before, after: null, place: placeOf(row) };
      }
    }
    yield step;
  }
}

/** What a row of the later run differs in; `null` where it does not, or another one of its uuid was first. */
function inLater(
  row: RowReport,
  uuid: string,
  outcomes: Map<string, number>,
  counts: ComparisonCounts,
): ComparisonStep {
  const known = outcomes.get(uuid);
  if (known === MATCHED) return null;
  outcomes.set(uuid, MATCHED);
  const { outcome: after } = row;
  const before = known === undefined ? null : (OUTCOMES[known] ?? null);
  const kind = before === null ? 'new' : before === after ? 'same' : 'changed';
  counts[kind]++;
  return kind === 'same' ? null : { kind, uuid, before, after, place: placeOf(row) };
}

/** The identifiers of a row as one text; `null` where one is missing. */
const keyOf = ({ identifiers }: RowReport): string | null =>
  identifiers.length === 0 || identifiers.includes(null)
    ? null
    : JSON.stringify(identifiers.map(String));

const placeOf = ({ input, sheet, row }: RowPlace): RowPlace => ({ input, sheet, row });

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
    if (weights) addQuality(file.seen, row);
  }
  return files.flatMap(({ rows: count, outcomes, tally, seen }, index) => {
    if (count === 0) return [];
    const quality = weights ? scoreOf(seen, weights, undefined, observations) : null;
    return {
      ...trendFigures({ run, createdAt }, inputs[index] ?? '', outcomes),
      rejects: tally.list().map(({ id: _, examples, values: __, ...reason }) => ({
        ...reason,
        examples: examples.map(placeOf),
      })),
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
  const rows = rowsIn(outcomes);
  const share = (part: number): number => (rows === 0 ? 0 : part / rows);
  return {
    ...{ run, createdAt, file, rows, outcomes },
    rejectRate: share(outcomes.rejected),
    badRate: share(failuresIn(outcomes)),
  };
}

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
  // In percentage points.
  const more = before === undefined ? null : (rejectRate - before.rejectRate) * 100;
  const change = more === null ? '' : `${more < 0 ? '-' : '+'}${Math.abs(more).toFixed(1)}`;
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
