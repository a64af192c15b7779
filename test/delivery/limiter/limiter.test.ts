import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  afterOtherSize,
  batchSizeFor,
  decide,
  epochLength,
  initialConcurrency,
  NO_COSTS,
  costOf,
  timeOf,
  withAnswer,
  type LimiterRanges,
  type Epoch,
} from '../../../src/delivery/limiter.js';
import { randomFrom } from '../../kit/random.js';
import { type Server, simulateImport } from './queueing.js';

const BATCH_SIZE = { min: 50, first: 200, max: 500 };
const AUTO: LimiterRanges = { concurrency: { max: 32 }, batchSize: BATCH_SIZE, longestMs: 10_000 };
const CLIENTS = 200_000;
const SEEDS = Array.from({ length: 9 }, (_, seed) => seed + 1);

/** Half of the runs are better than this. */
function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

const runs = (server: Server, ranges = AUTO, clients = CLIENTS) =>
  SEEDS.map((seed) => simulateImport(server, ranges, clients, randomFrom(seed)));

const timeOfRuns = (all: ReturnType<typeof runs>): number =>
  median(all.map(({ milliseconds }) => milliseconds));

/** The best time of all fixed concurrencies at which nothing is refused, with the largest batches. */
function bestFixed(server: Server): number {
  const most = Math.min(32, server.workers + server.queue);
  const times = Array.from({ length: most }, (_, index) => {
    const fixed = { concurrency: index + 1, batchSize: 500, longestMs: 10_000 };
    return simulateImport(server, fixed, CLIENTS, randomFrom(1)).milliseconds;
  });
  return Math.min(...times);
}

const work = (clients: number): number => 40 + 0.5 * clients;
const jittered = (clients: number, random: number): number => work(clients) * (0.8 + 0.4 * random);
const overloaded = (inFlight: number, bearable: number): number =>
  inFlight > bearable ? (inFlight / bearable) ** 2 : 1;

const SERVERS: Record<string, Server> = {
  'that has 8 workers and a queue of 16': { workers: 8, queue: 16, work },
  'whose answers take as long as they like': {
    ...{ workers: 8, queue: 16 },
    work: (clients, _, random) => jittered(clients, random),
  },
  'that slows down beyond 8 in flight': {
    ...{ workers: 99, queue: 0 },
    work: (clients, inFlight, random) => jittered(clients, random) * overloaded(inFlight, 8),
  },
  'that slows down beyond 3 in flight': {
    ...{ workers: 99, queue: 0 },
    work: (clients, inFlight, random) => jittered(clients, random) * overloaded(inFlight, 3),
  },
  'that is far away': {
    ...{ workers: 8, queue: 16, latency: 100 },
    work: (clients, _, random) => jittered(clients, random),
  },
  'that permits 6 in flight': {
    ...{ workers: 6, queue: 0 },
    work: (clients, _, random) => jittered(clients, random),
  },
  'that permits one at a time': { workers: 1, queue: 0, work },
  'that is quick': { workers: 1, queue: 99, work: (clients) => 1 + clients / 200 },
};

it.each(Object.entries(SERVERS))(
  'a contact center %s is used nearly as well as by the best fixed concurrency, and refuses hardly any request',
  (_, server) => {
    const all = runs(server);
    expect(bestFixed(server) / timeOfRuns(all)).toBeGreaterThan(0.85);
    const shares = all.map(({ refused, requests }) => refused / requests);
    expect(median(shares)).toBeLessThan(0.025);
  },
);

it('a contact center with a queue refuses nothing, since its queue is never filled', () => {
  const server = { workers: 8, queue: 16, work };
  for (const { refused, mostInFlight } of runs(server)) {
    expect(refused).toBe(0);
    expect(mostInFlight).toBeLessThanOrEqual(16);
  }
});

