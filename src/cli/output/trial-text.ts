import { type Trial, isWhole } from '../../app/inputs/trial.js';
import { whole } from '../../core/text/whole.js';

/** That not all rows were read, and how many are left. */
export function trialText(trial: Trial, inputs: number): string {
  const { rows, first, last, left, hasMore } = trial;
  const [files, have] = inputs === 1 ? ['the file', 'has'] : ['the files', 'have'];
  if (rows === 0)
    return `This was a trial of rows that are not there: ${files} ${have} ${whole(left)} rows.`;
  const which =
    inputs > 1 ? `${whole(rows)} rows` : first === last ? `row ${first}` : `rows ${first}-${last}`;
  if (isWhole(trial)) return `This was a trial of ${which}: ${files} ${have} no other rows.`;
  const more = left === 1 && !hasMore ? '1 more row' : `${whole(left)} more rows`;
  return `This was a trial of ${which}; ${files} ${have} ${hasMore ? 'at least ' : ''}${more}.`;
}
