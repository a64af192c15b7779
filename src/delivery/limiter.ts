/*
 * How many requests to keep in flight, and how many clients travel in one, found out while a run goes: first the limiter,
 * which counts requests in epochs, then what requests cost, then the decisions, which are pure.
 */

/** Says how many requests may be in flight, and how many clients travel in one. */
export type Limiter = ReturnType<typeof createLimiter>;

interface LimitedRequest {
  /** Requests of a kind cost alike. */
  readonly kind: string;
  readonly clients: number;
  /** Whether its clients could as well have travelled in a batch of another size. */
  readonly batched: boolean;
  /** Whether it left as soon as it was permitted to be in flight, and another waited behind it. */
  readonly full: boolean;
}

/**
 * How a request ended, as far as the load of the contact center goes: with an answer, whatever it was; turned away, or
 * without an answer in time; or without saying anything of the load.
 */
export type RequestEnd = 'answered' | 'refused' | 'other';

/** What the limiter permits from now on, and why. */
export interface LimiterChange {
  readonly concurrency: number;
  readonly batchSize: number;
  readonly reason: string;
}

export interface LimiterRanges {
  /** Requests in flight: a number fixes it. */
  readonly concurrency: number | { readonly max: number };
  /** Clients in a request: a number fixes it. */
  readonly batchSize: number | BatchSizeRange;
  /** An answer should not take longer than this, in milliseconds; larger batches are not made then. */
  readonly longestMs: number;
}

interface BatchSizeRange {
  readonly min: number;
  readonly first: number;
  readonly max: number;
}

/** Requests of the first size, in turns with the smallest, from which the cost of a client is reported. */
const FIRST_REQUESTS = 4;

/**
 * A limiter that finds out what the contact center is best at. `onChange` gets every change with its reason.
 *
 * Requests are looked at in epochs: those that left since the last change of a limit, so that all of an epoch were sent
 * alike. An answer that belongs to an earlier epoch teaches what requests cost, and decides nothing.
 */
export function createLimiter(
  ranges: LimiterRanges,
  onChange: (change: LimiterChange) => void = () => undefined,
) {
  const { longestMs, concurrency, batchSize: sizes } = ranges;
  const size = typeof sizes === 'number' ? { min: sizes, first: sizes, max: sizes } : sizes;
  const adapts = typeof concurrency !== 'number';
  const costs = new KnownCosts(size.min < size.max, adapts);
  let state = adapts
    ? initialConcurrency(concurrency.max)
    : { ...initialConcurrency(concurrency), concurrency };
  let batchSize = size.first;
  let epoch = 0;
  let seen = nothingSeen();
  let handedOut = 0;

  const changed = (reason: string): void => {
    epoch++;
    seen = nothingSeen();
    onChange({ concurrency: state.concurrency, batchSize, reason });
  };

  const resize = (next: number, reason: string): void => {
    if (next === batchSize) return;
    batchSize = next;
    state = afterOtherSize(state);
    changed(reason);
  };

  const learn = (request: LimitedRequest, ms: number): void => {
    const cost = costs.learn(request, ms, epoch === 0) ? costs.ofBatches() : null;
    if (!cost) return;
    resize(batchSizeFor(cost, size, longestMs), 'the cost of a request and of a client are known');
  };

  const decideConcurrency = (now: number): void => {
    const { answers, refused, began, expected, time, full } = seen;
    const isWhole = answers + refused >= epochLength(state) && now - began >= epochTime(state);
    if (!isWhole && !isAlarming(state, seen)) return;
    const before = state.concurrency;
    const decision = decide(state, {
      ...{ concurrency: before, answers, refused },
      slowdown: expected > 0 ? time / expected : null,
      full: full >= FULL * (answers + refused),
    });
    state = decision.state;
    seen = nothingSeen();
    if (state.concurrency !== before) changed(decision.reason ?? '');
  };

  return {
    get concurrency(): number {
      return state.concurrency;
    },
    /** Clients in a request, once the first requests have left. */
    get batchSize(): number {
      return batchSize;
    },
    /** Clients for the next request. Asking may change it: to begin with, sizes take turns. */
    nextBatchSize: (): number =>
      handedOut < FIRST_REQUESTS && handedOut++ % 2 === 0 ? size.min : batchSize,
    /** Notes that a request leaves; call what it gives when it has ended. Times are in milliseconds. */
    begin: (request: LimitedRequest, began: number) => {
      const born = epoch;
      return (end: RequestEnd, now: number): void => {
        if (end === 'other') return;
        const ms = Math.max(now - began, 0);
        if (end === 'answered') learn(request, ms);
        // Of several that came late together, one says it all: half as many, for the rest of the run.
        else if (request.batched && ms >= longestMs && born === epoch)
          resize(Math.max(size.min, Math.floor(batchSize / 2)), 'an answer did not come in time');
        if (!adapts || born !== epoch) return;
        const cost = costs.of(request.kind);
        seen.began = Math.min(seen.began, began);
        if (request.full) seen.full++;
        if (end === 'refused') seen.refused++;
        else if (cost) {
          seen.answers++;
          seen.time += ms;
          seen.expected += timeOf(cost, request.clients);
        }
        decideConcurrency(now);
      };
    },
  };
}

