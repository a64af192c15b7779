import fc from 'fast-check';
import {
  type Partition,
  type Trouble,
  partition,
  rate,
  scenario,
  troubles,
} from '../fleet/story.js';
import type { Scenario } from '../scenario.js';

/** One machine on which the import is begun, again and again until it is done. */
export interface Starter {
  /** When it is begun there first. */
  readonly at: number;
  /** How long each command reads its files and asks the contact center before it comes to its run. */
  readonly preparesMs: number;
  /** How fast the clocks go. */
  readonly rate: number;
  /** Of each of its processes in turn. */
  readonly troubles: readonly (Trouble | null)[];
}

/** The same import, begun on several machines at about the same time. */
export interface Story {
  /** The file and the contact center. */
  readonly scenario: Scenario;
  /** A lock on a file goes with its process alone; a lease lapses. */
  readonly ledger: 'file' | 'database';
  readonly starters: readonly Starter[];
  readonly partitions: readonly Partition[];
  readonly databaseMs: number;
}

const starter: fc.Arbitrary<Starter> = fc.record({
  at: fc.oneof(fc.nat(700), fc.nat(60_000)),
  preparesMs: fc.oneof(fc.nat(50), fc.nat(5_000)),
  ...{ rate, troubles },
});

export const stories: fc.Arbitrary<Story> = fc.noBias(
  fc.record({
    scenario,
    ledger: fc.constantFrom('file' as const, 'database' as const),
    starters: fc.array(starter, { minLength: 1, maxLength: 3, size: 'max' }),
    partitions: fc.array(partition, { maxLength: 2, size: 'max' }),
    databaseMs: fc.integer({ min: 1, max: 20 }),
  }),
);