it('refusals that come by chance cost little more than themselves', () => {
  const server: Server = {
    ...{ workers: 8, queue: 99 },
    work: (clients, _, random) => jittered(clients, random),
  };
  const ratio = timeOfRuns(runs(server)) / timeOfRuns(runs({ ...server, refusals: 0.1 }));
  expect(ratio).toBeGreaterThan(0.7);
});

it('an overload that comes later is answered, and what is free again is used again', () => {
  let bearable = 8;
  const server: Server = {
    ...{ workers: 99, queue: 0 },
    work: (clients, inFlight) => work(clients) * overloaded(inFlight, bearable),
  };
  const random = randomFrom(1);
  const { changes } = simulateImport(server, AUTO, 4 * CLIENTS, () => random());
  const last = (before: number): number | undefined =>
    changes.findLast(({ at }) => at < before)?.concurrency;
  expect(last(30_000)).toBeGreaterThanOrEqual(7);
  bearable = 3;
  const less = simulateImport(server, AUTO, 2 * CLIENTS, () => random());
  expect(less.changes.at(-1)?.concurrency).toBeLessThanOrEqual(4);
});

it('every change is told with its reason', () => {
  const { changes } = simulateImport({ workers: 8, queue: 16, work }, AUTO, CLIENTS, randomFrom(1));
  expect(changes.length).toBeGreaterThan(3);
  for (const { reason } of changes) expect(reason).not.toBe('');
  expect(changes.map(({ batchSize }) => batchSize)).toContain(500);
});

it('fixed numbers are left alone, whatever happens', () => {
  const fixed = { concurrency: 5, batchSize: 120, longestMs: 10 };
  const server = { workers: 2, queue: 1, work, refusals: 0.2 };
  const { changes, mostInFlight, limiter } = simulateImport(server, fixed, 10_000, randomFrom(3));
  expect(changes).toEqual([]);
  expect(mostInFlight).toBe(5);
  expect(limiter.nextBatchSize()).toBe(120);
});

it('the concurrency is found out also where the size of batches is fixed', () => {
  const ranges = { ...AUTO, batchSize: 120 };
  const server = { workers: 8, queue: 16, work };
  const { limiter } = simulateImport(server, ranges, CLIENTS, randomFrom(1));
  expect(limiter.concurrency).toBeGreaterThan(4);
});

const epochs: fc.Arbitrary<Omit<Epoch, 'concurrency'>> = fc.record({
  answers: fc.nat(60),
  refused: fc.oneof(fc.constant(0), fc.nat(30)),
  slowdown: fc.option(fc.double({ min: 0.01, max: 100, noNaN: true })),
  full: fc.boolean(),
});

it('there is always one request in flight, and never more than permitted', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), fc.array(epochs), (most, seen) => {
      let state = initialConcurrency(most);
      for (const epoch of seen) {
        const before = state.concurrency;
        const decision = decide(state, { ...epoch, concurrency: before });
        state = decision.state;
        expect(state.concurrency).toBeGreaterThanOrEqual(1);
        expect(state.concurrency).toBeLessThanOrEqual(most);
        expect(epochLength(state)).toBeGreaterThan(0);
        expect(decision.reason === null).toBe(state.concurrency === before);
      }
    }),
  );
});

it('a contact center that refuses everything is asked one thing at a time, and used again when it answers', () => {
  let state = initialConcurrency(32);
  const after = (epoch: Omit<Epoch, 'concurrency'>): void => {
    state = decide(state, { ...epoch, concurrency: state.concurrency }).state;
  };
  for (let index = 0; index < 10; index++)
    after({ answers: 0, refused: 8, slowdown: null, full: true });
  expect(state.concurrency).toBe(1);
  for (let index = 0; index < 60; index++)
    after({ answers: 2 * state.concurrency, refused: 0, slowdown: 1, full: true });
  expect(state.concurrency).toBeGreaterThan(16);
});

