import { UsageError } from '../core/errors.js';
import type { Fact, RowStage } from '../core/facts.js';
import { type RowState, awaitsCampaign, foldChunk, textOf } from '../core/fold.js';
import type { RunLedger } from '../core/ledger.js';
import type { Outcome } from '../core/outcome.js';
import type { PreparedChunk, PreparedClients } from '../core/prepared.js';
import type { SeenKeys } from '../core/seen.js';
import { type BatchLimits, cutBatches, cutBySize } from './batch.js';
import type { Standing, StandingBatch } from './deliver-batch.js';
import { type DuplicateRule, screenChunk } from './screen.js';

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
  const earlier = ledger.continued ? ledger.factsOf(number) : [];
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
    await ledger.record(number, [read, ...held]);
    return cut('new', passed);
  }
  refuseOtherRows(earlier, read);
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
  return STANDINGS.flatMap(([standing, stages]) =>
    cut(
      standing,
      passed.filter((index) => {
        const state = stateOf(index);
        if (!stages.includes(state?.stage ?? 'pending')) return false;
        return !AFTER_CAMPAIGN.has(standing) || (state && awaitsCampaign(state, context.campaign));
      }),
      earlierOf,
    ),
  );
}

/** Where nothing is left to do unless a campaign waits. */
const AFTER_CAMPAIGN: ReadonlySet<Standing> = new Set(['created', 'changed']);

/** What is open at which stage: whoever was on the way when the run ended may have arrived. */
const STANDINGS: readonly (readonly [Standing, readonly RowStage[]])[] = [
  ['enqueueing_unknown', ['enqueuing', 'enqueue_unknown']],
  ['created', ['created']],
  ['changed', ['changed']],
  ['change_unknown', ['changing', 'change_unknown']],
  ['creation_unknown', ['creating', 'create_unknown']],
  ['new', ['pending']],
];

function refuseOtherRows(earlier: readonly Fact[], read: Extract<Fact, { kind: 'read' }>): void {
  const recorded = earlier.find((fact) => fact.kind === 'read');
  if (recorded === undefined || textOf(recorded.data) !== textOf(read.data))
    throw new UsageError(
      'The input or the mapping gives other rows than when this run began, so it is not continued. Restore them, or import what has changed with another --ledger.',
    );
}

const ENDED: Partial<Record<RowStage, Outcome>> = {
  create_failed: 'failed',
  change_failed: 'failed',
  created: 'created',
  enqueue_failed: 'enqueue_failed',
  enqueued: 'enqueued',
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
