import fc from 'fast-check';
import { MODES, type Mode } from '../../../src/core/outcome.js';
import {
  type Crash,
  type Fate,
  type Stop,
  how,
  kind,
  share,
  stopsIn,
  whenOf,
} from '../scenario.js';

/** What is particular about a row of the file. */
export const ROW_KINDS = [
  'client',
  /** Refused by the contact center until the file is corrected; in modes that change clients: it has no card. */
  'bad',
  /** Never in a campaign. */
  'blacklisted',
  /** Has had a card since before the story, unless the contact center would make a second one. */
  'existing',
  /** Has the identifiers of the first client. */
  'repeat',
  /** A client in the corrected file alone. */
  'rejected',
  'skipped',
  /** In the corrected file alone. */
  'added',
] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** What of the import differs from the first one. */
export interface Version {
  /** 0: the file as it was; 1: corrected under the same name. */
  readonly content: number;
  /** Which lookup file the mapping has. */
  readonly part: number;
}

/** What a person does, beside repeating a command that was stopped or has to wait. */
const STEPS = ['same', 'again', 'part', 'corrected', 'campaign', 'mode', 'undo'] as const;

export interface Step {
  readonly kind: (typeof STEPS)[number];
  /** Whether it changes the import of the step before; else the first one. */
  readonly isOn: boolean;
  /** Milliseconds after the beginning of the step before; `null`: when all before have ended. */
  readonly after: number | null;
  /** Whether the person leaves it when it has been stopped or has died. */
  readonly isLeft: boolean;
}

/** What the ledger loses when its process dies: facts since it was whole in its file, and the marks beside it. */
export interface Loss {
  readonly share: number;
  readonly withMarks: boolean;
}

export interface Death extends Crash {
  readonly loss: Loss | null;
}

export interface Story {
  readonly mode: Mode;
  readonly campaign: boolean;
  readonly rows: readonly RowKind[];
  readonly rowsInChunk: number;
  readonly batchSize: number;
  readonly concurrency: number;
  /** Whether the contact center makes a second card of the same identifiers instead of refusing it. */
  readonly isNaive: boolean;
  readonly checksPhones: boolean;
  readonly holdsBackRepeats: boolean;
  readonly timeoutMs: number;
  readonly settleAfterMs: number;
  readonly serverDeadlineMs: number;
  readonly latencyMs: number;
  readonly flushMs: number;
  readonly fates: readonly Fate[];
  /** Whether the first import is left when it has been stopped or has died. */
  readonly isLeft: boolean;
  /** After the first import. */
  readonly steps: readonly Step[];
  /** Of each process in its turn. */
  readonly crashes: readonly (Death | null)[];
  readonly stops: readonly (Stop | null)[];
  /** For everything that is not worth shrinking. */
  readonly seed: number;
}

/** Of whom an answer tells is never in doubt here: that is simulated with single imports. */
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { withCrossShrink: true },
  { weight: 14, arbitrary: fc.record({ kind: kind('fine') }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Fate>(
      { kind: 'not_sent' },
      { kind: 'busy', status: 503, afterMs: null },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('lost_request' as const, 'lost_answer' as const),
      how,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind('late'), how, share }) },
  {
    weight: 2,
    arbitrary: fc
      .record({
        kind: fc.constantFrom('gateway' as const, 'garbage' as const),
        lateShare: fc.option(share),
      })
      .map((one) => ({ ...one, processed: one.lateShare !== null })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('server_error'),
      done: share,
      lateShare: fc.option(share, { freq: 1 }),
    }),
  },
);

const row = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: fc.constant<RowKind>('client') },
  { weight: 2, arbitrary: fc.constantFrom(...ROW_KINDS) },
);

const CALLS = 60;
const crash: fc.Arbitrary<Death> = fc.record({
  when: whenOf(CALLS),
  kept: fc.nat(6),
  gapMs: fc.nat(10_000),
  loss: fc.option(fc.record({ share, withMarks: fc.boolean() })),
});

const isLeft = fc.nat(3).map((drawn) => drawn === 3);

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...STEPS),
  isOn: fc.boolean(),
  after: fc.option(fc.nat(20_000)),
  isLeft,
});

/** Half of the stories are about clients that are created: most of what can go wrong, goes wrong there. */
const mode = fc.oneof(
  fc.constantFrom<Mode>('create', 'create', 'upsert'),
  fc.constantFrom<Mode>(...MODES),
);

/** Stories of every kind; noBias, since each is made from a seed of its own. */
export const stories: fc.Arbitrary<Story> = fc.noBias(
  fc.record({
    mode,
    campaign: fc.boolean(),
    rows: fc.array(row, { minLength: 1, maxLength: 10, size: 'max' }),
    rowsInChunk: fc.integer({ min: 1, max: 6 }),
    batchSize: fc.integer({ min: 1, max: 5 }),
    concurrency: fc.integer({ min: 1, max: 3 }),
    isNaive: fc.boolean(),
    checksPhones: fc.boolean(),
    holdsBackRepeats: fc.boolean(),
    timeoutMs: fc.constantFrom(1_500, 20_000),
    settleAfterMs: fc.constantFrom(2_000, 300),
    serverDeadlineMs: fc.constantFrom(60_000, 60_000, 5_000),
    latencyMs: fc.integer({ min: 1, max: 400 }),
    flushMs: fc.constantFrom(0, 10, 200),
    fates: fc.array(fate, { maxLength: 30, size: 'max' }),
    isLeft,
    steps: fc.array(step, { maxLength: 3, size: 'max' }),
    crashes: fc.array(fc.option(crash), { maxLength: 4, size: 'max' }),
    stops: fc.array(fc.option(stopsIn(CALLS)), { maxLength: 3, size: 'max' }),
    seed: fc.noShrink(fc.nat()),
  }),
);