it('more in flight than a contact center takes is tried again, and ever more seldom', () => {
  let state = initialConcurrency(32);
  const tries: number[] = [];
  for (let epoch = 0; epoch < 400; epoch++) {
    const { concurrency } = state;
    if (concurrency > 8) tries.push(epoch);
    const answers = 2 * Math.min(concurrency, 8);
    const refused = Math.max(concurrency - 8, 0);
    state = decide(state, { concurrency, answers, refused, slowdown: 1, full: true }).state;
  }
  expect(tries).toEqual([2, 13, 47, 81, 212, 343]);
});

it('where no request waits, nothing is learned of what more in flight would bring', () => {
  const state = initialConcurrency(32);
  const idle = { concurrency: 4, answers: 10, refused: 0, slowdown: 1, full: false };
  expect(decide(state, idle)).toMatchObject({ state: { concurrency: 4 }, reason: null });
});

it('the cost of a request and of a client is told from answers of several sizes', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 500, noNaN: true }),
      fc.double({ min: 0.001, max: 5, noNaN: true }),
      fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 4, maxLength: 20 }),
      (perRequest, perClient, sizes) => {
        const costs = sizes.reduce(
          (sum, size) => withAnswer(sum, size, perRequest + perClient * size),
          NO_COSTS,
        );
        const cost = costOf(costs);
        expect(cost).not.toBeNull();
        if (cost) expect(timeOf(cost, 100)).toBeCloseTo(perRequest + perClient * 100, 3);
      },
    ),
  );
  // Where the larger ones are quicker, nothing is a client's own.
  const quicker = [100, 200, 300, 400].map((size) => [size, 500 - size] as const);
  const sums = quicker.reduce((sum, [size, time]) => withAnswer(sum, size, time), NO_COSTS);
  expect(costOf(sums)).toEqual({ perRequest: 250, perClient: 0 });
});

it('batches are as large as makes what a request costs beside its clients small, and answers come in time', () => {
  const size = (perRequest: number, perClient: number, longestMs = 10_000): number =>
    batchSizeFor({ perRequest, perClient }, BATCH_SIZE, longestMs);
  expect(size(40, 0.5)).toBe(500);
  expect(size(1, 1)).toBe(200);
  expect(size(10, 0.8)).toBe(250);
  expect(size(5, 0)).toBe(500);
  expect(size(0, 0)).toBe(200);
  expect(size(0, 1)).toBe(200);
  expect(size(40, 100)).toBe(50);
  expect(size(40, 0.5, 200)).toBe(250);
  expect(batchSizeFor({ perRequest: 40, perClient: 0.5 }, { min: 10, first: 10, max: 10 }, 1)).toBe(
    10,
  );
});

/** An epoch of a real import, with what was decided; or that requests had another size from then on. */
type Recorded = (Epoch & { readonly decided: number }) | { readonly otherSize: true };

const trace = (name: string): Recorded[] =>
  JSON.parse(readFileSync(new URL(`./traces/${name}.json`, import.meta.url), 'utf8')) as Recorded[];

/** What the decisions come to over a recorded trace, as long as they agree with it. */
function replay(recorded: readonly Recorded[]): { decided: number[]; recorded: number[] } {
  let state = initialConcurrency(32);
  const decided: number[] = [];
  for (const one of recorded) {
    if ('otherSize' in one) state = afterOtherSize(state);
    else {
      state = decide(state, one).state;
      decided.push(state.concurrency);
    }
  }
  return { decided, recorded: recorded.flatMap((one) => ('decided' in one ? [one.decided] : [])) };
}

/** Imports of 200,000 rows into the bench's server with limits: a queue, overload, refusals by chance. */
it.each(['queue', 'overload', 'refusals'])(
  'the trace of an import (%s) leads to the same decisions, which end near 8 in flight',
  (name) => {
    const { decided, recorded } = replay(trace(name));
    expect(decided).toEqual(recorded);
    expect(decided.length).toBeGreaterThan(15);
    const late = decided.slice(-10);
    const mean = late.reduce((sum, one) => sum + one, 0) / late.length;
    expect(mean).toBeGreaterThan(6.5);
    expect(mean).toBeLessThan(11);
  },
);