/** Share of requests behind which others waited, from which on all permitted ones are in flight. */
const FULL = 0.5;

/**
 * What has been seen of requests since the last decision. `began`: when the first of them left; `expected`: the time that
 * the answered ones take with little load.
 */
const nothingSeen = () => ({
  ...{ began: Infinity, answers: 0, refused: 0, time: 0, expected: 0, full: 0 },
});

/** What requests of one kind take with little load, as a line: so much for the request, so much for each client. */
interface Cost {
  readonly perRequest: number;
  readonly perClient: number;
}

interface Sums {
  readonly count: number;
  readonly clients: number;
  readonly time: number;
  readonly clientsSquared: number;
  readonly clientsTime: number;
}

export const NO_COSTS: Sums = { count: 0, clients: 0, time: 0, clientsSquared: 0, clientsTime: 0 };
/** Answers of a kind before its cost is known, and after which it is known well enough. */
const KNOWN_FROM = 4;
const MAX_LEARNED = 64;

export const withAnswer = (sums: Sums, clients: number, milliseconds: number): Sums => ({
  count: sums.count + 1,
  clients: sums.clients + clients,
  time: sums.time + milliseconds,
  clientsSquared: sums.clientsSquared + clients * clients,
  clientsTime: sums.clientsTime + clients * milliseconds,
});

/** The line through the answers of a kind, neither part below 0; `null` while it is not known. */
export function costOf({ count, clients, time, clientsSquared, clientsTime }: Sums): Cost | null {
  if (count < KNOWN_FROM) return null;
  const spread = count * clientsSquared - clients * clients;
  const perClient = spread === 0 ? 0 : (count * clientsTime - clients * time) / spread;
  // All of one size, or the larger the quicker: what of it is the request's own is not known.
  if (perClient <= 0) return { perRequest: time / count, perClient: 0 };
  const perRequest = (time - perClient * clients) / count;
  return perRequest < 0 ? { perRequest: 0, perClient: time / clients } : { perRequest, perClient };
}

/** What such a request takes with little load, in milliseconds. */
export function timeOf({ perRequest, perClient }: Cost, clients: number): number {
  return perRequest + perClient * clients;
}

/** What requests of each kind cost with little load, as far as the answers of a run have shown. */
class KnownCosts {
  readonly #sums = new Map<string, Sums>();
  /** Kinds of requests whose clients could travel in batches of other sizes. */
  readonly #batched = new Set<string>();

  /** `hasSizes`: whether batches may have several sizes. `adapts`: whether the concurrency is found out. */
  constructor(
    private readonly hasSizes: boolean,
    private readonly adapts: boolean,
  ) {}

