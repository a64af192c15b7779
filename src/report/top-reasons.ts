import type { Reason, ReasonTally } from './reasons.js';

/** Reasons that are shown at the end of a command. */
const SHOWN = 5;

/** The most frequent reasons why rows did not end well, and how many more there are. */
export interface TopReasons {
  readonly reasons: readonly Reason[];
  readonly more: number;
}

export function topReasons(tally: ReasonTally): TopReasons {
  const all = tally.list();
  const reasons = all.slice(0, SHOWN);
  return { reasons, more: all.length - reasons.length + tally.unlisted };
}
