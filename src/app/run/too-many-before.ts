import type { ProblemCount } from '../../core/problem.js';
import { whole } from '../../core/text.js';
import {
  type FailureLimit,
  type RowTotal,
  exceeds,
  limitText,
  totalOf,
  totalText,
} from '../../pipeline/failures.js';
import { TooManyStop } from '../../core/errors.js';
import type { CountedRows } from '../inputs/count-rows.js';

/** Reasons that are reported. */
const REASONS = 3;

/** What is known of a run before it sends anything. */
export interface Known {
  readonly counted: CountedRows;
  readonly limit: FailureLimit;
  /** Rows that the contact center refused in an earlier part of the run. */
  readonly refused: number;
  readonly isContinued: boolean;
}

/** Why a run is not to send anything (more): rows that surely end badly are more than is allowed. */
export function tooManyBefore({ counted, limit, refused, isContinued }: Known): TooManyStop | null {
  const total = totalOf({ rows: 0, share: 0 }, counted);
  const bad = counted.rejected + refused;
  if (!exceeds(bad, limit, total.rows)) return null;
  const what = refused > 0 ? 'are rejected or were refused' : 'are rejected';
  const end = isContinued ? 'so nothing more was sent' : 'so nothing was sent';
  const next = isContinued ? 'continues the run' : 'begins the import';
  return new TooManyStop(
    `${whole(bad)} of ${totalText(total)} rows ${what} (${shareText(bad, total)}), more than the ${limitText(limit)} that --max-failures allows, ${end}. ${reasonsText(counted.problems)}"cardline check" lists the rejected ones; a higher --max-failures ${next}.`,
  );
}

function shareText(part: number, { rows }: RowTotal): string {
  const percent = (part / rows) * 100;
  return `${percent < 10 ? Number(percent.toPrecision(2)) : Math.round(percent)} %`;
}

function reasonsText(problems: readonly ProblemCount[]): string {
  if (problems.length === 0) return '';
  const texts = problems
    .slice(0, REASONS)
    .map(
      ({ column, message, count }) =>
        `${whole(count)} x ${column === null ? '' : `${column}: `}${message.replace(/\.$/, '')}`,
    );
  return `Most frequent: ${texts.join('; ')}. `;
}
