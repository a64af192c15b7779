import { type ConcurrencyState, type Decision, type Epoch, hold } from './controller-state.js';
import { turnDown, withTally } from './decide-refusals.js';
import { RISE, decideByScore } from './decide-score.js';
import { isMoreThanUsual, likelyShare, shareOf } from './refusals.js';

export type { ConcurrencyState, Decision, Epoch } from './controller-state.js';

/*
 * How many requests to keep in flight, decided from what the last ones showed. Pure: everything is in the state.
 *
 * What counts is the score of a concurrency n: n divided by how much longer answers take than with little load. It is
 * how many requests the contact center really works on at once; it stops rising when more in flight brings latency and
 * no throughput.
 *
 * The controller is in one of three phases, and decides after each epoch of requests:
 *
 * - `rising`, at the beginning: half as many again, as long as the score rises with them. When it does not, the
 *   controller goes to what the best score stands for, and holds. Where the limit is reached, it holds too.
 * - `holding`: nothing changes for some epochs. Then it tries one eighth more or fewer, in turns; at once, and fewer,
 *   when the score has fallen far below the usual one.
 * - `trying`: where the other concurrency is worth it, the controller tries on in that direction. Else it goes back and
 *   holds, for twice as many epochs as the last time.
 *
 * From each phase, refusals and timeouts take the concurrency down by a factor, or back to where a try began, and the
 * controller holds below that ceiling. It passes the ceiling only after some epochs, twice as many each time it meets it
 * again. When as many requests are refused below it, the load is not the reason: the ceiling is given up, and that
 * share of refusals counts as usual from then on.
 *
 * Requests of another size cannot be compared with those before: what is known of scores is forgotten.
 */

/** Requests in flight to begin with. */
export const FIRST_CONCURRENCY = 4;
const SMOOTHING = 0.1;

/** Whether there were so many refusals that a decision must not wait for the end of the epoch. */
export function isAlarming(
  { background }: ConcurrencyState,
  { answers, refused }: Pick<Epoch, 'answers' | 'refused'>,
): boolean {
  return isMoreThanUsual({ requests: answers + refused, refused }, background);
}

/** The state to begin with. `max`: how many requests may be in flight at most. */
export function initialConcurrency(max: number): ConcurrencyState {
  return {
    concurrency: Math.min(FIRST_CONCURRENCY, max),
    max,
    phase: { name: 'rising', last: null },
    ...{ best: 0, unit: 0, background: 0, ceiling: null },
  };
}

/** How many requests have to end before the next decision. */
export function epochLength({ concurrency, phase }: ConcurrencyState): number {
  switch (phase.name) {
    case 'rising':
      return Math.max(FIRST_CONCURRENCY, Math.ceil(concurrency / 2));
    case 'holding':
    case 'trying':
      return Math.max(8, 2 * concurrency);
  }
}

/** How long an epoch takes at least, in milliseconds: of many quick requests a few say little. */
export function epochTime({ phase }: ConcurrencyState): number {
  return phase.name === 'rising' ? 30 : 200;
}

/**
 * Requests of another size: scores before and after cannot be compared. What was well while it was still rising is a
 * reason to rise.
 */
export function afterOtherSize(state: ConcurrencyState): ConcurrencyState {
  const { phase, concurrency, max } = state;
  const unknown = { ...state, ...{ best: 0, unit: 0 } };
  if (phase.name !== 'rising') return { ...unknown, phase: hold(1) };
  const next = Math.min(Math.ceil(concurrency * RISE), max);
  // The reference costs were measured at this concurrency: there, answers took once their time.
  const last = { concurrency, score: concurrency };
  const known = { ...unknown, ...{ best: concurrency, unit: 1 } };
  return { ...known, concurrency: next, phase: { name: 'rising', last } };
}

/** Decides after an epoch. */
export function decide(state: ConcurrencyState, epoch: Epoch): Decision {
  const tally = { requests: epoch.answers + epoch.refused, refused: epoch.refused };
  const share = shareOf(tally);
  if (isAlarming(state, epoch)) return turnDown(state, tally);
  const background = state.background + SMOOTHING * (share - state.background);
  const quiet = withTally({ ...state, background: state.background === 0 ? 0 : background }, tally);
  if (!epoch.full || epoch.slowdown === null) return { state: quiet, reason: null };
  const score = epoch.concurrency / epoch.slowdown;
  // Where it is still rising, epochs are too short to say much about refusals.
  return decideByScore(
    quiet,
    state.phase.name === 'rising' ? score : score * (1 - likelyShare(tally, state.background)),
  );
}
