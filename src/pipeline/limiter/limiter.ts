import { type BatchSizeRange, batchSizeFor, halved } from './batch-size.js';
import {
  type ConcurrencyState,
  afterOtherSize,
  decide,
  epochLength,
  epochTime,
  initialConcurrency,
  isAlarming,
} from './concurrency.js';
import {
  type Costs,
  NO_COSTS,
  answersOf,
  costOf,
  isKnown,
  isOfSeveralSizes,
  timeOf,
  withAnswer,
} from './costs.js';

/** How a request ended, as far as the load of the contact center goes. */
export type RequestEnd =
  /** With an answer, whatever it was. */
  | 'answered'
  /** It was turned away, or there was no answer in time. */
  | 'refused'
  /** Without saying anything of the load. */
  | 'other';

/** What a request is to the limiter. */
export interface LimitedRequest {
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
  /** Clients for the next request. Asking may change it: to begin with, sizes take turns. */
  nextBatchSize(): number;
  /** Notes that a request leaves; call what it gives when it has ended. Times are in milliseconds. */
  begin(request: LimitedRequest, now: number): (end: RequestEnd, now: number) => void;
}

export interface LimiterRanges {
  /** Requests in flight: a number fixes it. */
  readonly concurrency: number | { readonly most: number };
  /** Clients in a request: a number fixes it. */
  readonly batchSize: number | BatchSizeRange;
  /** An answer should not take longer than this, in milliseconds; larger batches are not made then. */
  readonly longestMs: number;
}

/** What has been seen since the last decision. */
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

/** Requests of the first size, in turns with the least, from which the cost of a client is told. */
const FIRST_REQUESTS = 4;
/** Share of requests behind which others waited, from which on all permitted ones are in flight. */
const FULL = 0.5;
/** Answers of a kind after which its cost is known well enough. */
const MOST_LEARNED = 64;

/**
 * A limiter that finds out what the contact center is best at. `onChange` is told every change with its reason.
 */
export function createLimiter(
  ranges: LimiterRanges,
  onChange: (change: LimiterChange) => void = () => undefined,
): Limiter {
  const { concurrency: wanted, batchSize: size, longestMs } = ranges;
  const range = typeof size === 'number' ? { least: size, first: size, most: size } : size;
  let state: ConcurrencyState =
    typeof wanted === 'number'
      ? { ...initialConcurrency(wanted), concurrency: wanted }
      : initialConcurrency(wanted.most);
  const adapts = typeof wanted !== 'number';
  let costs: Costs = NO_COSTS;
  let generation = 0;
  let batchSize = range.first;
  let handedOut = 0;
  let seen = nothingSeen();
  const batched = new Set<string>();

  const learns = adapts || range.least < range.most;
  const isNew = (kind: string): boolean =>
    learns && (generation === 0 ? answersOf(costs, kind) < MOST_LEARNED : !isKnown(costs, kind));

  const startEpoch = (): void => {
    generation++;
    seen = nothingSeen();
  };

  const tell = (reason: string): void => {
    onChange({ concurrency: state.concurrency, batchSize, reason });
  };

  const resize = (next: number, reason: string): void => {
    if (next === batchSize) return;
    batchSize = next;
    state = afterOtherSize(state);
    startEpoch();
    tell(reason);
  };

  /** The size that suits all kinds of batched requests that are known in both their parts. */
  const fitSize = (): void => {
    const known = [...batched].filter((kind) => isOfSeveralSizes(costs, kind));
    const parts = known.map((kind) => costOf(costs, kind)).filter((cost) => cost !== null);
    if (parts.length === 0 || parts.length < batched.size) return;
    const cost = {
      perRequest: parts.reduce((sum, { perRequest }) => sum + perRequest, 0),
      perClient: parts.reduce((sum, { perClient }) => sum + perClient, 0),
    };
    resize(batchSizeFor(cost, range, longestMs), 'the cost of a request and of a client are known');
  };

  const learn = ({ kind, clients, batched: isBatched }: LimitedRequest, ms: number): void => {
    if (isBatched) batched.add(kind);
    if (!isNew(kind)) return;
    costs = withAnswer(costs, kind, clients, ms);
    if (isBatched && isKnown(costs, kind) && range.least < range.most) fitSize();
  };

  const note = ({ kind, clients, full }: LimitedRequest, end: RequestEnd, ms: number): void => {
    if (full) seen.full++;
    if (end === 'refused') {
      seen.refused++;
      return;
    }
    const cost = costOf(costs, kind);
    if (!cost) return;
    seen.answers++;
    seen.time += ms;
    seen.expected += timeOf(cost, clients);
  };

  const endEpoch = (now: number): void => {
    const { answers, refused, time, expected, full } = seen;
    const isWhole = answers + refused >= epochLength(state) && now - seen.began >= epochTime(state);
    if (!isWhole && !isAlarming(state, seen)) return;
    const before = state.concurrency;
    const decision = decide(state, {
      concurrency: before,
      answers,
      refused,
      slowdown: expected > 0 ? time / expected : null,
      full: full >= FULL * (answers + refused),
    });
    state = decision.state;
    seen = nothingSeen();
    if (state.concurrency === before) return;
    startEpoch();
    tell(decision.reason ?? '');
  };

  return {
    get concurrency() {
      return state.concurrency;
    },
    nextBatchSize: () => {
      if (handedOut >= FIRST_REQUESTS) return batchSize;
      return handedOut++ % 2 === 0 ? range.least : batchSize;
    },
    begin: (request, began) => {
      const born = generation;
      return (end, now) => {
        if (end === 'other') return;
        const ms = Math.max(now - began, 0);
        if (end === 'answered') learn(request, ms);
        // Of several that came late together, one says it all.
        else if (request.batched && ms >= longestMs && born === generation)
          resize(halved(batchSize, range), 'an answer did not come in time');
        if (!adapts || born !== generation) return;
        seen.began = Math.min(seen.began, began);
        note(request, end, ms);
        endEpoch(now);
      };
    },
  };
}

const nothingSeen = (): Seen => ({
  began: Infinity,
  answers: 0,
  refused: 0,
  time: 0,
  expected: 0,
  full: 0,
});
