import type { Earlier } from '../core/center.js';
import type { Batch } from './batch/batch.js';
import { lookUpAndChange, settleAndChange, waves } from './change/change-batch.js';
import { keysOf } from './change/keys.js';
import type { Outcomes } from './change/round.js';
import type { ChangeRule } from './change/rule.js';
import type { Turn } from './change/turns.js';
import { createClients, settleAndCreate } from './create/create-stage.js';
import type { BatchContext } from './batch-context.js';
import { type EnqueueOptions, enqueueClients } from './enqueue/enqueue-stage.js';
import { inspectClients } from './inspect/inspect-stage.js';
import { lostBefore, sleepUntil } from './settle/settle.js';

/** The stage at which a batch is taken up: a continued run begins where the earlier one ended. */
export type OpenStage =
  'new' | 'creation_unknown' | 'created' | 'change_unknown' | 'changed' | 'enqueueing_unknown';

/** A batch with what is on record of how its clients stood before they were changed. */
export interface OpenBatch extends Batch {
  readonly earlier?: ReadonlyMap<number, Earlier> | undefined;
}

/** Brings a batch from its stage to its end. */
export async function executeBatch(
  context: BatchContext,
  batch: OpenBatch,
  stage: OpenStage,
): Promise<void> {
  if (context.inspect) return inspectClients(context, batch, context.inspect);
  switch (stage) {
    case 'new':
      return executeNew(context, batch);
    case 'creation_unknown':
      return settleAndCreate(context, batch, (created) => finishCreated(context, batch, created));
    case 'created':
      return enqueueClients(context, batch);
    case 'enqueueing_unknown':
      return enqueueClients(context, batch, { doubt: lostBefore(context) });
    case 'change_unknown':
    case 'changed':
      if (!context.change) throw new RangeError(`Mode ${context.mode} changes no clients.`);
      return executeChange(context, batch, stage, context.change);
    default:
      throw new RangeError(`Unknown stage ${String(stage satisfies never)}.`);
  }
}

async function executeNew(context: BatchContext, batch: OpenBatch): Promise<void> {
  const { change, mode } = context;
  if (change) return executeChange(context, batch, 'new', change);
  if (mode === 'enqueue') return enqueueClients(context, batch);
  return createClients(context, batch, (created) => finishCreated(context, batch, created));
}

/** A client is never changed by two rows at a time: the later one waits for the end of the earlier. */
async function executeChange(
  context: BatchContext,
  batch: OpenBatch,
  stage: 'new' | 'change_unknown' | 'changed',
  change: ChangeRule,
): Promise<void> {
  if (stage === 'changed')
    return finishChanged(
      context,
      batch,
      new Map(batch.members.map((index) => [index, change.outcome])),
    );
  const keysOfAll = (members: readonly number[]): string[] =>
    members.flatMap((index) => keysOf(batch, index, change));
  const waiting = waves(batch, change).map((members) => {
    const keys = keysOfAll(members);
    return { wave: { ...batch, members }, keys, turn: context.turns.take(keys) };
  });
  try {
    for (const { wave, keys, turn } of waiting) {
      await beginTurn(context, turn, keys);
      await changeWave(context, wave, stage, change, (ended) => turn.release(keysOfAll(ended)));
      turn.release();
    }
  } finally {
    for (const { turn } of waiting) turn.release();
  }
}

/** Waits until nothing works on the clients: no other sending, and no request of one that was lost. */
async function beginTurn(
  context: BatchContext,
  { begins }: Turn,
  keys: readonly string[],
): Promise<void> {
  if (begins) await context.idleWaits.during(begins, 'turn');
  const held = context.turns.heldAfter(context.clock.now(), keys);
  if (held.size === 0) return;
  const until = Math.max(...held.values());
  await sleepUntil(context, until, { until, clients: held.size });
}

async function changeWave(
  context: BatchContext,
  batch: OpenBatch,
  stage: 'new' | 'change_unknown',
  rule: ChangeRule,
  onEnded: (members: readonly number[]) => void,
): Promise<void> {
  const options = { rule, fails: context.mode !== 'upsert', onEnded };
  const { changed, absent } =
    stage === 'new'
      ? await lookUpAndChange(context, batch, options)
      : await settleAndChange(context, batch, batch.earlier ?? NOTHING_KNOWN, options);
  await finishChanged(context, batch, changed);
  if (absent.length === 0) return;
  // Where facts were lost, a request of the process before may yet create them.
  const create = context.ledger.settlesAll ? settleAndCreate : createClients;
  await create(context, { ...batch, members: absent }, async (created) => {
    await finishCreated(context, batch, created);
    onEnded(created);
  });
}

const NOTHING_KNOWN: ReadonlyMap<number, Earlier> = new Map();

async function finishCreated(
  context: BatchContext,
  batch: Batch,
  created: readonly number[],
): Promise<void> {
  if (!context.campaign) context.onOutcome('created', created.length);
  else if (created.length > 0)
    await enqueueClients(context, { ...batch, members: created }, lostFacts(context));
}

/** Where facts were lost, a request for a client of which nothing is on record may have added it already. */
function lostFacts(context: BatchContext): EnqueueOptions {
  return context.ledger.settlesAll ? { doubt: lostBefore(context) } : {};
}

/** A client that was there before may be in the campaign already, which is no failure then. */
async function finishChanged(
  context: BatchContext,
  batch: Batch,
  changed: Outcomes,
): Promise<void> {
  if (!context.campaign) for (const outcome of changed.values()) context.onOutcome(outcome, 1);
  else if (changed.size > 0)
    await enqueueClients(
      context,
      { ...batch, members: [...changed.keys()] },
      { ...lostFacts(context), already: (index) => changed.get(index) },
    );
}
