import fc from 'fast-check';
import type { FailureLimit } from '../../src/delivery/failures.js';
import type { Trouble, When } from './life.js';
import { tablesIn } from '../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'scenario.yaml') as Scenario;

/** What the contact center makes of a row's client, or why the row is none. */
export const ROW_KINDS = [
  'client',
  /** Refused by itself in an answer of 4.1. */
  'refused',
  /** Its presence makes the contact center refuse a whole request of 4.1. */
  'poison',
  /** The same with 4.9. */
  'enqueue_poison',
  'blacklisted',
  /** Has the phone of somebody who is in the campaign already. */
  'same_phone',
  /** Has a card since before the run. */
  'existing',
  /** Has the identifiers of an earlier row. */
  'repeat',
  'rejected',
  'skipped',
] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** What becomes of one request, beside what the contact center says of its clients. */
export type Fate =
  | { readonly kind: 'fine' }
  | { readonly kind: 'not_sent' }
  /** Lost on the way there, or on the way back. */
  | { readonly kind: 'lost_request' | 'lost_answer'; readonly how: 'reset' | 'timeout' }
  /** Carried out after the importer has given up waiting: at this share of the time until the deadline. */
  | { readonly kind: 'late'; readonly how: 'reset' | 'timeout'; readonly share: number }
  /** Somebody on the way answers. `lateShare`: the contact center carries it out later; `null`: before. */
  | {
      readonly kind: 'gateway' | 'garbage';
      readonly processed: boolean;
      readonly lateShare: number | null;
    }
  | { readonly kind: 'busy'; readonly status: 429 | 503; readonly afterMs: number | null }
  /**
   * HTTP 500 after a part of the clients, from the first one, has been dealt with. `lateShare`: the server answers in the
   * application's place, which deals with them only later; `null`: the application itself answers.
   */
  | { readonly kind: 'server_error'; readonly done: number; readonly lateShare: number | null }
  | {
      readonly kind: 'odd_answer';
      readonly how: 'missing' | 'foreign' | 'repeated' | 'contradicting' | 'without_id';
      readonly place: number;
    }
  | { readonly kind: 'unauthorized'; readonly status: 401 | 403 };

/** A while in which every request has the same fate. */
interface Outage {
  readonly at: number;
  readonly ms: number;
  readonly fate: Fate;
}

/** The end of a process: at its nth use of a port, or after some time. */
export interface Crash {
  readonly when: When;
  /** Writes on their way that reached the disk all the same. */
  readonly kept: number;
  /** How long until the next process starts. */
  readonly gapMs: number;
}

/** Somebody asks a process to end gently: as its nth use of a port has begun, or after some time. */
export interface Stop {
  readonly when: When;
}

/** What happens to the process that comes next. */
export const troublesOf = (
  crash: Crash | null | undefined,
  stop: Stop | null | undefined,
): (Trouble | null | undefined)[] => [
  crash && { kind: 'kill', when: crash.when, gapMs: crash.gapMs },
  stop && { kind: 'stop', when: stop.when, gapMs: 0 },
];

/** What the contact center's owners permit a second. */
interface Pace {
  readonly requestsPerSecond?: number | undefined;
  readonly clientsPerSecond?: number | undefined;
}

export interface BrokenFlush {
  readonly flush: number;
  /** Whether what it wrote reached the disk although it failed. */
  readonly landed: boolean;
}

export interface Scenario {
  readonly rows: readonly RowKind[];
  readonly rowsInChunk: number;
  readonly batchSize: number;
  readonly requestBytes: number;
  readonly concurrency: number;
  /** Whether the concurrency and the size of batches are found out, up to the given ones. */
  readonly adapts: boolean;
  readonly campaign: 'none' | 'plain' | 'phones_checked';
  /** Status of a request that is refused whole. */
  readonly refusal: 400 | 413 | 422 | 500;
  /** Whether a 500 comes from the server around the application, which may still be at work. */
  readonly isBare: boolean;
  /** Largest body that the contact center takes. */
  readonly serverBytes: number;
  /** Whether the contact center makes a second card of the same identifiers instead of refusing it. */
  readonly isNaive: boolean;
  readonly timeoutMs: number;
  readonly settleAfterMs: number;
  /** After how long the contact center surely no longer works on a request whose answer was lost. */
  readonly serverDeadlineMs: number;
  readonly latencyMs: number;
  readonly flushMs: number;
  readonly patienceMs: number;
  readonly fates: readonly Fate[];
  readonly outages: readonly Outage[];
  /** Of each process in its turn. */
  readonly crashes: readonly Crash[];
  readonly stops: readonly (Stop | null)[];
  /** Clients that go first. */
  readonly canary: number;
  /** Until a process has stopped for it: then whoever starts the next one lifts it. */
  readonly maxFailures: FailureLimit | null;
  readonly pace: Pace;
  readonly brokenFlushes: readonly BrokenFlush[];
  /** For everything that is not worth shrinking: latencies, jitter, the order of answers. */
  readonly seed: number;
}

export const kind = <K extends string>(name: K) => fc.constant(name);
export const share = fc.double({ min: 0, max: 0.999, noNaN: true });
export const how = fc.constantFrom('reset' as const, 'timeout' as const);

