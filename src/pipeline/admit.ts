import { UsageError } from '../core/errors.js';
import type { Fact, RowStage } from '../core/facts.js';
import { type RowState, foldChunk } from '../core/fold.js';
import type { RunLedger } from '../core/ledger.js';
import type { Outcome } from '../core/outcome.js';
import type { PreparedChunk } from '../core/prepared.js';
import type { SeenKeys } from '../core/seen.js';
import { type Batch, type BatchLimits, cutBatches } from './batch.js';
import type { Standing } from './deliver-batch.js';
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
export type Admitted = readonly (readonly [standing: Standing, batch: Batch])[];

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
  const cut = (standing: Standing, members: readonly number[]) =>
    cutBatches(chunk.clients, members, context.limits).map(
      (batch) => [standing, { chunk: number, clients: chunk.clients, members: batch }] as const,
    );
  onOutcome('rejected', chunk.rejected);
  onOutcome('skipped', chunk.skipped + duplicates.length);
  if (earlier.length === 0) {
    const held: Fact[] = duplicates.length > 0 ? [{ kind: 'duplicates', rows: duplicates }] : [];
    await ledger.record(number, [read, ...held]);
    return cut('new', passed);
  }
  refuseOtherRows(earlier, read);
  const states = foldChunk(earlier)?.states ?? [];
  const stageOf = (index: number): RowStage => stageAt(states, chunk.clients.at[index]);
  countEnded(context, passed.map(stageOf));
  return STANDINGS.flatMap(([standing, stages]) => {
    if (standing === 'created' && !context.campaign) return [];
    return cut(
      standing,
      passed.filter((index) => stages.includes(stageOf(index))),
    );
  });
}

/** What is open at which stage: whoever was on the way when the run ended may have arrived. */
const STANDINGS: readonly (readonly [Standing, readonly RowStage[]])[] = [
  ['enqueueing_unknown', ['enqueuing', 'enqueue_unknown']],
  ['created', ['created']],
  ['creation_unknown', ['creating', 'create_unknown']],
  ['new', ['pending']],
];

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
  create_failed: 'failed',
  enqueue_failed: 'enqueue_failed',
  enqueued: 'enqueued',
};

function countEnded(context: AdmitContext, stages: readonly RowStage[]): void {
  for (const stage of stages) {
    const outcome = stage === 'created' && !context.campaign ? 'created' : ENDED[stage];
    if (outcome) context.onOutcome(outcome, 1);
  }
}
