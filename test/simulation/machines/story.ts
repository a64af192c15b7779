import fc from 'fast-check';
import type { Trouble, When } from '../life.js';
import { type Scenario, scenarios } from '../scenario.js';

/** A while in which nothing comes through between a machine and the database. */
interface Partition {
  readonly at: number;
  readonly ms: number;
  /** The machine; `null`: all of them, as when the database is stopped. */
  readonly machine: number | null;
  /** Whether what was sent meanwhile still arrives at its end. */
  readonly isHeld: boolean;
}

/** One run that several machines work on. */
export interface Machines {
  /** The file and the contact center. */
  readonly scenario: Scenario;
  /** A lock on a file goes with its process alone; a lease lapses. */
  readonly ledger: 'file' | 'database';
  readonly partitions: readonly Partition[];
  readonly databaseMs: number;
}

/** One machine. */
interface MachineStory {
  /** How fast its clocks go. */
  readonly rate: number;
  /** Of each of its processes in turn. */
  readonly troubles: readonly (Trouble | null)[];
}

/** A shared run, and what happens to those who work on it. */
export interface SharedRun extends Machines {
  readonly pieceRows: number;
  /** Which pieces begin when those before them have ended, over and over; empty: none. */
  readonly waits: readonly boolean[];
  readonly submitter: readonly (Trouble | null)[];
  readonly workers: readonly (MachineStory & { readonly maxPieces: number })[];
}

/** One machine on which the import is begun, again and again until it is done. */
export interface Starter extends MachineStory {
  /** When it is begun there first. */
  readonly at: number;
  /** How long each command reads its files and asks the contact center before it comes to its run. */
  readonly preparesMs: number;
}

/** The same import, begun on several machines at about the same time. */
export interface Takeover extends Machines {
  readonly starters: readonly Starter[];
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
const troubles = fc.array(fc.option(trouble, { freq: 3 }), { maxLength: 3, size: 'max' });

/** Clocks that differ by a hundredth are far worse than those of real machines. */
const rate = fc.double({ min: 0.99, max: 1.01, noNaN: true });

const partition: fc.Arbitrary<Partition> = fc.record({
  at: fc.oneof(fc.nat(2_000), fc.nat(40_000)),
  ms: fc.nat(LONG_MS),
  machine: fc.option(fc.nat(5), { freq: 4 }),
  isHeld: fc.boolean(),
});

/** What happens to one process, and its pace, is simulated elsewhere. */
const scenario = scenarios.map((one): Scenario => ({
  ...one,
  ...{ crashes: [], stops: [], brokenFlushes: [], pace: {} },
}));

export const sharedRuns: fc.Arbitrary<SharedRun> = fc.noBias(
  fc.record({
    scenario,
    ledger: fc.constant('database' as const),
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

const starter: fc.Arbitrary<Starter> = fc.record({
  at: fc.oneof(fc.nat(700), fc.nat(60_000)),
  preparesMs: fc.oneof(fc.nat(50), fc.nat(5_000)),
  ...{ rate, troubles },
});

export const takeovers: fc.Arbitrary<Takeover> = fc.noBias(
  fc.record({
    scenario,
    ledger: fc.constantFrom('file' as const, 'database' as const),
    starters: fc.array(starter, { minLength: 1, maxLength: 3, size: 'max' }),
    partitions: fc.array(partition, { maxLength: 2, size: 'max' }),
    databaseMs: fc.integer({ min: 1, max: 20 }),
  }),
);