const fault: fc.Arbitrary<Fate> = fc.oneof(
  fc.record({ kind: kind('not_sent') }),
  fc.record({ kind: fc.constantFrom('lost_request' as const, 'lost_answer' as const), how }),
  fc.record({ kind: kind('late'), how, share }),
  fc.record({
    kind: fc.constantFrom('gateway' as const, 'garbage' as const),
    processed: fc.boolean(),
    lateShare: fc.option(share),
  }),
  fc.record({
    kind: kind('busy'),
    status: fc.constantFrom(429 as const, 503 as const),
    afterMs: fc.option(fc.nat(30_000)),
  }),
  fc.record({ kind: kind('server_error'), done: share, lateShare: fc.option(share) }),
  fc.record({
    kind: kind('odd_answer'),
    how: fc.constantFrom(
      'missing' as const,
      'foreign' as const,
      'repeated' as const,
      'contradicting' as const,
      'without_id' as const,
    ),
    place: fc.nat(200),
  }),
);

const fate: fc.Arbitrary<Fate> = fc.oneof(
  { withCrossShrink: true },
  { weight: 12, arbitrary: fc.record({ kind: kind('fine') }) },
  { weight: 12, arbitrary: fault },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('unauthorized'),
      status: fc.constantFrom(401 as const, 403 as const),
    }),
  },
);

const outage = fc.record({
  at: fc.nat(60_000),
  ms: fc.nat(300_000),
  fate: fc.constantFrom<Fate>(
    { kind: 'not_sent' },
    { kind: 'lost_request', how: 'timeout' },
    { kind: 'lost_request', how: 'reset' },
    { kind: 'gateway', processed: false, lateShare: null },
    { kind: 'busy', status: 503, afterMs: null },
    { kind: 'server_error', done: 0, lateShare: null },
    { kind: 'server_error', done: 0, lateShare: 0 },
  ),
});

/** At one of so many uses of a port, or after half a minute at most. */
export const whenOf = (calls: number): fc.Arbitrary<When> =>
  fc.oneof(
    fc.record({
      call: fc.integer({ min: 1, max: calls }),
      side: fc.constantFrom('before' as const, 'after' as const),
    }),
    fc.record({ ms: fc.nat(30_000) }),
  );

/** A process is asked to end as its use of a port has begun. */
export const stopsIn = (calls: number): fc.Arbitrary<Stop> =>
  fc.record({
    when: fc.oneof(
      fc.record({
        call: fc.integer({ min: 1, max: calls }),
        side: fc.constant('after' as const),
      }),
      fc.record({ ms: fc.nat(30_000) }),
    ),
  });

const CALLS = 120;
const crash: fc.Arbitrary<Crash> = fc.record({
  when: whenOf(CALLS),
  kept: fc.nat(6),
  gapMs: fc.nat(5_000),
});

const row: fc.Arbitrary<RowKind> = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: fc.constant<RowKind>('client') },
  { weight: 1, arbitrary: fc.constantFrom(...ROW_KINDS) },
);

/** Most inputs are small: what happens in a few rows is found soon. */
const rows = fc.oneof(
  { weight: 30, arbitrary: fc.array(row, { minLength: 1, maxLength: 30, size: 'max' }) },
  { weight: 1, arbitrary: fc.array(row, { minLength: 100, maxLength: 140, size: 'max' }) },
);

const maxFailures: fc.Arbitrary<FailureLimit> = fc.oneof(
  fc.record({ count: fc.nat(20) }),
  fc.record({ percent: fc.integer({ min: 0, max: 30 }) }),
);

/** Half of the time, one thing in three is limited. */
const rarely = <T>(value: fc.Arbitrary<T>, otherwise: T): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary: value });

const pace: fc.Arbitrary<Pace> = fc.record({
  requestsPerSecond: rarely<number | undefined>(fc.integer({ min: 1, max: 20 }), undefined),
  clientsPerSecond: rarely<number | undefined>(fc.integer({ min: 1, max: 40 }), undefined),
});

/** Scenarios of every kind; noBias, since each is made from a seed of its own. */
export const scenarios: fc.Arbitrary<Scenario> = fc.noBias(
  fc.record({
    rows,
    rowsInChunk: fc.integer({ min: 1, max: 16 }),
    batchSize: fc.integer({ min: 1, max: 10 }),
    requestBytes: fc.constantFrom(1_000_000, 250, 120),
    concurrency: fc.integer({ min: 1, max: 4 }),
    adapts: fc.boolean(),
    campaign: fc.constantFrom('plain' as const, 'phones_checked' as const, 'none' as const),
    refusal: fc.constantFrom(400 as const, 413 as const, 422 as const, 500 as const),
    isBare: fc.boolean(),
    serverBytes: fc.constantFrom(1_000_000, 300),
    isNaive: fc.boolean(),
    timeoutMs: fc.constantFrom(5_000, 60_000),
    settleAfterMs: fc.constantFrom(2_000, 300),
    serverDeadlineMs: fc.constantFrom(300, 2_000, 7_000, 20_000, 60_000),
    latencyMs: fc.integer({ min: 1, max: 400 }),
    flushMs: fc.constantFrom(0, 10, 30, 600),
    patienceMs: fc.constantFrom(900_000, 60_000),
    fates: fc.array(fate, { maxLength: 40, size: 'max' }),
    outages: fc.array(outage, { maxLength: 1 }),
    crashes: fc.array(crash, { maxLength: 4, size: 'max' }),
    stops: fc.array(fc.option(stopsIn(CALLS)), { maxLength: 4, size: 'max' }),
    canary: rarely(fc.integer({ min: 1, max: 12 }), 0),
    maxFailures: fc.option(maxFailures, { freq: 2 }),
    pace,
    brokenFlushes: fc.array(
      fc.record({ flush: fc.integer({ min: 1, max: 30 }), landed: fc.boolean() }),
      { maxLength: 1 },
    ),
    seed: fc.noShrink(fc.nat()),
  }),
);

/** A scenario in which nothing goes wrong, to be changed in what a test is about. */
export const QUIET: Scenario = CASES;
