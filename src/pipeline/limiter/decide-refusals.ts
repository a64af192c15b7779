import {
  type Ceiling,
  type ConcurrencyState,
  type Decision,
  LONGEST_HOLD,
  type Phase,
  change,
  hold,
} from './controller-state.js';
import { MAX_BACKGROUND, NOTHING, type Tally, isAsOften, shareOf, sumOf } from './refusals.js';

const TURN_DOWN = 0.7;
/** Requests below a ceiling after which it is decided whether its refusals came of the load. */
const ENOUGH = 12;
/** Epochs to hold before a concurrency is tried again at which requests were refused. */
const FIRST_PATIENCE = 3;

/** Counts what an epoch below the ceiling showed for it. */
export function withTally(state: ConcurrencyState, tally: Tally): ConcurrencyState {
  const { ceiling, concurrency } = state;
  if (!ceiling || concurrency >= ceiling.concurrency) return state;
  return { ...state, ceiling: { ...ceiling, below: sumOf(ceiling.below, tally) } };
}

/** Turns down, unless what is refused turns out to be refused as often with fewer requests in flight. */
export function turnDown(state: ConcurrencyState, tally: Tally): Decision {
  const { concurrency, ceiling, phase } = state;
  if (ceiling && concurrency < ceiling.concurrency && shareOf(tally) <= MAX_BACKGROUND) {
    const below = sumOf(ceiling.below, tally);
    // Whoever is alone is not refused for being too many.
    if (concurrency > 1 && below.requests < ENOUGH)
      return { state: { ...state, ceiling: { ...ceiling, below } }, reason: null };
    if (concurrency === 1 || isAsOften(below, ceiling.above))
      return takeForChance(state, ceiling, below);
  }
  // What was only tried goes back to what was well.
  const isTry = phase.name === 'trying' && phase.direction === 1;
  const fewer = isTry ? phase.from.concurrency : Math.round(concurrency * TURN_DOWN);
  const isKnown = ceiling !== null && concurrency >= ceiling.concurrency;
  const isDeeper = ceiling !== null && !isKnown;
  if (concurrency === 1)
    return {
      state: { ...state, phase: hold(1), ceiling: null, background: MAX_BACKGROUND },
      reason: null,
    };
  const next: Ceiling = {
    concurrency,
    from: isDeeper ? ceiling.from : concurrency,
    rising: isDeeper ? ceiling.rising : phase.name === 'rising',
    // As many as were in flight with it went well, or their refusals are still to come.
    above: { requests: Math.max(tally.requests, concurrency), refused: tally.refused },
    below: NOTHING,
    patience: isKnown ? Math.min(2 * ceiling.patience, LONGEST_HOLD) : FIRST_PATIENCE,
  };
  const lower = fewer === concurrency ? concurrency - 1 : fewer;
  return change({ ...state, phase: hold(1), ceiling: next }, lower, 'requests were refused');
}

function takeForChance(state: ConcurrencyState, ceiling: Ceiling, below: Tally): Decision {
  const background = Math.min(MAX_BACKGROUND, shareOf(sumOf(below, ceiling.above)));
  const phase: Phase = ceiling.rising ? { name: 'rising', last: null } : hold(1);
  return change(
    { ...state, phase, background, ceiling: null },
    ceiling.from,
    'requests are refused as often with fewer in flight',
  );
}
