import { type Cost, timeOf } from './costs.js';

/** How many clients a request may carry. */
export interface BatchSizeRange {
  readonly min: number;
  /** To begin with. */
  readonly first: number;
  readonly max: number;
}

/** What a request costs beside its clients should be no more than this share of the whole. */
const OVERHEAD = 0.05;
/** Sizes that are taken: multiples of each other as far as they can be, so that chunks of rows are cut without a rest. */
const SIZES = [50, 100, 125, 200, 250, 500, 1000];

/**
 * The smallest size at which what a request costs beside its clients hardly counts, and that is answered within
 * `longestMs`, in milliseconds. Fewer clients a request mean smaller losses when one goes wrong, and quicker answers.
 */
export function batchSizeFor(cost: Cost, range: BatchSizeRange, longestMs: number): number {
  const { perRequest, perClient } = cost;
  if (perClient === 0 && perRequest === 0) return range.first;
  const enough = perClient === 0 ? Infinity : (perRequest / perClient) * (1 / OVERHEAD - 1);
  // A cost that looks like nothing may be chance; too small a batch costs more than one that is too large.
  const worth = Math.max(enough, range.first);
  const sizes = SIZES.filter((size) => size >= range.min && size < range.max);
  const size = sizes.find((one) => one >= worth) ?? range.max;
  const quick = sizes.filter((one) => one <= size && timeOf(cost, one) <= longestMs);
  if (timeOf(cost, size) <= longestMs) return size;
  return quick.at(-1) ?? range.min;
}

/** The size after a request that had no answer in time: half as many, for the rest of the run. */
export function halved(size: number, { min }: BatchSizeRange): number {
  return Math.max(min, Math.floor(size / 2));
}
