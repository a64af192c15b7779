import { type ObservationScore, observationScore, type ListObservation } from './observations.js';
import {
  QUALITY_PART_NAMES,
  QUALITY_PARTS,
  type QualityPart,
  type QualityWeights,
} from './parts.js';
import type { PartCounts, QualityCounts } from './tally.js';

/** What a part of the score comes to. */
export interface PartScore extends Readonly<PartCounts> {
  /** Points, rounded to tenths, and how many there are. */
  readonly points: number;
  readonly of: number;
}

/** How good a list is. */
export interface ListQuality {
  /** From 0 to 100; 100 where no row loses a point, and nothing was found about the list as a whole. */
  readonly score: number;
  /** Rows that count, and those among them that are not sent. */
  readonly rows: number;
  readonly lost: number;
  /** Rows that do not count, since the mapping does not take them; absent where there are none. */
  readonly outside?: number;
  /** By part; one that was not looked at is absent. */
  readonly parts: Readonly<Partial<Record<QualityPart, PartScore>>>;
  /** What was found about the list as a whole; absent where nothing was. */
  readonly whole?: ObservationScore;
  /** What the lost rows cost, with the price of one. */
  readonly price?: number;
  readonly cost?: number;
}

/** The weights of the parts that are looked at. */
export function weightsOf(
  looked: ReadonlySet<QualityPart>,
  written: QualityWeights = {},
): QualityWeights {
  const weights = QUALITY_PART_NAMES.filter((part) => looked.has(part)).map(
    (part) => [part, written[part] ?? QUALITY_PARTS[part].weight] as const,
  );
  return Object.fromEntries(weights.filter(([, weight]) => weight > 0));
}

/**
 * The score of a list. Each part has a share of 100 points by its weight, and loses of it the share of rows with
 * something wrong in it; what was found about the list as a whole is taken off the sum. `null` where there is no row, or
 * no part counts.
 */
export function scoreOf(
  counts: QualityCounts,
  weights: QualityWeights,
  price?: number,
  observations: readonly ListObservation[] = [],
): ListQuality | null {
  const parts = QUALITY_PART_NAMES.filter((part) => (weights[part] ?? 0) > 0);
  const all = parts.reduce((sum, part) => sum + (weights[part] ?? 0), 0);
  if (counts.rows === 0 || all === 0) return null;
  const whole = observationScore(observations);
  let score = 100 - (whole?.points ?? 0);
  const scores = parts.map((part): readonly [QualityPart, PartScore] => {
    const its = counts.parts[part];
    const of = ((weights[part] ?? 0) / all) * 100;
    const lost = of * Math.min(1, its.rows / counts.rows);
    score -= lost;
    return [part, { ...its, points: tenths(of - lost), of: tenths(of) }];
  });
  const { rows, lost, outside } = counts;
  return {
    // Rounded down, but for the tiny errors of sums: a list with anything wrong has less than 100.
    score: Math.max(0, Math.floor(score + 1e-9)),
    ...{ rows, lost },
    ...(outside === 0 ? {} : { outside }),
    parts: Object.fromEntries(scores),
    ...(whole ? { whole } : {}),
    ...(price === undefined ? {} : { price, cost: Math.round(lost * price * 100) / 100 }),
  };
}

const tenths = (points: number): number => Math.round(points * 10) / 10;
