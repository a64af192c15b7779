import type { StartedRun } from '../../../run/watch.js';
import type { RunRecord } from '../../../core/ledger.js';
import type { RunMode } from '../../../core/mode.js';
import { OUTCOMES, type OutcomeCounts } from '../../../core/outcome.js';
import type { PageProblem } from '../../shared/errors.js';
import type { Live } from '../../shared/run.js';

type RunState = ReturnType<StartedRun['state']>;

/** Reasons that are shown. */
const SHOWN_REASONS = 8;

const STATES = {
  opening: 'opening',
  sending: 'running',
  pausing: 'pausing',
  paused: 'paused',
  stopping: 'stopping',
  finished: 'finished',
  stopped: 'stopped',
  failed: 'failed',
} as const satisfies Record<RunState['phase'], Live['state']>;

/** Rows by outcome, without those that no row has. */
export const outcomesOf = (counts: Readonly<Partial<OutcomeCounts>>): Live['outcomes'] =>
  OUTCOMES.flatMap((outcome) => {
    const count = counts[outcome] ?? 0;
    return count === 0 ? [] : [{ outcome, count }];
  });

/** What is known of a run beside its state. */
export interface Known {
  readonly run: string;
  readonly mode: RunMode;
  readonly problem: PageProblem | null;
  /** What words of the contact center look like: they may repeat values of a row. */
  readonly shown: (words: string) => string;
}

/** How a run of this process stands. */
export function liveOfState(state: RunState, { run, mode, problem, shown }: Known): Live {
  const { phase, rows, total, share, outcomes, waiting, warnings } = state;
  const { rowsPerSecond, inFlight, secondsLeft, seconds } = state;
  const isOpen = phase === 'finished' && outcomes.unknown > 0;
  return {
    ...{ run, mode, elsewhere: false, problem },
    state: isOpen ? 'open' : STATES[phase],
    ...{ rows, share, waiting, rowsPerSecond, inFlight, secondsLeft, seconds },
    of: total?.rows ?? null,
    estimated: total?.exact === false,
    outcomes: outcomesOf(outcomes),
    reasons: state.reasons.slice(0, SHOWN_REASONS).map(({ outcome, column, message, rows: count }) => ({
      ...{ outcome, column, rows: count },
      message: column === null ? shown(message) : message,
    })),
    warnings: [...warnings],
  };
}

/** How a run stands that another process works on, or none any more, by what is on record. */
export function liveOfRecord(record: RunRecord, now = Date.now()): Live {
  const { run, mode, state, rows, outcomes, waiting, createdAt, endedAt } = record;
  const isOver = state === 'finished' || state === 'open';
  return {
    ...{ run, mode, problem: null },
    state,
    elsewhere: state === 'running',
    rows: rows ?? 0,
    of: isOver ? rows : null,
    estimated: false,
    share: isOver ? 1 : 0,
    outcomes: outcomesOf(outcomes ?? {}),
    waiting: waiting?.rows ?? 0,
    ...{ rowsPerSecond: 0, inFlight: 0, secondsLeft: null },
    // Of one that broke off nobody knows when.
    seconds: state === 'broken_off' ? 0 : ((endedAt ?? now) - createdAt) / 1000,
    reasons: [],
    warnings: [],
  };
}
