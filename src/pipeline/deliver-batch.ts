import type { Earlier } from '../core/change.js';
import type { Outcome } from '../core/outcome.js';
import type { Batch } from './batch.js';
import { keysOf, lookUpAndChange, settleAndChange, waves } from './change/deliver.js';
import type { ChangeRule } from './change/rule.js';
import { createClients, settleAndCreate } from './create-stage.js';
import type { DeliveryContext } from './delivery-context.js';
import { enqueueClients } from './enqueue-stage.js';
import { inspectClients } from './inspect-stage.js';

/** Where a batch stands when it is taken up: a continued run begins where the earlier one ended. */
export type Standing =
  'new' | 'creation_unknown' | 'created' | 'change_unknown' | 'changed' | 'enqueueing_unknown';

/** A batch with what is on record of how its clients stood before they were changed. */
export interface StandingBatch extends Batch {
  readonly earlier?: ReadonlyMap<number, Earlier> | undefined;
}

/** Brings a batch to its end from where it stands. */
export async function deliverBatch(
  context: DeliveryContext,
  batch: StandingBatch,
  standing: Standing,
): Promise<void> {
  if (context.inspect) return inspectClients(context, batch, context.inspect);
  switch (standing) {
    case 'new':
      return deliverNew(context, batch);
    case 'creation_unknown':
      return finishCreated(context, batch, await settleAndCreate(context, batch));
    case 'created':
      return enqueueClients(context, batch);
    case 'enqueueing_unknown':
      return enqueueClients(context, batch, { doubtful: true });
    case 'change_unknown':
    case 'changed':
      return context.change ? deliverChange(context, batch, standing, context.change) : undefined;
  }
}

async function deliverNew(context: DeliveryContext, batch: StandingBatch): Promise<void> {
  const { change, mode } = context;
  if (change) return deliverChange(context, batch, 'new', change);
  if (mode === 'enqueue') return enqueueClients(context, batch);
  return finishCreated(context, batch, await createClients(context, batch));
}

/** A client is never changed by two rows at a time: the later one waits for the end of the earlier. */
async function deliverChange(
  context: DeliveryContext,
  batch: StandingBatch,
  standing: 'new' | 'change_unknown' | 'changed',
  change: ChangeRule,
): Promise<void> {
  if (standing === 'changed') return finishChanged(context, batch, batch.members, change.outcome);
  const keys = batch.members.flatMap((index) => keysOf(batch, index, change));
  const release = await context.turns.take(keys);
  try {
    for (const wave of waves(batch, change))
      await changeWave(context, { ...batch, members: wave }, standing, change);
  } finally {
    release();
  }
}

async function changeWave(
  context: DeliveryContext,
  batch: StandingBatch,
  standing: 'new' | 'change_unknown',
  rule: ChangeRule,
): Promise<void> {
  const fails = context.mode !== 'upsert';
  const { changed, absent } =
    standing === 'new'
      ? await lookUpAndChange(context, batch, rule, fails)
      : await settleAndChange(context, batch, {
          rule,
          earlier: batch.earlier ?? new Map<number, Earlier>(),
          fails,
        });
  await finishChanged(context, batch, changed, rule.outcome);
  if (absent.length === 0) return;
  const created = await createClients(context, { ...batch, members: absent });
  await finishCreated(context, batch, created);
}

async function finishCreated(
  context: DeliveryContext,
  batch: Batch,
  created: readonly number[],
): Promise<void> {
  if (!context.campaign) context.onOutcome('created', created.length);
  else if (created.length > 0) await enqueueClients(context, { ...batch, members: created });
}

/** A client that was there before may be in the campaign already, which is no failure then. */
async function finishChanged(
  context: DeliveryContext,
  batch: Batch,
  changed: readonly number[],
  outcome: Outcome,
): Promise<void> {
  if (!context.campaign) context.onOutcome(outcome, changed.length);
  else if (changed.length > 0)
    await enqueueClients(context, { ...batch, members: changed }, { already: outcome });
}
