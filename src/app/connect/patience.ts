import { DEFAULT_PATIENCE, type Patience } from '../../core/time.js';
import type { RunOptions } from '../requests.js';

/** How long a run goes on without one success. */
export function patienceOf({ giveUpAfterMs }: Pick<RunOptions, 'giveUpAfterMs'>): Patience {
  if (giveUpAfterMs === undefined) return DEFAULT_PATIENCE;
  return { atStart: giveUpAfterMs, later: giveUpAfterMs };
}
