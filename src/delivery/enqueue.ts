import { type EnqueueError, ALREADY_IN_CAMPAIGN } from '../core/center.js';
import type { EnqueuedResult } from '../core/facts.js';
import { identityOf } from '../core/client.js';
import { type PreparedClients, identifiersOf } from '../core/prepared.js';
import type { RunMode } from '../core/mode.js';
import { type Problem, listsText, type NumberCheck, SUPPRESSED } from '../core/problem.js';
import {
  type Batch,
  type CampaignSettings,
  enqueueBody,
  rowsOf,
  type LostRequest,
  latestOf,
  lookedUpOnce,
  nextLookup,
} from './batch.js';
import { type BatchContext, record } from './ports.js';
import { ContactCenterError, RefusedError } from '../core/errors.js';
import type { Outcome } from '../core/outcome.js';
import {
  type Piece,
  hasEnded,
  isFailureOfServer,
  piecesAfterLookup,
  piecesAfterRefusal,
  type SentPiece,
  sendPieces,
} from './sending.js';
import { SETTLING_ROUNDS, findEnqueued, lostNow, sleepUntil } from './settle.js';

interface EnqueueResults {
  readonly results: readonly EnqueuedResult[];
  /** Whether the answer names clients that were not asked for: then nothing that it leaves out is sure. */
  readonly foreign: boolean;
}

/**
 * Reads `errors` by the clients' identifiers, never by position (interface.md 4.9). A client that is not named was
 * added.
 */
export function classifyEnqueued(
  clients: PreparedClients,
  members: readonly number[],
  errors: readonly EnqueueError[],
  identifierNames: readonly string[],
): EnqueueResults {
  if (errors.length === 0)
    return { results: members.map((index) => [clients.at[index] ?? 0]), foreign: false };
  const messages = new Map(
    errors.map((error) => [
      identityOf(error.clientIdentifiers, identifierNames),
      error.errorMessage,
    ]),
  );
  const named = new Set<string>();
  const results = members.map((index): EnqueuedResult => {
    const identity = identityOf(namedOf(clients, index), identifierNames);
    const message = messages.get(identity);
    if (message === undefined) return [clients.at[index] ?? 0];
    named.add(identity);
    return [clients.at[index] ?? 0, message];
  });
  return { results, foreign: named.size < messages.size };
}

/** Made by the mapping of this run: their shape is not checked again. */
function namedOf(clients: PreparedClients, index: number): Record<string, unknown> {
  return JSON.parse(identifiersOf(clients, index)) as Record<string, unknown>;
}

/** After how long a run looks again at the lists of numbers that must not be called, in milliseconds. */
const CHECK_AGAIN_MS = 3_600_000;

/** Whether a run has gone on for so long that its lists may have changed since its rows were mapped. */
export const isCheckedAgain = (mappedAt: number, now: number): boolean =>
  now - mappedAt > CHECK_AGAIN_MS;

/** A client that must not be called: its index, and the lists that it is on. */
type ListedClient = readonly [index: number, lists: readonly string[]];

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
class Listed extends Error {
  constructor(readonly clients: readonly ListedClient[]) {
    super('Clients have come onto a list of numbers that must not be called.');
  }
}

/**
 * To be called when a request is about to leave: it may have waited for hours.
 * @throws Listed where clients must not be called any more
 */
async function refuseListed(
  { lists, clock, mappedAt, mode }: BatchContext,
  { clients, members }: Batch,
): Promise<void> {
  if (!lists || !clients.callable || !isCheckedAgain(mappedAt, clock.now())) return;
  const listed = listedAmong(clients, members, await lists.current(), mode);
  if (listed.length > 0) throw new Listed(listed);
}

