import type { CheckOutcome, HitCount } from '../core/quality.js';
import { whole } from '../core/text.js';

/** How many rows may be as a check looks for. */
export type CheckLimit =
  | { readonly count: number }
  | { readonly percent: number }
  /** Of all rows of the list. */
  | { readonly min?: number | undefined; readonly max?: number | undefined };

interface ListCheck {
  /** What it counts, such as `invalid Mobile`. */
  readonly subject: string;
  readonly limit: CheckLimit;
  /** Whether nothing is sent where it does not hold. */
  readonly isStop: boolean;
}

/** Decides a check. `of`: rows of the list that count. */
export function decideCheck(
  { subject, limit, isStop }: ListCheck,
  { hits, examples }: HitCount,
  of: number,
): CheckOutcome {
  return {
    subject,
    holds: isWithin(limit, hits, of),
    else: isStop ? 'stop' : 'warn',
    rows: hits,
    of,
    limit: limitText(limit),
    examples,
  };
}

function isWithin(limit: CheckLimit, hits: number, of: number): boolean {
  if ('count' in limit) return hits <= limit.count;
  if ('percent' in limit) return hits * 100 <= limit.percent * of;
  const { min = 0, max = Number.POSITIVE_INFINITY } = limit;
  return hits >= min && hits <= max;
}

function limitText(limit: CheckLimit): string {
  if ('count' in limit) return limit.count === 0 ? 'none' : whole(limit.count);
  if ('percent' in limit) return `${limit.percent} %`;
  const { min, max } = limit;
  if (min === undefined) return `at most ${whole(max ?? 0)}`;
  return max === undefined ? `at least ${whole(min)}` : `${whole(min)} to ${whole(max)}`;
}
