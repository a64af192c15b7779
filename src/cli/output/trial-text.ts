import { type Trial, isWhole } from '../../run/trial.js';
import { counted } from '../../core/text.js';

/** That not all rows were read, and how many are left. */
export function trialText(trial: Trial, inputs: number): string {
  const { rows, first, last, left, hasMore } = trial;
  const [files, have] = inputs === 1 ? ['the file', 'has'] : ['the files', 'have'];
  if (rows === 0)
    return `This was a trial of rows that are not there: ${files} ${have} ${counted(left, 'row')}.`;
  const which =
    inputs > 1 ? counted(rows, 'row') : first === last ? `row ${first}` : `rows ${first}-${last}`;
  if (isWhole(trial)) return `This was a trial of ${which}: ${files} ${have} no other rows.`;
  const more = counted(left, 'more row');
  return `This was a trial of ${which}; ${files} ${have} ${hasMore ? 'at least ' : ''}${more}.`;
}
