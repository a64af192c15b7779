import { signal } from '@preact/signals';
import type { List } from '../../shared/list.js';
import { STEPS } from '../../shared/steps.js';

/** The last list that the server has told of. */
export const shownList = signal<List | null>(null);

/** Index of the last step that the list has reached. */
export function reached(list: string): number {
  const known = shownList.value;
  if (known?.id !== list) return 0;
  // A run has a result, however far it is.
  return STEPS.indexOf(known.run === null ? known.step : 'result');
}