/** Puts on record that clients are held back; returns the members that are not. */
async function holdListed(
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

/** Clients that are to be sent together; `doubt`: the last request that may have added them, or may yet. */
interface DoubtfulPiece extends Piece {
  readonly doubt: LostRequest | null;
}

type Sent = SentPiece<DoubtfulPiece>;

/** A batch on its way into a campaign. */
interface Enqueuing {
  readonly batch: Batch;
  readonly campaign: CampaignSettings;
  /** The last request that may have added these members, or may yet; `null`: there is none. */
  readonly doubt: LostRequest | null;
  readonly already: WhenThere;
}

export interface EnqueueOptions {
  /** An earlier request that may have added these clients. @default none */
  readonly doubt?: LostRequest;
  /** @default `enqueue_failed` */
  readonly already?: WhenThere;
}

/** The outcome of a member that is in the campaign already; `undefined`: `enqueue_failed`. */
type WhenThere = (index: number) => Outcome | undefined;

/**
 * Adds clients whose card exists to the campaign (interface.md 4.9). A request whose answer was lost is soon sent again,
 * since a client is added once however often it is sent: then `Client already exists` means that the first one arrived.
 * Where duplicate phones are checked that message may mean another client's phone, so it is looked up (4.12); so is
 * everything when the second answer is lost too. That a client was refused is said only when no earlier request can add
 * it any more.
 */
export async function enqueueClients(
  context: BatchContext,
  batch: Batch,
  { doubt, already = () => undefined }: EnqueueOptions = {},
): Promise<void> {
  const { campaign, settling } = context;
  if (!campaign) return;
  let open: readonly number[] = batch.members;
  let lost = doubt ?? null;
  for (let round = 0; open.length > 0; round++) {
    const sent = await sendPieces<DoubtfulPiece>({ members: open, doubt: lost }, (piece) =>
      sendPiece(
        context,
        { batch: { ...batch, members: piece.members }, campaign, doubt: piece.doubt, already },
        piece,
      ),
    );
    open = sent.unknown;
    if (open.length === 0) return;
    // Later than each of the requests that were lost.
    lost = lostNow(context);
    if (round === 0) await sleepUntil(context, nextLookup(lost, settling, -Infinity));
    else {
      const once = lookedUpOnce(lost, settling);
      open = await findAbsent(context, { ...batch, members: open }, campaign, once);
    }
    if (round < SETTLING_ROUNDS) continue;
    context.onOutcome('unknown', open.length);
    return;
  }
}

/** Settles clients by lookups; resolves with those that are not in the campaign. */
async function findAbsent(
  context: BatchContext,
  batch: Batch,
  campaign: CampaignSettings,
  lost: LostRequest,
): Promise<readonly number[]> {
  const { enqueued, absent, open } = await findEnqueued(context, batch, campaign.id, lost);
  context.onOutcome('enqueued', enqueued.length);
  context.onOutcome('unknown', open.length);
  return absent;
}

async function sendPiece(context: BatchContext, enqueuing: Enqueuing, piece: Piece): Promise<Sent> {
  const { batch, campaign, doubt } = enqueuing;
  const { clients, members } = batch;
  const rows = rowsOf(clients, members);
  try {
    const errors = await context.sender.send({
      kind: 'enqueue',
      batched: true,
      clients: members.length,
      before: async () => {
        // What an earlier request may have added is sent to its end, whatever the lists say by now.
        if (!doubt) await refuseListed(context, batch);
        await record(context, batch, { kind: 'enqueuing', rows });
      },
      request: () =>
        context.center.addApplications(campaign.id, enqueueBody(clients, members, campaign)),
      undone: () => undone(context, enqueuing),
    });
    return await recordAnswer(context, enqueuing, errors);
  } catch (error) {
    if (error instanceof Listed) {
      const left = await holdListed(context, batch, error.clients);
      return { unknown: [], pieces: left.length > 0 ? [{ ...piece, members: left, doubt }] : [] };
    }
    if (!(error instanceof ContactCenterError)) throw error;
    if (isFailureOfServer(error) || (doubt && error instanceof RefusedError))
      return unsurelyRefused(context, enqueuing, piece, error);
    if (error instanceof RefusedError) return refused(context, batch, piece, error);
    await record(context, batch, { kind: 'enqueue_unknown', rows, reason: error.message });
    return { unknown: members, pieces: [] };
  }
}

/** What may have arrived earlier stays in doubt, even when this request surely did not. */
function undone(context: BatchContext, { batch, doubt }: Enqueuing): Promise<void> {
  const rows = rowsOf(batch.clients, batch.members);
  return doubt
    ? record(context, batch, { kind: 'enqueue_unknown', rows, reason: EARLIER_REQUEST })
    : record(context, batch, { kind: 'not_enqueued', rows });
}

const EARLIER_REQUEST = 'An earlier request for this client was not answered.';
const FOREIGN_CLIENTS = 'The answer of the contact center names clients that were not sent.';

async function recordAnswer(
  context: BatchContext,
  { batch, campaign, doubt, already: whenThere }: Enqueuing,
  errors: readonly EnqueueError[],
): Promise<Sent> {
  const { clients, members } = batch;
  const { results, foreign } = classifyEnqueued(clients, members, errors, context.identifierNames);
  if (foreign) {
    const rows = rowsOf(clients, members);
    await record(context, batch, { kind: 'enqueue_unknown', rows, reason: FOREIGN_CLIENTS });
    return { unknown: members, pieces: [] };
  }
  const already = doubt ? members.filter((_, at) => results[at]?.[1] === ALREADY_IN_CAMPAIGN) : [];
  const { enqueued, open } = await confirm(context, { ...batch, members: already }, campaign);
  const settled = new Set(rowsOf(clients, [...enqueued, ...open]));
  const rest = results.filter(([at]) => !settled.has(at));
  if (rest.length > 0) await record(context, batch, { kind: 'enqueued', results: rest });
  const refused = rest.filter(([, refusal]) => refusal !== undefined).length;
  const there = members.filter((_, place) => isThere(results[place], settled));
  for (const index of there) context.onOutcome(whenThere(index) ?? 'enqueue_failed', 1);
  context.onOutcome('enqueue_failed', refused - there.length);
  context.onOutcome('enqueued', rest.length - refused + enqueued.length);
  return { unknown: open, pieces: [] };
}

const isThere = (result: EnqueuedResult | undefined, settled: ReadonlySet<number>): boolean =>
  result?.[1] === ALREADY_IN_CAMPAIGN && !settled.has(result[0]);

/** Which of the clients that exist already by the answer are there by an earlier request of this run. */
async function confirm(context: BatchContext, batch: Batch, campaign: CampaignSettings) {
  if (batch.members.length === 0) return { enqueued: [], open: [] };
  // Whatever made the contact center say so had happened by then: one lookup shows it.
  if (campaign.disableDuplicatePhonesValidation === false)
    return findEnqueued(
      context,
      batch,
      campaign.id,
      lookedUpOnce(lostNow(context), context.settling),
    );
  const rows = rowsOf(batch.clients, batch.members);
  await record(context, batch, { kind: 'enqueue_settled', rows });
  return { enqueued: batch.members, open: [] };
}

/**
 * Some of the clients may be in the campaign, by an earlier request or by a part of this one: they are looked up. What is
 * sent again need not be waited for; what ends as refused must be sure to stay out.
 */
async function unsurelyRefused(
  context: BatchContext,
  { batch, campaign, doubt }: Enqueuing,
  piece: Piece,
  error: ContactCenterError,
): Promise<Sent> {
  const rows = rowsOf(batch.clients, batch.members);
  const lost = requestInDoubt(context, doubt, error);
  await record(context, batch, { kind: 'enqueue_unknown', rows, reason: error.message });
  const pieces = piecesAfterRefusal(piece, error.status);
  const deadline = pieces.length > 0 ? lookedUpOnce(lost, context.settling) : lost;
  const members = await findAbsent(context, batch, campaign, deadline);
  // Whoever was absent at the deadline itself is in no doubt any more.
  const isSure = deadline.until === lost.until;
  const inDoubt = (again: readonly Piece[]): Sent => ({
    unknown: [],
    pieces: again.map((one) => ({ ...one, doubt: isSure ? null : lost })),
  });
  if (members.length < batch.members.length) return inDoubt(piecesAfterLookup(members));
  return pieces.length > 0 && !isSure ? inDoubt(pieces) : refused(context, batch, piece, error);
}

/** The last request that may yet be carried out: the end of this one says nothing of an earlier one. */
function requestInDoubt(
  context: BatchContext,
  doubt: LostRequest | null,
  error: ContactCenterError,
): LostRequest {
  const own = lostNow(context, hasEnded(error));
  if (!doubt) return own;
  return hasEnded(error) ? doubt : latestOf([doubt, own]);
}

async function refused(
  context: BatchContext,
  batch: Batch,
  piece: Piece,
  { message, status }: ContactCenterError,
): Promise<Sent> {
  const rows = rowsOf(batch.clients, batch.members);
  const pieces = piecesAfterRefusal(piece, status);
  if (pieces.length > 0) await record(context, batch, { kind: 'not_enqueued', rows });
  else {
    const results = rows.map((at) => [at, message] as const);
    await record(context, batch, { kind: 'enqueued', results });
    context.onOutcome('enqueue_failed', rows.length);
  }
  return { unknown: [], pieces: pieces.map((one) => ({ ...one, doubt: null })) };
}
