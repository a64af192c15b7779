import type { CheckState } from '../../../app/check/watch/check-state.js';
import type { ImportPlan } from '../../shared/run.js';
import { checkProblem } from '../checks/check-problem.js';
import type { CheckEnd } from '../checks/kept-check.js';

/** How many rows of a list would be sent, as far as its check has come. */
export interface RowsToSend extends Pick<ImportPlan, 'clients' | 'rejected' | 'estimated'> {
  /** Why the file cannot be read to its end; `null` when it can. */
  readonly problem: ImportPlan['problem'];
}

/** Of a smaller share of the file, nothing can be said of the whole. */
const MIN_SHARE = 0.01;

/** Nothing is known yet. */
export const UNKNOWN_ROWS: RowsToSend = {
  ...{ clients: null, rejected: 0, estimated: true },
  problem: null,
};

/** `end`: set once the check has ended. */
export function rowsToSend(
  { phase, share, clients, rejected }: Pick<CheckState, 'phase' | 'share' | 'clients' | 'rejected'>,
  end: CheckEnd | undefined,
): RowsToSend {
  if (end && 'error' in end) return { ...UNKNOWN_ROWS, problem: checkProblem(end.error).problem };
  if (phase === 'finished') return { clients, rejected, estimated: false, problem: null };
  if (share < MIN_SHARE) return UNKNOWN_ROWS;
  return { ...UNKNOWN_ROWS, clients: Math.round(clients / share), rejected };
}
