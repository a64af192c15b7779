import {
  type Epoch,
  type ConcurrencyState,
  type Decision,
  hold,
  turnDown,
  withTally,
  RISE,
  decideByScore,
  isMoreThanUsual,
  likelyShare,
  shareOf,
} from './refusal-decisions.js';

/** What requests of one kind take with little load, as a line: so much for the request, so much for each client. */
interface Cost {
  readonly perRequest: number;
  readonly perClient: number;
}

/** Sums that the line of least squares is made of. */
interface Sums {
  readonly count: number;
  readonly clients: number;
  readonly time: number;
  readonly clientsSquared: number;
  readonly clientsTime: number;
}

/** Time of answers in milliseconds by kind of request. Immutable. */
type Costs = ReadonlyMap<string, Sums>;

export const NO_COSTS: Costs = new Map();
/** Answers of a kind before its cost is known. */
const KNOWN_FROM = 4;
const NONE: Sums = { count: 0, clients: 0, time: 0, clientsSquared: 0, clientsTime: 0 };

export function withAnswer(
  costs: Costs,
  kind: string,
  clients: number,
  milliseconds: number,
): Costs {
  const sums = costs.get(kind) ?? NONE;
  return new Map(costs).set(kind, {
    count: sums.count + 1,
    clients: sums.clients + clients,
    time: sums.time + milliseconds,
    clientsSquared: sums.clientsSquared + clients * clients,
    clientsTime: sums.clientsTime + clients * milliseconds,
  });
}

/** Answers of a kind that have been learned from. */
function answersOf(costs: Costs, kind: string): number {
  return costs.get(kind)?.count ?? 0;
}

function isKnown(costs: Costs, kind: string): boolean {
  return answersOf(costs, kind) >= KNOWN_FROM;
}

/** The line through the answers of a kind, neither part below 0; `null` while it is not known. */
export function costOf(costs: Costs, kind: string): Cost | null {
  const sums = costs.get(kind);
  if (!sums || sums.count < KNOWN_FROM) return null;
  const { count, clients, time, clientsSquared, clientsTime } = sums;
  const spread = count * clientsSquared - clients * clients;
  // All of one size: what of it is the request's own is not known.
  if (spread === 0) return { perRequest: time / count, perClient: 0 };
  const perClient = (count * clientsTime - clients * time) / spread;
  if (perClient <= 0) return { perRequest: time / count, perClient: 0 };
  const perRequest = (time - perClient * clients) / count;
  return perRequest < 0 ? { perRequest: 0, perClient: time / clients } : { perRequest, perClient };
}

/** Whether answers of a kind were of several sizes, so that both parts of its cost can be known. */
function isOfSeveralSizes(costs: Costs, kind: string): boolean {
  const sums = costs.get(kind);
  return sums !== undefined && sums.count * sums.clientsSquared > sums.clients * sums.clients;
}

/** What such a request takes with little load, in milliseconds. */
export function timeOf({ perRequest, perClient }: Cost, clients: number): number {
  return perRequest + perClient * clients;
}

/** How many clients a request may carry. */
interface BatchSizeRange {
  readonly min: number;
  /** To begin with. */
  readonly first: number;
  readonly max: number;
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
  const quick = sizes.filter((one) => one <= size && timeOf(cost, one) <= longestMs);
  if (timeOf(cost, size) <= longestMs) return size;
  return quick.at(-1) ?? range.min;
}

