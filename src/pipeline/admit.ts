import { UsageError } from '../core/errors.js';
import type { Fact, RowStage } from '../core/facts.js';
import { type RowState, foldChunk } from '../core/fold.js';
import type { RunLedger } from '../core/ledger.js';
import type { Outcome } from '../core/outcome.js';
import type { PreparedChunk } from '../core/prepared.js';
import type { SeenKeys } from '../core/seen.js';
import { type Batch, type BatchLimits, cutBatches } from './batch.js';
import { type DuplicateRule, screenChunk } from './screen.js';

export interface AdmitContext {
  readonly ledger: RunLedger;
  readonly seen: SeenKeys;
  readonly duplicates: DuplicateRule;
  readonly inputs: readonly string[];
  readonly limits: BatchLimits;
  readonly campaign: boolean;
  readonly onOutcome: (outcome: Outcome, count: number) => void;
}

/** What is left to do for a chunk. */
export interface Admitted {
  readonly toCreate: readonly Batch[];
  /** Clients whose card exists already, from an earlier part of the run. */
  readonly toEnqueue: readonly Batch[];
}

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
  const read: Fact = { kind: 'read', data: readText(chunk) };
  const cut = (members: readonly number[]): Batch[] =>
    cutBatches(chunk.clients, members, context.limits).map((batch) => ({
      chunk: number,
      clients: chunk.clients,
      members: batch,
    }));
  onOutcome('rejected', chunk.rejected);
  onOutcome('skipped', chunk.skipped + duplicates.length);
  if (earlier.length === 0) {
    const held: Fact[] = duplicates.length > 0 ? [{ kind: 'duplicates', rows: duplicates }] : [];
    await ledger.record(number, [read, ...held]);
    return { toCreate: cut(passed), toEnqueue: [] };
  }
  refuseOtherRows(earlier, read);
  const states = foldChunk(earlier)?.states ?? [];
  const stageOf = (index: number): RowStage => stageAt(states, chunk.clients.at[index]);
  countEnded(context, passed.map(stageOf));
  return {
    toCreate: cut(passed.filter((index) => stageOf(index) === 'pending')),
    toEnqueue: context.campaign ? cut(passed.filter((index) => stageOf(index) === 'created')) : [],
  };
}

function readText({ input, sheet, first, record }: PreparedChunk): string {
  return `{"input":${input},"sheet":${JSON.stringify(sheet)},"first":${first},"rows":${record}}`;
}

function refuseOtherRows(earlier: readonly Fact[], read: Extract<Fact, { kind: 'read' }>): void {
  const recorded = earlier.find((fact) => fact.kind === 'read');
  if (recorded?.data !== read.data)
    throw new UsageError(
      'The input or the mapping gives other rows than when this run began, so it is not continued. Restore them, or import what has changed with another --ledger.',
    );
}

function stageAt(states: readonly RowState[], at: number | undefined): RowStage {
  return states[at ?? -1]?.stage ?? 'pending';
}

const ENDED: Partial<Record<RowStage, Outcome>> = {
  creating: 'unknown',
  create_unknown: 'unknown',
  create_failed: 'failed',
  enqueuing: 'unknown',
  enqueue_unknown: 'unknown',
  enqueue_failed: 'enqueue_failed',
  enqueued: 'enqueued',
};

function countEnded(context: AdmitContext, stages: readonly RowStage[]): void {
  for (const stage of stages) {
    const outcome = stage === 'created' && !context.campaign ? 'created' : ENDED[stage];
    if (outcome) context.onOutcome(outcome, 1);
  }
}
