const NOTHING: Tally = { requests: 0, refused: 0 };

/** Of more than this share of refusals, none is taken for chance. */
const MAX_BACKGROUND = 0.5;
/** How far above the usual share chance may take refusals, in standard deviations. */
const SIGMAS = 3;
/** Fewer refusals than these are never more than usual where some are usual. */
const CLUSTER = 4;
/** For how many requests the usual share of refusals stands. */
const USUAL = 30;
/** How far two shares may differ by chance, in standard deviations. */
const LIKELY = 1.3;

export const shareOf = ({ requests, refused }: Tally): number =>
  requests === 0 ? 0 : refused / requests;

const sumOf = (one: Tally, other: Tally): Tally => ({
  requests: one.requests + other.requests,
  refused: one.refused + other.refused,
});

/** Whether more were refused than chance makes of the usual share. */
export function isMoreThanUsual({ requests, refused }: Tally, usualShare: number): boolean {
  const usual = usualShare * requests;
  const isMore = refused > usual + SIGMAS * Math.sqrt(usual);
  return isMore && (usualShare === 0 || refused >= CLUSTER);
}

/** The share of refusals that is most likely: few requests say little against what is usual. */
export function likelyShare({ requests, refused }: Tally, usualShare: number): number {
  return (refused + usualShare * USUAL) / (requests + USUAL);
}

/** Whether one share falls short of the other by no more than chance makes likely. */
function isAsOften(one: Tally, other: Tally): boolean {
  const both = shareOf(sumOf(one, other));
  const deviation = Math.sqrt(both * (1 - both) * (1 / one.requests + 1 / other.requests));
  return shareOf(one) <= MAX_BACKGROUND && shareOf(other) - shareOf(one) <= LIKELY * deviation;
}

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

/** What some requests showed that were sent at one concurrency. */
export interface Epoch {
  readonly concurrency: number;
  readonly answers: number;
  /** Requests that were turned away or had no answer in time. */
  readonly refused: number;
  /** Time of the answers, in shares of what the same requests take with little load; `null` without answers. */
  readonly slowdown: number | null;
  /** Whether there always was another request waiting: else nobody knows what more in flight would bring. */
  readonly full: boolean;
}

interface Scored {
  readonly concurrency: number;
  readonly score: number;
}

/** Rising quickly at first; then holding, with a try at one more or one fewer now and then; or just turned down. */
type Phase =
  | { readonly name: 'rising'; readonly last: Scored | null }
  | {
      readonly name: 'holding';
      readonly scores: readonly number[];
      /** Epochs to hold before the next try, and which way that goes. */
      readonly epochs: number;
      readonly direction: 1 | -1;
    }
  | {
      readonly name: 'trying';
      readonly from: Scored;
      readonly epochs: number;
      readonly direction: 1 | -1;
    };

export interface ConcurrencyState {
  readonly concurrency: number;
  /** How many requests may be in flight at most. */
  readonly max: number;
  readonly phase: Phase;
  /** The best score so far, and the best per request in flight: how the contact center does with little load. */
  readonly best: number;
  readonly unit: number;
  /** Share of requests that is refused whatever the concurrency. */
  readonly background: number;
  /** Where there were more refusals than that. */
  readonly ceiling: Ceiling | null;
}

/** A concurrency at which more was refused than usual, and whether that came of it. */
interface Ceiling {
  readonly concurrency: number;
  /** Where it all began, and whether it was still rising then. */
  readonly from: number;
  readonly rising: boolean;
  readonly above: Tally;
  readonly below: Tally;
  /** Epochs to hold before it is tried again. */
  readonly patience: number;
}

/** A change of the concurrency and why. */
export interface Decision {
  readonly state: ConcurrencyState;
  /** `null`: nothing has changed. */
  readonly reason: string | null;
}

/** Epochs to hold before the first try. */
const FIRST_HOLD = 1;
const LONGEST_HOLD = 64;

/** Holds for so many epochs, and then tries that way. */
export const hold = (direction: 1 | -1, epochs = FIRST_HOLD): Phase => ({
  name: 'holding',
  scores: [],
  epochs,
  direction,
});

/** The concurrency that may be tried at most after holding for so many epochs. */
function highest({ max, ceiling }: ConcurrencyState, held: number): number {
  if (!ceiling || held >= ceiling.patience) return max;
  return Math.max(1, Math.min(max, ceiling.concurrency - 1));
}

/** A decision for another concurrency, within what is permitted. */
function change(state: ConcurrencyState, wanted: number, reason: string): Decision {
  const concurrency = Math.max(1, Math.min(wanted, state.max));
  const isOther = concurrency !== state.concurrency;
  return { state: { ...state, concurrency }, reason: isOther ? reason : null };
}

/** Requests, and how many of them were turned away or had no answer in time. */
interface Tally {
  readonly requests: number;
  readonly refused: number;
}