  of(kind: string): Cost | null {
    return costOf(this.#sums.get(kind) ?? NO_COSTS);
  }

  /**
   * Learns from an answer. `isFirst`: the concurrency is still the one that the run began with, so that the answer shows
   * a cost with little load; later ones are learned from only until the kind is known. Returns whether the size of
   * batches may be decided anew.
   */
  learn({ kind, clients, batched }: LimitedRequest, ms: number, isFirst: boolean): boolean {
    if (batched) this.#batched.add(kind);
    const known = this.#sums.get(kind) ?? NO_COSTS;
    if (!this.adapts && !this.hasSizes) return false;
    if (known.count >= (isFirst ? MAX_LEARNED : KNOWN_FROM)) return false;
    this.#sums.set(kind, withAnswer(known, clients, ms));
    return batched && known.count + 1 >= KNOWN_FROM && this.hasSizes;
  }

  /** What all kinds of batched requests cost together; `null` while one of them is not known in both its parts. */
  ofBatches(): Cost | null {
    const parts = [...this.#batched].flatMap((kind) => {
      const { count, clients, clientsSquared } = this.#sums.get(kind) ?? NO_COSTS;
      const isOfSeveralSizes = count * clientsSquared > clients * clients;
      return (isOfSeveralSizes && this.of(kind)) || [];
    });
    if (parts.length === 0 || parts.length < this.#batched.size) return null;
    return {
      perRequest: parts.reduce((sum, { perRequest }) => sum + perRequest, 0),
      perClient: parts.reduce((sum, { perClient }) => sum + perClient, 0),
    };
  }
}

/** What a request costs beside its clients should be no more than this share of the whole. */
const OVERHEAD = 0.05;
/** Sizes that are taken: multiples of each other as far as they can be, so that chunks of rows are cut without a rest. */
const SIZES = [50, 100, 125, 200, 250, 500, 1000];

/**
 * The smallest size at which what a request costs beside its clients hardly counts, and that is answered within
 * `longestMs`, in milliseconds. Fewer clients a request mean smaller losses when one goes wrong, and quicker answers.
 */
export function batchSizeFor(cost: Cost, range: BatchSizeRange, longestMs: number): number {
  const { perRequest, perClient } = cost;
  if (perClient === 0 && perRequest === 0) return range.first;
  const enough = perClient === 0 ? Infinity : (perRequest / perClient) * (1 / OVERHEAD - 1);
  // A cost that looks like nothing may be chance; too small a batch costs more than one that is too large.
  const worth = Math.max(enough, range.first);
  const sizes = SIZES.filter((size) => size >= range.min && size < range.max);
  const size = sizes.find((one) => one >= worth) ?? range.max;
  if (timeOf(cost, size) <= longestMs) return size;
  return sizes.filter((one) => one <= size && timeOf(cost, one) <= longestMs).at(-1) ?? range.min;
}

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

interface ConcurrencyState {
  readonly concurrency: number;
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

/** `epochs`: how many to hold before the next try; `direction`: which way that goes. */
type Phase =
  | { readonly name: 'rising'; readonly last: Scored | null }
  | ({ readonly name: 'holding'; readonly scores: readonly number[] } & Way)
  | ({ readonly name: 'trying'; readonly from: Scored } & Way);

interface Way {
  readonly epochs: number;
  readonly direction: 1 | -1;
}

interface Scored {
  readonly concurrency: number;
  readonly score: number;
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

/** Requests, and how many of them were turned away or had no answer in time. */
interface Tally {
  readonly requests: number;
  readonly refused: number;
}

/** `reason`: why the concurrency has changed; `null`: it has not. */
interface Decision {
  readonly state: ConcurrencyState;
  readonly reason: string | null;
}

const FIRST_CONCURRENCY = 4;

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
  if (phase.name === 'rising') return Math.max(FIRST_CONCURRENCY, Math.ceil(concurrency / 2));
  return Math.max(8, 2 * concurrency);
}

/** How long an epoch takes at least, in milliseconds: of many quick requests a few say little. */
const epochTime = ({ phase }: ConcurrencyState): number => (phase.name === 'rising' ? 30 : 200);

/** Whether there were so many refusals that a decision must not wait for the end of the epoch. */
function isAlarming(
  { background }: ConcurrencyState,
  { answers, refused }: Pick<Epoch, 'answers' | 'refused'>,
): boolean {
  return isMoreThanUsual({ requests: answers + refused, refused }, background);
}

/**
 * Requests of another size: scores before and after cannot be compared. What was well while it was still rising is a
 * reason to rise.
 */
export function afterOtherSize(state: ConcurrencyState): ConcurrencyState {
  const { phase, concurrency, max } = state;
  if (phase.name !== 'rising') return { ...state, best: 0, unit: 0, phase: hold(1) };
  const next = Math.min(Math.ceil(concurrency * RISE), max);
  // The reference costs were measured at this concurrency: there, answers took once their time.
  const last = { concurrency, score: concurrency };
  return {
    ...{ ...state, best: concurrency, unit: 1, concurrency: next },
    phase: { name: 'rising', last },
  };
}

const SMOOTHING = 0.1;

export function decide(state: ConcurrencyState, epoch: Epoch): Decision {
  const tally = { requests: epoch.answers + epoch.refused, refused: epoch.refused };
  if (isAlarming(state, epoch)) return turnDown(state, tally);
  const background = state.background + SMOOTHING * (shareOf(tally) - state.background);
  const quiet = withTally({ ...state, background }, tally);
  if (!epoch.full || epoch.slowdown === null) return { state: quiet, reason: null };
  const score = epoch.concurrency / epoch.slowdown;
  // Where it is still rising, epochs are too short to say much about refusals.
  return decideByScore(
    quiet,
    state.phase.name === 'rising' ? score : score * (1 - likelyShare(tally, state.background)),
  );
}

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

const shareOf = ({ requests, refused }: Tally): number => (requests === 0 ? 0 : refused / requests);

const sumOf = (one: Tally, other: Tally): Tally => ({
  requests: one.requests + other.requests,
  refused: one.refused + other.refused,
});

/** Whether more were refused than chance makes of the usual share. */
function isMoreThanUsual({ requests, refused }: Tally, usualShare: number): boolean {
  const usual = usualShare * requests;
  const isMore = refused > usual + SIGMAS * Math.sqrt(usual);
  return isMore && (usualShare === 0 || refused >= CLUSTER);
}

/** The share of refusals that is most likely: few requests say little against what is usual. */
const likelyShare = ({ requests, refused }: Tally, usualShare: number): number =>
  (refused + usualShare * USUAL) / (requests + USUAL);

/** Whether one share falls short of the other by no more than chance makes likely. */
function isAsOften(one: Tally, other: Tally): boolean {
  const both = shareOf(sumOf(one, other));
  const deviation = Math.sqrt(both * (1 - both) * (1 / one.requests + 1 / other.requests));
  return shareOf(one) <= MAX_BACKGROUND && shareOf(other) - shareOf(one) <= LIKELY * deviation;
}

const TURN_DOWN = 0.7;
/** Requests below a ceiling after which it is decided whether its refusals came of the load, and after which it is sure. */
const ENOUGH = 12;
const SURE = 40;
/** Epochs to hold before a concurrency is tried again at which requests were refused. */
const FIRST_PATIENCE = 3;

function withTally(state: ConcurrencyState, tally: Tally): ConcurrencyState {
  const { ceiling, concurrency } = state;
  if (!ceiling || concurrency >= ceiling.concurrency) return state;
  return { ...state, ceiling: { ...ceiling, below: sumOf(ceiling.below, tally) } };
}

/** Turns down, unless what is refused turns out to be refused as often with fewer requests in flight. */
function turnDown(state: ConcurrencyState, tally: Tally): Decision {
  const { concurrency, ceiling, phase } = state;
  const isDeeper = ceiling !== null && concurrency < ceiling.concurrency;
  if (isDeeper && shareOf(tally) <= MAX_BACKGROUND) {
    const below = sumOf(ceiling.below, tally);
    // Whoever is alone is not refused for being too many.
    if (concurrency > 1 && below.requests < ENOUGH)
      return { state: { ...state, ceiling: { ...ceiling, below } }, reason: null };
    if (concurrency === 1 || isAsOften(below, ceiling.above))
      return takeForChance(state, ceiling, below);
  }
  if (concurrency === 1)
    return {
      state: { ...state, phase: hold(1), ceiling: null, background: MAX_BACKGROUND },
      reason: null,
    };
  // What was only tried goes back to what was well.
  const isTry = phase.name === 'trying' && phase.direction === 1;
  const fewer = isTry ? phase.from.concurrency : Math.round(concurrency * TURN_DOWN);
  const next: Ceiling = {
    concurrency,
    from: isDeeper ? ceiling.from : concurrency,
    rising: isDeeper ? ceiling.rising : phase.name === 'rising',
    // As many as were in flight with it went well, or their refusals are still to come.
    above: { requests: Math.max(tally.requests, concurrency), refused: tally.refused },
    below: NOTHING,
    patience: ceiling && !isDeeper ? Math.min(2 * ceiling.patience, LONGEST_HOLD) : FIRST_PATIENCE,
  };
  const lower = fewer === concurrency ? concurrency - 1 : fewer;
  return change({ ...state, phase: hold(1), ceiling: next }, lower, 'requests were refused');
}

function takeForChance(state: ConcurrencyState, ceiling: Ceiling, below: Tally): Decision {
  const background = Math.min(MAX_BACKGROUND, shareOf(sumOf(below, ceiling.above)));
  const phase: Phase = ceiling.rising ? { name: 'rising', last: null } : hold(1);
  const reason = 'requests are refused as often with fewer in flight';
  return change({ ...state, phase, background, ceiling: null }, ceiling.from, reason);
}

const RISE = 1.5;
/** Share of what more in flight should bring at best, from which on it is worth it. */
const WORTH_RISING = 0.55;
const WORTH_MORE = 0.5;
/** Share of what fewer in flight should cost, up to which they are as good. */
const COSTS_NOTHING = 0.3;
/** A score that falls below this share of the usual one asks for a try at once. */
const FALLEN = 0.7;
/** Epochs to hold before the first try, and at most. */
const FIRST_HOLD = 1;
const LONGEST_HOLD = 64;

/** Decides after an epoch in which no more was refused than usual, from how its score compares. */
function decideByScore(state: ConcurrencyState, score: number): Decision {
  const { phase, concurrency } = state;
  const best = Math.max(state.best, score);
  const seen = { ...state, best, unit: Math.max(state.unit, score / concurrency) };
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
  const more = last ? now.concurrency / last.concurrency - 1 : 0;
  if (last && now.score < last.score * (1 + WORTH_RISING * more)) {
    // So many are worked on at once; a hair above is chance.
    const enough = Math.ceil(state.best / state.unit - 0.05);
    const reason = 'more in flight bring latency and no throughput';
    return change({ ...state, phase: hold(-1) }, enough, reason);
  }
  const next = Math.min(Math.ceil(now.concurrency * RISE), highest(state, 0));
  if (next <= now.concurrency) return { state: { ...state, phase: hold(-1) }, reason: null };
  const phase: Phase = { name: 'rising', last: now };
  return change({ ...state, phase }, next, 'answers come as quickly');
}

function holdOn(
  state: ConcurrencyState,
  { scores: before, epochs, direction }: Extract<Phase, { name: 'holding' }>,
  score: number,
): Decision {
  const scores = [...before, score];
  const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
  const hasFallen = score < FALLEN * mean;
  if (scores.length < epochs && !hasFallen)
    return {
      state: { ...state, phase: { name: 'holding', scores, epochs, direction } },
      reason: null,
    };
  // Fewer in flight would show less of where refusals come from.
  const isOpen = state.ceiling !== null && state.ceiling.below.requests < SURE;
  const way = hasFallen ? -1 : isOpen ? 1 : direction;
  const from = { concurrency: state.concurrency, score: hasFallen ? score : mean };
  return tryOther(state, from, { direction: way, epochs });
}

function tryOther(state: ConcurrencyState, from: Scored, { direction, epochs }: Way): Decision {
  const step = Math.max(1, Math.round(from.concurrency / 8));
  const wanted = from.concurrency + direction * step;
  const next = Math.max(1, Math.min(wanted, highest(state, epochs)));
  if (next === from.concurrency || next > from.concurrency !== direction > 0) {
    const phase = hold(direction === 1 ? -1 : 1, longer(epochs));
    return { state: { ...state, phase }, reason: null };
  }
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
    const way = { direction, epochs: FIRST_HOLD };
    return tryOther({ ...state, ceiling }, { concurrency, score }, way);
  }
  const other = direction === 1 ? -1 : 1;
  const why = direction === 1 ? 'more brought no throughput' : 'fewer cost throughput';
  return change({ ...state, phase: hold(other, longer(epochs)) }, from.concurrency, why);
}

const longer = (epochs: number): number => Math.min(2 * epochs, LONGEST_HOLD);

/** Holds for so many epochs, and then tries that way. */
function hold(direction: 1 | -1, epochs = FIRST_HOLD): Phase {
  return { name: 'holding', scores: [], epochs, direction };
}

/** The concurrency that may be tried at most after holding for so many epochs. */
function highest({ max, ceiling }: ConcurrencyState, held: number): number {
  if (!ceiling || held >= ceiling.patience) return max;
  return Math.max(1, Math.min(max, ceiling.concurrency - 1));
}

function change(state: ConcurrencyState, wanted: number, reason: string): Decision {
  const concurrency = Math.max(1, Math.min(wanted, state.max));
  const isOther = concurrency !== state.concurrency;
  return { state: { ...state, concurrency }, reason: isOther ? reason : null };
}
