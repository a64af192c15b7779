import type { RunRecord } from '../../core/ledger.js';

/** Whether an undo has come to its end, and has taken something back: once more it would find nothing to do. */
export const hasTakenBack = ({ state, outcomes }: RunRecord): boolean =>
  state === 'finished' && (outcomes?.undone ?? 0) > 0;