/** The size after a request that had no answer in time: half as many, for the rest of the run. */
function halved(size: number, { min }: BatchSizeRange): number {
  return Math.max(min, Math.floor(size / 2));
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

/** Requests in flight to begin with. */
const FIRST_CONCURRENCY = 4;
const SMOOTHING = 0.1;

/** Whether there were so many refusals that a decision must not wait for the end of the epoch. */
function isAlarming(
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
function epochTime({ phase }: ConcurrencyState): number {
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

/** Answers of a kind after which its cost is known well enough. */
const MAX_LEARNED = 64;

/** What requests of each kind cost with little load, as far as the answers of a run have shown. */
class KnownCosts {
  private costs: Costs = NO_COSTS;
  /** Kinds of requests whose clients could travel in batches of other sizes. */
  private readonly batched = new Set<string>();

  /** `size`: the sizes that batches may have. `adapts`: whether the concurrency is found out. */
  constructor(
    private readonly size: BatchSizeRange,
    private readonly adapts: boolean,
  ) {}

  /** `null` while it is not known. */
  of(kind: string): Cost | null {
    return costOf(this.costs, kind);
  }

  /**
   * Learns from an answer. `isFirst`: the concurrency is still the one that the run began with, so that the answer shows
   * a cost with little load; later ones are learned from only until the kind is known. Returns whether the size of
   * batches may be decided anew.
   */
  learn(
    request: { readonly kind: string; readonly clients: number; readonly batched: boolean },
    milliseconds: number,
    isFirst: boolean,
  ): boolean {
    const { kind, clients, batched } = request;
    if (batched) this.batched.add(kind);
    if (!this.isNew(kind, isFirst)) return false;
    this.costs = withAnswer(this.costs, kind, clients, milliseconds);
    return batched && isKnown(this.costs, kind) && this.hasSizes();
  }

  /** What all kinds of batched requests cost together; `null` while one of them is not known in both its parts. */
  ofBatches(): Cost | null {
    const kinds = [...this.batched].filter((kind) => isOfSeveralSizes(this.costs, kind));
    const parts = kinds.map((kind) => this.of(kind)).filter((cost) => cost !== null);
    if (parts.length === 0 || parts.length < this.batched.size) return null;
    return {
      perRequest: parts.reduce((sum, { perRequest }) => sum + perRequest, 0),
      perClient: parts.reduce((sum, { perClient }) => sum + perClient, 0),
    };
  }

  private isNew(kind: string, isFirst: boolean): boolean {
    if (!this.adapts && !this.hasSizes()) return false;
    return isFirst ? answersOf(this.costs, kind) < MAX_LEARNED : !isKnown(this.costs, kind);
  }

  private hasSizes(): boolean {
    return this.size.min < this.size.max;
  }
}

/** What has been seen of requests since the last decision. */
interface Seen {
  /** When the first request left. */
  began: number;
  answers: number;
  refused: number;
  time: number;
  /** What the same requests take with little load. */
  expected: number;
  full: number;
}

/** Share of requests behind which others waited, from which on all permitted ones are in flight. */
const FULL = 0.5;

const nothingSeen = (): Seen => ({
  began: Infinity,
  answers: 0,
  refused: 0,
  time: 0,
  expected: 0,
  full: 0,
});

/** How a request ended that says something of the load. */
interface SeenEnd {
  readonly began: number;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  readonly end: 'answered' | 'refused';
  /** What such requests cost with little load; `null` while that is not known. */
  readonly cost: Cost | null;
}

/** Adds the end of a request. */
function addEnd(
  seen: Seen,
  { clients, full }: { readonly clients: number; readonly full: boolean },
  { began, ms, end, cost }: SeenEnd,
): void {
  seen.began = Math.min(seen.began, began);
  if (full) seen.full++;
  if (end === 'refused') seen.refused++;
  if (end === 'refused' || !cost) return;
  seen.answers++;
  seen.time += ms;
  seen.expected += timeOf(cost, clients);
}

/** What was seen, as what some requests showed that were sent at one concurrency. */
function epochOf({ answers, refused, time, expected, full }: Seen, concurrency: number): Epoch {
  return {
    concurrency,
    answers,
    refused,
    slowdown: expected > 0 ? time / expected : null,
    full: full >= FULL * (answers + refused),
  };
}

/** How a request ended, as far as the load of the contact center goes. */
export type RequestEnd =
  /** With an answer, whatever it was. */
  | 'answered'
  /** It was turned away, or there was no answer in time. */
  | 'refused'
  /** Without saying anything of the load. */
  | 'other';

/** What a request is to the limiter. */
interface LimitedRequest {
  /** Requests of a kind cost alike. */
  readonly kind: string;
  readonly clients: number;
  /** Whether its clients could as well have travelled in a batch of another size. */
  readonly batched: boolean;
  /** Whether it left as soon as it was permitted to be in flight, and another waited behind it. */
  readonly full: boolean;
}

/** A change of what the limiter permits, for the run's record. */
export interface LimiterChange {
  readonly concurrency: number;
  readonly batchSize: number;
  readonly reason: string;
}

/** Says how many requests may be in flight, and how many clients travel in one. */
export interface Limiter {
  readonly concurrency: number;
  /** Clients in a request, once the first requests have left. */
  readonly batchSize: number;
  /** Clients for the next request. Asking may change it: to begin with, sizes take turns. */
  nextBatchSize(): number;
  /** Notes that a request leaves; call what it gives when it has ended. Times are in milliseconds. */
  begin(request: LimitedRequest, now: number): (end: RequestEnd, now: number) => void;
}

export interface LimiterRanges {
  /** Requests in flight: a number fixes it. */
  readonly concurrency: number | { readonly max: number };
  /** Clients in a request: a number fixes it. */
  readonly batchSize: number | BatchSizeRange;
  /** An answer should not take longer than this, in milliseconds; larger batches are not made then. */
  readonly longestMs: number;
}

const COSTS_KNOWN = 'the cost of a request and of a client are known';

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
): Limiter {
  const { longestMs } = ranges;
  const size = sizeRange(ranges);
  const adapts = typeof ranges.concurrency !== 'number';
  const costs = new KnownCosts(size, adapts);
  let state = firstState(ranges);
  let batchSize = size.first;
  let epoch = 0;
  let seen = nothingSeen();
  const firstSizes = createFirstSizes(size);

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
    if (cost) resize(batchSizeFor(cost, size, longestMs), COSTS_KNOWN);
  };

  const decideConcurrency = (now: number): void => {
    if (!isOver(state, seen, now)) return;
    const before = state.concurrency;
    const decision = decide(state, epochOf(seen, before));
    state = decision.state;
    seen = nothingSeen();
    if (state.concurrency !== before) changed(decision.reason ?? '');
  };

  return {
    get concurrency() {
      return state.concurrency;
    },
    get batchSize() {
      return batchSize;
    },
    nextBatchSize: () => firstSizes(batchSize),
    begin: (request, began) => {
      const born = epoch;
      return (end, now) => {
        if (end === 'other') return;
        const ms = Math.max(now - began, 0);
        if (end === 'answered') learn(request, ms);
        // Of several that came late together, one says it all.
        else if (request.batched && ms >= longestMs && born === epoch)
          resize(halved(batchSize, size), 'an answer did not come in time');
        if (!adapts || born !== epoch) return;
        addEnd(seen, request, { began, ms, end, cost: costs.of(request.kind) });
        decideConcurrency(now);
      };
    },
  };
}

/** To begin with, the smallest size takes turns with the current one. */
function createFirstSizes({ min }: BatchSizeRange): (current: number) => number {
  let handedOut = 0;
  return (current) => (handedOut < FIRST_REQUESTS && handedOut++ % 2 === 0 ? min : current);
}

function sizeRange({ batchSize }: LimiterRanges): BatchSizeRange {
  if (typeof batchSize !== 'number') return batchSize;
  return { min: batchSize, first: batchSize, max: batchSize };
}

function firstState({ concurrency }: LimiterRanges): ConcurrencyState {
  return typeof concurrency === 'number'
    ? { ...initialConcurrency(concurrency), concurrency }
    : initialConcurrency(concurrency.max);
}

/** Whether enough was seen for a decision, or too much was refused to wait for that. */
function isOver(state: ConcurrencyState, seen: Seen, now: number): boolean {
  const isWhole =
    seen.answers + seen.refused >= epochLength(state) && now - seen.began >= epochTime(state);
  return isWhole || isAlarming(state, seen);
}
