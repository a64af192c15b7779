import { UsageError } from '../core/errors.js';
import type { Fact } from '../core/facts.js';
import type { RowStage } from '../core/stage.js';
import { type RowState, awaitsCampaign } from '../core/row-state.js';
import { foldChunk, textOf } from '../core/fold.js';
import type { RunLedger } from '../core/ledger.js';
import type { Outcome } from '../core/outcome.js';
import type { KnownRows } from '../core/duplicates/known.js';
import type { PreparedChunk, PreparedClients } from '../core/client/prepared.js';
import type { SeenKeys } from '../core/duplicates/seen.js';
import { type BatchLimits, cutBatches, cutBySize } from './batch/batch.js';
import type { Standing, StandingBatch } from './deliver-batch.js';
import { knownFacts } from './known-rows.js';
import type { DuplicateRule } from '../core/duplicates/duplicate-rule.js';
import { screenChunk } from './screen.js';

export interface AdmitContext {
  readonly ledger: RunLedger;
  readonly seen: SeenKeys;
  readonly duplicates: DuplicateRule;
  readonly inputs: readonly string[];
  readonly limits: BatchLimits;
  /** Whether clients are added to a campaign. */
  readonly campaign: boolean;
  /** Whether clients travel together in a request; else each has requests of its own. */
  readonly together: boolean;
  /** Where a row stands that may have been sent, although nothing of it is on record. */
  readonly unsure: Standing;
  /** Whether the mode can look up what became of a change. */
  readonly settles: boolean;
  /** What earlier runs did with the rows; absent where nobody asks. */
  readonly known?: KnownRows | undefined;
  readonly onOutcome: (outcome: Outcome, count: number) => void;
  /** Told of clients of an earlier part of the run, with its facts. */
  readonly onContinued?:
    | ((clients: PreparedClients, members: readonly number[], facts: readonly Fact[]) => void)
    | undefined;
}

/** What is left to do for a chunk. */
export type Admitted = readonly (readonly [standing: Standing, batch: StandingBatch])[];

/**
 * Screens a chunk and puts its rows on record. Where the ledger has facts of it already, only what they leave open is
 * to be done.
 * @throws UsageError when the rows are not those that the run recorded.
 */
export async function admitChunk(
  context: AdmitContext,
  chunk: PreparedChunk,
  number: number,
): Promise<Admitted> {
  const { ledger, seen, duplicates: rule, inputs, onOutcome } = context;
  const { passed, duplicates } = screenChunk(chunk, rule, inputs, seen);
  let earlier = ledger.continued ? ledger.factsOf(number) : [];
  const read = { kind: 'read', data: chunk.read } as const;
  const { clients } = chunk;
  const cut = (
    standing: Standing,
    members: readonly number[],
    earlier?: StandingBatch['earlier'],
  ) =>
    (context.together
      ? cutBatches(clients, members, context.limits, rule === 'sync')
      : cutBySize(members, context.limits.clients())
    ).map((batch) => [standing, { chunk: number, clients, members: batch, earlier }] as const);
  onOutcome('rejected', chunk.rejected);
  onOutcome('skipped', chunk.skipped + duplicates.length);
  if (earlier.length === 0) {
    const held: Fact[] = duplicates.length > 0 ? [{ kind: 'duplicates', rows: duplicates }] : [];
    const known = knownFacts(context.known, chunk, passed);
    earlier = [read, ...held, ...known];
    await ledger.record(number, earlier);
    if (known.length === 0 && !ledger.settlesAll) return cut('new', passed);
  } else refuseOtherRows(earlier, read);
  if (ledger.settlesAll)
    earlier = await doubtPending(context, { clients, passed, number }, earlier);
  context.onContinued?.(clients, passed, earlier);
  const states = foldChunk(earlier)?.states ?? [];
  const stateOf = (index: number): RowState | undefined => states[clients.at[index] ?? -1];
  countEnded(context, passed.map(stateOf));
  const earlierOf = new Map(
    passed.flatMap((index) => {
      const how = stateOf(index)?.earlier;
      return how ? [[index, how] as const] : [];
    }),
  );
  return STANDINGS.flatMap((standing) =>
    cut(
      standing,
      passed.filter((index) => {
        const state = stateOf(index);
        if (standingOf(state, context) !== standing) return false;
        return !AFTER_CAMPAIGN.has(standing) || (state && awaitsCampaign(state, context.campaign));
      }),
      earlierOf,
    ),
  );
}

