import {
  type ConcurrencyState,
  type Decision,
  FIRST_HOLD,
  LONGEST_HOLD,
  type Phase,
  type Scored,
  change,
  highest,
  hold,
} from './controller-state.js';

export const RISE = 1.5;
/** Share of what more in flight should bring at best, from which on it is worth it. */
const WORTH_RISING = 0.55;
const WORTH_MORE = 0.5;
/** Share of what fewer in flight should cost, up to which they are as good. */
const COSTS_NOTHING = 0.3;
/** A score that falls below this share of the usual one asks for a try at once. */
const FALLEN = 0.7;
/** Requests below a ceiling after which it is sure whether its refusals came of the load. */
const SURE = 40;

/** Decides after an epoch in which no more was refused than usual, from how its score compares. */
export function decideByScore(state: ConcurrencyState, score: number): Decision {
  const { phase, concurrency } = state;
  const seen = {
    ...state,
    best: Math.max(state.best, score),
    unit: Math.max(state.unit, score / concurrency),
  };
  switch (phase.name) {
    case 'rising':
      return rise(seen, phase.last, { concurrency, score });
    case 'holding':
      return holdOn(seen, phase, score);
    case 'trying':
      return endTry(seen, phase, score);
  }
}

function rise(state: ConcurrencyState, last: Scored | null, now: Scored): Decision {
  if (
    last &&
    now.score < last.score * (1 + WORTH_RISING * (now.concurrency / last.concurrency - 1))
  ) {
    // So many are worked on at once; a hair above is chance.
    const enough = Math.ceil(state.best / state.unit - 0.05);
    return change(
      { ...state, phase: hold(-1) },
      enough,
      'more in flight bring latency and no throughput',
    );
  }
  const next = Math.min(Math.ceil(now.concurrency * RISE), highest(state, 0));
  if (next <= now.concurrency) return { state: { ...state, phase: hold(-1) }, reason: null };
  return change(
    { ...state, phase: { name: 'rising', last: now } },
    next,
    'answers come as quickly',
  );
}

function holdOn(
  state: ConcurrencyState,
  { scores: before, epochs, direction }: Extract<Phase, { name: 'holding' }>,
  score: number,
): Decision {
  const scores = [...before, score];
  const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
  const hasFallen = score < FALLEN * mean;
  if (scores.length < epochs && !hasFallen) {
    const phase: Phase = { name: 'holding', scores, epochs, direction };
    return { state: { ...state, phase }, reason: null };
  }
  // Fewer in flight would show less of where refusals come from.
  const isOpen = state.ceiling !== null && state.ceiling.below.requests < SURE;
  const way = hasFallen ? -1 : isOpen ? 1 : direction;
  const from = { concurrency: state.concurrency, score: hasFallen ? score : mean };
  return tryOther(state, from, way, epochs);
}

function tryOther(
  state: ConcurrencyState,
  from: Scored,
  direction: 1 | -1,
  epochs: number,
): Decision {
  const step = Math.max(1, Math.round(from.concurrency / 8));
  const wanted = from.concurrency + direction * step;
  const next = Math.max(1, Math.min(wanted, highest(state, epochs)));
  if (next === from.concurrency || next > from.concurrency !== direction > 0)
    return {
      state: { ...state, phase: hold(direction === 1 ? -1 : 1, longer(epochs)) },
      reason: null,
    };
  const phase: Phase = { name: 'trying', from, epochs, direction };
  return change({ ...state, phase }, next, direction === 1 ? 'trying more' : 'trying fewer');
}

function endTry(
  state: ConcurrencyState,
  { from, epochs, direction }: Extract<Phase, { name: 'trying' }>,
  score: number,
): Decision {
  const { concurrency } = state;
  const difference = concurrency / from.concurrency - 1;
  const wanted = from.score * (1 + (direction === 1 ? WORTH_MORE : COSTS_NOTHING) * difference);
  if (score >= wanted) {
    const isAbove = state.ceiling !== null && concurrency >= state.ceiling.concurrency;
    const ceiling = isAbove ? null : state.ceiling;
    return tryOther({ ...state, ceiling }, { concurrency, score }, direction, FIRST_HOLD);
  }
  const other = direction === 1 ? -1 : 1;
  const why = direction === 1 ? 'more brought no throughput' : 'fewer cost throughput';
  return change({ ...state, phase: hold(other, longer(epochs)) }, from.concurrency, why);
}

const longer = (epochs: number): number => Math.min(2 * epochs, LONGEST_HOLD);
