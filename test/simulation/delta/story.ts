import fc from 'fast-check';
import { type Story, stories } from '../around/story.js';
import type { Fate } from '../scenario.js';

/** The list of one night: the value of each client, or `null` where it is not in the list. */
export type List = readonly (number | null)[];

/** What happens in a night. */
export interface Night {
  readonly list: List;
  /** Which of the two lists it is; no client is in both of them. */
  readonly isOther?: boolean;
  /** Clients whose rows the contact center refuses this night. */
  readonly refused: readonly boolean[];
  /** Clients whose rows the mapping rejects this night. */
  readonly rejected?: readonly boolean[];
  /** Clients that are in a call, so that they cannot be removed from the campaign. */
  readonly called?: readonly boolean[];
  /** Clients that a person removes from the campaign the next morning. */
  readonly removed?: readonly boolean[];
  /** Whether the person takes the run back the next morning. */
  readonly isUndone: boolean;
  /** How often a command that died is tried again. */
  readonly tries: number;
  /** Milliseconds until the next night begins. */
  readonly gapMs: number;
}

export interface Nights extends Pick<
  Story,
  | 'rowsInChunk'
  | 'batchSize'
  | 'concurrency'
  | 'timeoutMs'
  | 'settleAfterMs'
  | 'serverDeadlineMs'
  | 'latencyMs'
  | 'flushMs'
  | 'crashes'
  | 'seed'
  | 'isNaive'
> {
  readonly mode: 'create' | 'upsert';
  readonly campaign: boolean;
  readonly missing: 'keep' | 'dequeue';
  readonly nights: readonly Night[];
  readonly fates: readonly Fate[];
}

/** Of one list. */
export const CLIENTS = 8;

/** A few of the clients: now and then all of them are spared. */
const some = (count: number): fc.Arbitrary<readonly boolean[]> =>
  fc.oneof(
    fc.constant([]),
    fc.array(
      fc.nat(5).map((drawn) => drawn === 5),
      { minLength: count, maxLength: count },
    ),
  );

const list = fc.array(fc.option(fc.nat(2), { freq: 4 }), {
  minLength: CLIENTS,
  maxLength: CLIENTS,
});

const night: fc.Arbitrary<Night> = fc.record({
  list,
  isOther: fc.nat(3).map((drawn) => drawn === 3),
  refused: some(CLIENTS),
  rejected: some(CLIENTS),
  called: some(2 * CLIENTS),
  removed: some(2 * CLIENTS),
  isUndone: fc.nat(6).map((drawn) => drawn === 6),
  tries: fc.nat(3),
  // Who begins again while a lost request may still be carried out knows of it from the ledger.
  gapMs: fc.constantFrom(100_000, 100_000, 10),
});

/** Some nights in which one list follows the other. */
export const nightsOfLists: fc.Arbitrary<Nights> = fc
  .tuple(
    stories,
    fc.record({
      mode: fc.constantFrom('create' as const, 'upsert' as const),
      campaign: fc.boolean(),
      dequeues: fc.boolean(),
      nights: fc.array(night, { minLength: 2, maxLength: 6, size: 'max' }),
    }),
  )
  .map(([story, { mode, campaign, dequeues, nights }]) => ({
    ...story,
    ...{ mode, campaign, nights },
    missing: campaign && dequeues ? 'dequeue' : 'keep',
  }));
