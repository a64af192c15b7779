import type { PreparedChunk } from '../../core/prepared.js';
import type { Fact } from '../../core/facts.js';
import { foldChunk } from '../../core/facts.js';
import { type RowState, awaitsCampaign } from '../../core/facts.js';
import type { RowStage } from '../../core/facts.js';
import type { Outcome } from '../../core/outcome.js';
import { cutBatches, cutBySize } from '../batch/batch.js';
import type { OpenBatch, OpenStage } from '../execute-batch.js';
import type { AdmitContext } from './admit-context.js';

/** What is left to do for a chunk. */
export type Admitted = readonly (readonly [stage: OpenStage, batch: OpenBatch])[];

/** A chunk whose rows have been screened. */
export interface ScreenedChunk {
  readonly chunk: PreparedChunk;
  readonly number: number;
  /** Indexes of the clients that go on. */
  readonly passed: readonly number[];
}

/** Finds what the facts of a chunk leave open. */
export async function takeUp(
  context: AdmitContext,
  screened: ScreenedChunk,
  recorded: readonly Fact[],
  isEarlier: boolean,
): Promise<Admitted> {
  const { passed } = screened;
  const { clients } = screened.chunk;
  const facts = context.ledger.settlesAll
    ? await doubtPending(context, screened, recorded)
    : recorded;
  context.onContinued?.(clients, passed, facts);
  const states = foldChunk(facts)?.states ?? [];
  const stateOf = (index: number): RowState | undefined => states[clients.at[index] ?? -1];
  countEnded(context, passed.map(stateOf), isEarlier);
  const earlier = new Map(
    passed.flatMap((index) => {
      const how = stateOf(index)?.earlier;
      return how ? [[index, how] as const] : [];
    }),
  );
  return OPEN_STAGES.flatMap((stage) => {
    const members = passed.filter((index) => openStageOf(stateOf(index), context) === stage);
    return cutOpen(context, screened, stage, members, earlier);
  });
}

/** The batches of members that are at one stage. */
export function cutOpen(
  { together, limits, duplicates }: AdmitContext,
  { chunk: { clients }, number }: ScreenedChunk,
  stage: OpenStage,
  members: readonly number[],
  earlier?: OpenBatch['earlier'],
): Admitted {
  const batches = together
    ? cutBatches(clients, members, limits, duplicates.by.includes('sync'))
    : cutBySize(members, limits.clients());
  return batches.map((batch) => [stage, { chunk: number, clients, members: batch, earlier }]);
}

const LOST_FACTS = 'Facts of the run were lost, so that this may have been sent already.';

/**
 * Puts on record that rows of which nothing is on record may have been changed, in modes that look such changes up
 * before they are sent again: else a client would be looked up as if nothing had been sent.
 */
async function doubtPending(
  { ledger, settles }: AdmitContext,
  { chunk: { clients }, passed, number }: ScreenedChunk,
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

/** In this order what is open is taken up: what is nearest to its end comes first. */
const OPEN_STAGES: readonly OpenStage[] = [
  'enqueueing_unknown',
  'created',
  'changed',
  'change_unknown',
  'creation_unknown',
  'new',
];

/**
 * Where a row of each stage is taken up; `null`: it has ended. What was on the way when the run ended may have arrived.
 * Rows that are created or changed are open only while they wait for a campaign.
 */
const OPEN_AT = {
  pending: 'new',
  creating: 'creation_unknown',
  create_unknown: 'creation_unknown',
  create_failed: null,
  created: 'created',
  enqueuing: 'enqueueing_unknown',
  enqueue_unknown: 'enqueueing_unknown',
  enqueue_failed: null,
  enqueued: null,
  changing: 'change_unknown',
  change_unknown: 'change_unknown',
  change_failed: null,
  changed: 'changed',
  inspected: null,
  unchanged: null,
  rejected: null,
  skipped: null,
} as const satisfies Record<RowStage, OpenStage | null>;

/**
 * Where a row is taken up; `null`: it has ended. Where facts were lost, a row of which nothing is on record may have been
 * sent all the same, and is looked up first.
 */
function openStageOf(state: RowState | undefined, context: AdmitContext): OpenStage | null {
  const stage = OPEN_AT[state?.stage ?? 'pending'];
  const awaits = state !== undefined && awaitsCampaign(state, context.campaign);
  if ((stage === 'created' || stage === 'changed') && !awaits) return null;
  if (!context.ledger.settlesAll) return stage;
  // Also one that an earlier lookup did not find: it may have been sent since.
  if (stage === 'new') return context.unsure;
  return awaits ? 'enqueueing_unknown' : stage;
}

/** How a row of each stage has ended; `null`: it has not, or was counted when its chunk was screened. */
const ENDED_AS = {
  pending: null,
  creating: null,
  create_unknown: null,
  create_failed: 'failed',
  created: 'created',
  enqueuing: null,
  enqueue_unknown: null,
  enqueue_failed: 'enqueue_failed',
  enqueued: 'enqueued',
  changing: null,
  change_unknown: null,
  change_failed: 'failed',
  changed: ({ changedTo }) => changedTo,
  inspected: ({ inspection }) => inspection?.verdict ?? null,
  unchanged: 'unchanged',
  rejected: null,
  skipped: 'skipped',
} satisfies Record<RowStage, Outcome | null | ((state: RowState) => Outcome | null)>;

function outcomeAtEnd(state: RowState): Outcome | null {
  const ended = ENDED_AS[state.stage];
  return typeof ended === 'function' ? ended(state) : ended;
}

function countEnded(
  context: AdmitContext,
  states: readonly (RowState | undefined)[],
  isEarlier: boolean,
): void {
  for (const state of states) {
    if (!state || awaitsCampaign(state, context.campaign)) continue;
    const outcome = outcomeAtEnd(state);
    if (outcome) context.onOutcome(outcome, 1, isEarlier);
  }
}
