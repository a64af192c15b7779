import { type LostRequest, lostRequest, nextLookup, type Batch, rowsOf } from './batch.js';
import {
  NotAuthorizedError,
  RefusedError,
  isServerError,
  ContactCenterError,
  interruption,
} from '../core/errors.js';
import { identifiersOf } from '../core/prepared.js';
import { type BatchContext, record } from './ports.js';
import type { WaitReason } from './queue.js';

/**
 * Turns a lookup that is refused for one client into a result: asking again would bring the same, and the refusal says
 * nothing of other clients. Missing credentials and server errors concern all of them, and stay errors.
 */
export async function orRefusal<T>(lookup: Promise<T>): Promise<T | { readonly refusal: string }> {
  try {
    return await lookup;
  } catch (error) {
    const isFinal =
      error instanceof RefusedError &&
      !(error instanceof NotAuthorizedError) &&
      !isServerError(error.status);
    if (isFinal) return { refusal: error.errorMessage };
    throw error;
  }
}

/** How often clients are looked up and sent again before they stay unknown. */
export const SETTLING_ROUNDS = 5;

/** What lookups could not find. */
interface Unfound {
  /** Members that were absent when the contact center surely no longer worked on the lost request. */
  readonly absent: readonly number[];
  /** Members that could not be looked up. */
  readonly open: readonly number[];
}

/** A request whose answer has just been lost. */
export function lostNow({ clock, settling }: BatchContext, ended = false): LostRequest {
  return lostRequest(clock.now(), settling, ended);
}

/** A request of an earlier process, which had ended before this one began. */
export function lostBefore({ startedAt, settling }: BatchContext): LostRequest {
  return lostRequest(startedAt, settling);
}

/**
 * Looks up, one by one, clients of which it is not known whether they were created (interface.md 4.8): soon, and again
 * until each is found or the deadline has passed. `beforeWait` runs before each pause; `onFound` is called with clients whose
 * card exists.
 */
export function settleCreation(
  context: BatchContext,
  batch: Batch,
  lost: LostRequest,
  hooks: {
    readonly beforeWait: () => Promise<void>;
    readonly onFound: (found: readonly number[]) => void;
  },
): Promise<Unfound> {
  const { clients } = batch;
  return lookUntilSure(context, batch, lost, {
    beforeWait: hooks.beforeWait,
    ask: (identifiers) => context.center.findClient(identifiers),
    onLookup: async (found, absent) => {
      // Absent ones may be sent again once this is on record, so it says so only when they are sure to be.
      await record(context, batch, {
        kind: 'create_settled',
        found: found.map(([index, { id }]) => [clients.at[index] ?? 0, id] as const),
        absent: rowsOf(clients, absent),
      });
      hooks.onFound(found.map(([index]) => index));
    },
  });
}

/** Distinguishes the clients that are in the campaign already (interface.md 4.12), as with creations. */
export async function findEnqueued(
  context: BatchContext,
  batch: Batch,
  campaignId: number,
  lost: LostRequest,
): Promise<Unfound & { readonly enqueued: readonly number[] }> {
  const enqueued: number[] = [];
  const unfound = await lookUntilSure(context, batch, lost, {
    ask: async (identifiers) => {
      const campaigns = await context.center.findCampaigns(identifiers);
      return campaigns.includes(campaignId) ? true : null;
    },
    onLookup: async (found) => {
      const members = found.map(([index]) => index);
      if (members.length === 0) return;
      const rows = rowsOf(batch.clients, members);
      await record(context, batch, { kind: 'enqueue_settled', rows });
      enqueued.push(...members);
    },
  });
  return { ...unfound, enqueued };
}

interface Search<T> {
  readonly beforeWait?: () => Promise<void>;
  /** `null`: it is not there. */
  readonly ask: (identifiers: string) => Promise<T | null>;
  /** Called with each lookup that brought something. */
  readonly onLookup: (
    found: readonly (readonly [index: number, what: T])[],
    absent: readonly number[],
  ) => Promise<void>;
}

async function lookUntilSure<T>(
  context: BatchContext,
  { clients, members }: Batch,
  lost: LostRequest,
  { ask, onLookup, beforeWait }: Search<T>,
): Promise<Unfound> {
  const absent: number[] = [];
  let open = members;
  for (let lookedAt = -Infinity; open.length > 0 && lookedAt < lost.until;) {
    const next = nextLookup(lost, context.settling, lookedAt);
    if (next > context.clock.now()) await beforeWait?.();
    await untilLookup(context, next, lookedAt, { until: lost.until, clients: open.length });
    lookedAt = context.clock.now();
    const looked = await lookUpTimed(context, open, (index) => ask(identifiersOf(clients, index)));
    const found: (readonly [number, T])[] = [];
    const gone: number[] = [];
    const left: number[] = [];
    for (const [place, index] of open.entries()) {
      const one = looked[place];
      if (one && one.answer !== null) found.push([index, one.answer]);
      else if (one && one.askedAt >= lost.until) gone.push(index);
      else left.push(index);
    }
    if (found.length + gone.length > 0) await onLookup(found, gone);
    absent.push(...gone);
    open = left;
  }
  return { absent, open };
}

/** Waits until the next lookup. Only the first one is soon; what comes later, the person may be waiting for. */
export function untilLookup(
  context: BatchContext,
  next: number,
  lookedAt: number,
  deadline: Exclude<WaitReason, 'turn'>,
): Promise<void> {
  return sleepUntil(context, next, lookedAt === -Infinity ? undefined : deadline);
}

/** An answer, and when it was asked for: what was asked for before a deadline says nothing of the time after it. */
export interface TimedAnswer<T> {
  readonly answer: T;
  readonly askedAt: number;
}

/** `lookUp`, with the time at which the attempt that was answered left. */
export function lookUpTimed<T>(
  context: BatchContext,
  members: readonly number[],
  ask: (index: number) => Promise<T>,
): Promise<(TimedAnswer<T> | undefined)[]> {
  return lookUp(context, members, async (index) => {
    const askedAt = context.clock.now();
    return { answer: await ask(index), askedAt };
  });
}

/** Asks for each member; `undefined` where the contact center could not be asked. */
export async function lookUp<T>(
  { sender }: BatchContext,
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

/**
 * Waits until a time while other batches go on. `why`: where it may be long, what is waited for.
 * @throws StopRun when the run is stopped meanwhile
 */
export async function sleepUntil(
  { clock, signal, idleWaits }: BatchContext,
  until: number,
  why?: WaitReason,
): Promise<void> {
  try {
    // A timer may fire a moment early, and a deadline that has nearly passed has not passed.
    for (let ms = until - clock.now(); ms > 0; ms = until - clock.now())
      await idleWaits.during(clock.sleep(ms, signal), why);
  } catch (error) {
    throw signal.aborted ? interruption(signal, { cause: error }) : error;
  }
}
