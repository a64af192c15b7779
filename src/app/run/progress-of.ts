import type { Progress } from '../../core/report.js';
import { type ReadSoFar, totalOf } from '../../pipeline/failures.js';
import type { ImportState } from '../../pipeline/import-ports.js';

/** Where a run stands, for the person: what was read and has not ended is still to be done. */
export function progressOf(
  state: ImportState,
  counted: ReadSoFar | undefined,
  seconds: number,
): Progress {
  const rows = Object.values(state.outcomes).reduce((sum, count) => sum + count, 0);
  const total = totalOf(state, counted).rows;
  return {
    rows,
    outcomes: { ...state.outcomes },
    share: total === 0 ? 0 : Math.min(1, rows / total),
    seconds,
  };
}
