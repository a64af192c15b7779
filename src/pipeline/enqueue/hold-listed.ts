import type { PreparedClients } from '../../core/prepared.js';
import type { RunMode } from '../../core/mode.js';
import type { Problem } from '../../core/problem.js';
import { listsText, type NumberCheck, SUPPRESSED } from '../../core/suppressed.js';
import type { Batch } from '../batch/batch.js';
import { type BatchContext, record } from '../batch-context.js';

/** After how long a run looks again at the lists of numbers that must not be called, in milliseconds. */
const CHECK_AGAIN_MS = 3_600_000;

/** Whether a run has gone on for so long that its lists may have changed since its rows were mapped. */
export const isCheckedAgain = (mappedAt: number, now: number): boolean =>
  now - mappedAt > CHECK_AGAIN_MS;

/** A client that must not be called: its index, and the lists that it is on. */
export type ListedClient = readonly [index: number, lists: readonly string[]];

/**
 * Which clients must not be called by the lists as they are now. A card that this run made or changed is called at any of
 * its phones; of one that was there before, some may have been on a list when the row was mapped, too.
 */
export function listedAmong(
  { callable }: PreparedClients,
  members: readonly number[],
  lists: NumberCheck,
  mode: RunMode,
): ListedClient[] {
  if (!callable) return [];
  return members.flatMap((index): ListedClient[] => {
    const from = index === 0 ? 0 : (callable.ends[index - 1] ?? 0);
    const numbers = callable.numbers.subarray(from, callable.ends[index]);
    const found = [...numbers].map((number) => lists.check(number)).filter((one) => one !== null);
    const isFree = mode === 'enqueue' && found.length < numbers.length;
    if (found.length === 0 || (isFree && found.every(({ scope }) => scope === 'phone'))) return [];
    return [[index, [...new Set(found.flatMap(({ names }) => names))]]];
  });
}

/** Thrown for a request that is not sent, since some of its clients must not be called any more. */
export class Listed extends Error {
  constructor(readonly clients: readonly ListedClient[]) {
    super('Clients have come onto a list of numbers that must not be called.');
  }
}

/**
 * To be called when a request is about to leave: it may have waited for hours.
 * @throws Listed where clients must not be called any more
 */
export async function refuseListed(
  { lists, clock, mappedAt, mode }: BatchContext,
  { clients, members }: Batch,
): Promise<void> {
  if (!lists || !clients.callable || !isCheckedAgain(mappedAt, clock.now())) return;
  const listed = listedAmong(clients, members, await lists.current(), mode);
  if (listed.length > 0) throw new Listed(listed);
}

/** Puts on record that clients are held back; returns the members that are not. */
export async function holdListed(
  context: BatchContext,
  batch: Batch,
  listed: readonly ListedClient[],
): Promise<readonly number[]> {
  const rows = listed.map(([index, names]) => [batch.clients.at[index] ?? 0, names] as const);
  if (context.mode === 'enqueue') {
    const skipped = rows.map(([at, names]) => [at, suppressedSince(names)] as const);
    await record(context, batch, { kind: 'duplicates', rows: skipped });
    context.onOutcome('skipped', rows.length);
  } else {
    const results = rows.map(([at, names]) => [at, notSentText(names), names] as const);
    await record(context, batch, { kind: 'enqueued', results });
    context.onOutcome('enqueue_failed', rows.length);
  }
  const gone = new Set(listed.map(([index]) => index));
  return batch.members.filter((index) => !gone.has(index));
}

const reasonOf = (names: readonly string[]): string =>
  `a phone must not be called any more: it has come onto ${listsText(names)} since the run began.`;

/** Why a client that was created or found is not added to the campaign. */
export const notSentText = (names: readonly string[]): string => `Not sent: ${reasonOf(names)}`;

/** Why a row is left out for which nothing was sent. */
export const suppressedSince = (lists: readonly string[]): Problem => ({
  column: null,
  code: SUPPRESSED,
  message: `Left out: ${reasonOf(lists)}`,
  value: null,
  lists,
});
