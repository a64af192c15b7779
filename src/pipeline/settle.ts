import { ContactCenterError } from '../core/errors.js';
import { identifiersOf } from '../core/identities.js';
import { type Batch } from './batch.js';
import { type DeliveryContext, record } from './delivery-context.js';
import { INTERRUPTED, StopRun } from './stop.js';

/** How often clients are looked up and sent again before they stay unknown. */
export const SETTLING_ROUNDS = 5;

export interface SettledCreation {
  /** Members whose card exists. */
  readonly found: readonly number[];
  /** Members that are to be sent again. */
  readonly absent: readonly number[];
  /** Members that could not be looked up. */
  readonly open: readonly number[];
}

/**
 * Looks up, one by one, clients of which it is not known whether they were created (interface.md 4.8).
 * `ended`: the contact center works on no request for them any more, so nothing needs to be waited for.
 */
export async function settleCreation(
  context: DeliveryContext,
  batch: Batch,
  ended = false,
): Promise<SettledCreation> {
  if (!ended) await waitToSettle(context);
  const { clients, members } = batch;
  const answers = await lookUp(context, members, (index) =>
    context.delivery.findClient(identifiersOf(clients, index)),
  );
  const found = members.filter((_, at) => answers[at]);
  const absent = members.filter((_, at) => answers[at] === null);
  const open = members.filter((_, at) => answers[at] === undefined);
  await record(context, batch, {
    kind: 'create_settled',
    found: members.flatMap((index, at) => {
      const answer = answers[at];
      return answer ? [[clients.at[index] ?? 0, answer.id] as const] : [];
    }),
    absent: absent.map((index) => clients.at[index] ?? 0),
  });
  return { found, absent, open };
}

/**
 * Tells apart the clients that are in the campaign already (interface.md 4.12). A client that could not be looked up
 * counts as not told. `ended` is as with creations.
 */
export async function findEnqueued(
  context: DeliveryContext,
  batch: Batch,
  campaignId: number,
  ended = false,
): Promise<{ readonly enqueued: readonly number[]; readonly open: readonly number[] }> {
  if (!ended) await waitToSettle(context);
  const { clients, members } = batch;
  const answers = await lookUp(context, members, (index) =>
    context.delivery.findCampaigns(identifiersOf(clients, index)),
  );
  const enqueued = members.filter((_, at) => answers[at]?.includes(campaignId));
  const open = members.filter((_, at) => answers[at] === undefined);
  if (enqueued.length > 0) {
    const rows = enqueued.map((index) => clients.at[index] ?? 0);
    await record(context, batch, { kind: 'enqueue_settled', rows });
  }
  return { enqueued, open };
}

/** Asks for each member; `undefined` where the contact center could not be asked. */
export async function lookUp<T>(
  { sender }: DeliveryContext,
  members: readonly number[],
  ask: (index: number) => Promise<T>,
): Promise<(T | undefined)[]> {
  return allEnded(
    members.map(async (index) => {
      try {
        return await sender.send({ kind: 'look_up', clients: 1, request: () => ask(index) });
      } catch (error) {
        if (error instanceof ContactCenterError) return undefined;
        throw error;
      }
    }),
  );
}

/** Like `Promise.all`, but only when all have ended: none may outlive the run. */
export async function allEnded<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const ends = await Promise.allSettled(promises);
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

/** Gives a request of unknown outcome the time to take effect, before anybody asks for it. */
export async function waitToSettle({
  clock,
  signal,
  settleAfterMs,
  absences,
}: DeliveryContext): Promise<void> {
  try {
    await absences.during(clock.sleep(settleAfterMs, signal));
  } catch (error) {
    throw signal.aborted ? new StopRun(INTERRUPTED, { cause: error }) : error;
  }
}
