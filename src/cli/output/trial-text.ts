import type { Trial } from '../../app/inputs/trial.js';
import { whole } from '../../core/text/whole.js';

/** That not all rows were read, and how many are left. */
export function trialText({ rows, first, last, left, hasMore }: Trial, inputs: number): string {
  const files = inputs === 1 ? 'the file has' : 'the files have';
  const more = hasMore ? `at least ${whole(left)} more rows` : `${whole(left)} more rows`;
  if (rows === 0)
    return `This was a trial of rows that are not there: ${files} ${whole(left)} rows.`;
  const which =
    inputs > 1 ? `${whole(rows)} rows` : first === last ? `row ${first}` : `rows ${first}-${last}`;
  return `This was a trial of ${which}; ${files} ${left === 1 && !hasMore ? '1 more row' : more}.`;
}
