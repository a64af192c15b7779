import type { Batch } from './batch.js';
import { createClients, settleAndCreate } from './create-stage.js';
import type { DeliveryContext } from './delivery-context.js';
import { enqueueClients } from './enqueue-stage.js';

/** Where a batch stands when it is taken up: a continued run begins where the earlier one ended. */
export type Standing = 'new' | 'creation_unknown' | 'created' | 'enqueueing_unknown';

/** Brings a batch to its end from where it stands. */
export async function deliverBatch(
  context: DeliveryContext,
  batch: Batch,
  standing: Standing,
): Promise<void> {
  switch (standing) {
    case 'new':
      return finish(context, batch, await createClients(context, batch));
    case 'creation_unknown':
      return finish(context, batch, await settleAndCreate(context, batch));
    case 'created':
      return enqueueClients(context, batch);
    case 'enqueueing_unknown':
      return enqueueClients(context, batch, true);
  }
}

async function finish(
  context: DeliveryContext,
  batch: Batch,
  created: readonly number[],
): Promise<void> {
  if (!context.campaign) context.onOutcome('created', created.length);
  else if (created.length > 0) await enqueueClients(context, { ...batch, members: created });
}
