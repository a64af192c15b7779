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
import { KnownCosts } from './known-costs.js';
import { type Seen, addEnd, epochOf, nothingSeen } from './seen.js';

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
