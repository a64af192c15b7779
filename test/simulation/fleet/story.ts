import fc from 'fast-check';
import { type Scenario, scenarios } from '../scenario.js';

/** When something happens to a process: at its nth use of a port, or after some time. */
export type When =
  { readonly call: number; readonly side: 'before' | 'after' } | { readonly ms: number };

/** What happens to a process. */
export type Trouble =
  /** SIGKILL; another one is started after a while. */
  | { readonly kind: 'kill'; readonly when: When; readonly gapMs: number }
  /** SIGTERM; another one is started after a while. */
  | { readonly kind: 'stop'; readonly when: When; readonly gapMs: number }
  /** SIGSTOP, and the lid of a laptop: then the monotonic clock stands still. */
  | { readonly kind: 'pause' | 'sleep'; readonly when: When; readonly ms: number }
  | { readonly kind: 'set_clock'; readonly when: When; readonly byMs: number };

/** A while in which nothing comes through between a machine and the database. */
export interface Partition {
  readonly at: number;
  readonly ms: number;
  /** The machine; `null`: all of them, as when the database is stopped. */
  readonly machine: number | null;
  /** Whether what was sent meanwhile still arrives at its end. */
  readonly isHeld: boolean;
}

/** One machine that works on pieces. */
export interface WorkerStory {
  readonly maxPieces: number;
  /** How fast its clocks go. */
  readonly rate: number;
  /** Of each of its processes in turn. */
  readonly troubles: readonly (Trouble | null)[];
}

/** A shared run, and what happens to those who work on it. */
export interface Story {
  /** The file and the contact center. */
  readonly scenario: Scenario;
  readonly pieceRows: number;
  /** Which pieces begin when those before them have ended, over and over; empty: none. */
  readonly waits: readonly boolean[];
  readonly submitter: readonly (Trouble | null)[];
  readonly workers: readonly WorkerStory[];
  readonly partitions: readonly Partition[];
  readonly databaseMs: number;
}

/** After how long something that happens to a process is over by far: two leases. */
const LONG_MS = 70_000;

const when: fc.Arbitrary<When> = fc.oneof(
  fc.record({
    call: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 60 })),
    side: fc.constantFrom('before' as const, 'after' as const),
  }),
  fc.record({ ms: fc.oneof(fc.nat(2_000), fc.nat(40_000)) }),
);

const ended = fc.record({
  kind: fc.constantFrom('kill' as const, 'stop' as const),
  when,
  gapMs: fc.nat(5_000),
});
const paused = fc.record({
  kind: fc.constantFrom('pause' as const, 'sleep' as const),
  when,
  ms: fc.nat(LONG_MS),
});
const set = fc.record({
  kind: fc.constant('set_clock' as const),
  when,
  byMs: fc.integer({ min: -3_600_000, max: 3_600_000 }),
});

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  { weight: 4, arbitrary: ended },
  { weight: 5, arbitrary: paused },
  { weight: 1, arbitrary: set },
);
export const troubles = fc.array(fc.option(trouble, { freq: 3 }), { maxLength: 3, size: 'max' });

/** Clocks that differ by a hundredth are far worse than those of real machines. */
export const rate = fc.double({ min: 0.99, max: 1.01, noNaN: true });

export const partition: fc.Arbitrary<Partition> = fc.record({
  at: fc.oneof(fc.nat(2_000), fc.nat(40_000)),
  ms: fc.nat(LONG_MS),
  machine: fc.option(fc.nat(5), { freq: 4 }),
  isHeld: fc.boolean(),
});

/** What happens to one process, and its pace, is simulated elsewhere. */
export const scenario = scenarios.map((one): Scenario => ({
  ...one,
  ...{ crashes: [], stops: [], brokenFlushes: [], pace: {} },
}));

export const stories: fc.Arbitrary<Story> = fc.noBias(
  fc.record({
    scenario,
    pieceRows: fc.integer({ min: 1, max: 24 }),
    waits: fc.oneof(fc.constant([]), fc.array(fc.boolean(), { maxLength: 6, size: 'max' })),
    submitter: troubles,
    workers: fc.array(fc.record({ maxPieces: fc.integer({ min: 1, max: 2 }), rate, troubles }), {
      minLength: 1,
      maxLength: 5,
      size: 'max',
    }),
    partitions: fc.array(partition, { maxLength: 2, size: 'max' }),
    databaseMs: fc.integer({ min: 1, max: 20 }),
  }),
);