const LOST_FACTS = 'Facts of the run were lost, so that this may have been sent already.';

/**
 * Puts on record that rows of which nothing is on record may have been changed, in modes that look such changes up
 * before they are sent again: else a client would be looked up as if nothing had been sent.
 */
async function doubtPending(
  { ledger, settles }: AdmitContext,
  {
    clients,
    passed,
    number,
  }: Pick<PreparedChunk, 'clients'> & {
    readonly passed: readonly number[];
    readonly number: number;
  },
  facts: readonly Fact[],
): Promise<readonly Fact[]> {
  const states = foldChunk(facts)?.states ?? [];
  const pending = passed
    .map((index) => clients.at[index] ?? 0)
    .filter((at) => states[at]?.stage === 'pending' && !states[at].wasAbsent);
  if (!settles || pending.length === 0) return facts;
  const doubts: Fact[] = [
    { kind: 'looked_up', found: pending.map((at) => [at, {}] as const) },
    { kind: 'change_unknown', rows: pending, reason: LOST_FACTS },
  ];
  await ledger.record(number, doubts);
  return [...facts, ...doubts];
}

/** Where nothing is left to do unless a campaign waits. */
const AFTER_CAMPAIGN: ReadonlySet<Standing> = new Set(['created', 'changed']);

/** In this order what is open is taken up: what is nearest to its end comes first. */
const STANDINGS: readonly Standing[] = [
  'enqueueing_unknown',
  'created',
  'changed',
  'change_unknown',
  'creation_unknown',
  'new',
];

/** What is open at which stage: whoever was on the way when the run ended may have arrived. */
const OPEN_AT: Partial<Record<RowStage, Standing>> = {
  enqueuing: 'enqueueing_unknown',
  enqueue_unknown: 'enqueueing_unknown',
  created: 'created',
  changed: 'changed',
  changing: 'change_unknown',
  change_unknown: 'change_unknown',
  creating: 'creation_unknown',
  create_unknown: 'creation_unknown',
  pending: 'new',
};

/**
 * Where a row stands; `undefined`: it has ended. Where facts were lost, a row of which nothing is on record may have been
 * sent all the same, and is looked up first.
 */
function standingOf(state: RowState | undefined, context: AdmitContext): Standing | undefined {
  const standing = OPEN_AT[state?.stage ?? 'pending'];
  if (!context.ledger.settlesAll) return standing;
  // Also one that an earlier lookup did not find: it may have been sent since.
  if (standing === 'new') return context.unsure;
  return state && awaitsCampaign(state, context.campaign) ? 'enqueueing_unknown' : standing;
}

function refuseOtherRows(earlier: readonly Fact[], read: Extract<Fact, { kind: 'read' }>): void {
  const recorded = earlier.find((fact) => fact.kind === 'read');
  if (recorded === undefined || textOf(recorded.data) !== textOf(read.data))
    throw new UsageError(
      'The input or the mapping gives other rows than when this run began, so it is not continued. Restore them to continue it; or take back what it did (cardline undo); or begin anew with --again, which sends all rows, also those that it has sent.',
    );
}

const ENDED: Partial<Record<RowStage, Outcome>> = {
  create_failed: 'failed',
  change_failed: 'failed',
  created: 'created',
  enqueue_failed: 'enqueue_failed',
  enqueued: 'enqueued',
  skipped: 'skipped',
};

function endedAs({ stage, changedTo, inspection }: RowState): Outcome | null | undefined {
  if (stage === 'inspected') return inspection?.verdict;
  return stage === 'changed' ? changedTo : ENDED[stage];
}

function countEnded(context: AdmitContext, states: readonly (RowState | undefined)[]): void {
  for (const state of states) {
    if (!state || awaitsCampaign(state, context.campaign)) continue;
    const outcome = endedAs(state);
    if (outcome) context.onOutcome(outcome, 1);
  }
}
