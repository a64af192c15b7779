import { ALREADY_IN_CAMPAIGN, type EnqueueError } from '../core/delivery.js';
import { ContactCenterError, RefusedError } from '../core/errors.js';
import type { Outcome } from '../core/outcome.js';
import { type Batch, type CampaignSettings, enqueueBody, rowsOf } from './batch.js';
import { type DeliveryContext, record } from './delivery-context.js';
import { judgeEnqueue } from './enqueue-results.js';
import {
  type Piece,
  hasEnded,
  isServerFault,
  piecesAfterLookup,
  piecesAfterRefusal,
} from './refused-batch.js';
import { SETTLING_ROUNDS, findEnqueued, waitToSettle } from './settle.js';

interface Sent {
  /** Members of which it is not known whether they are in the campaign. */
  readonly unknown: readonly number[];
  readonly pieces: readonly Piece[];
}

/** A batch on its way into a campaign. */
interface Enqueuing {
  readonly batch: Batch;
  readonly campaign: CampaignSettings;
  /** Whether an earlier request for these members may have taken effect. */
  readonly doubtful: boolean;
  /** The outcome of a client that is in the campaign already. */
  readonly already: Outcome;
}

export interface EnqueueOptions {
  /** Whether an earlier request for these clients may have taken effect. @default false */
  readonly doubtful?: boolean;
  /** The outcome of a client that is in the campaign already. @default `enqueue_failed` */
  readonly already?: Outcome;
}

/**
 * Adds clients whose card exists to the campaign (interface.md 4.9). A request whose answer was lost is sent again
 * once, since a client is added once: then `Client already exists` means that the first one arrived. Where duplicate
 * phones are checked that message may mean another client's phone, so it is looked up (4.12); so is everything when the
 * second answer is lost too.
 */
export async function enqueueClients(
  context: DeliveryContext,
  batch: Batch,
  { doubtful = false, already = 'enqueue_failed' }: EnqueueOptions = {},
): Promise<void> {
  const { campaign } = context;
  if (!campaign) return;
  let open: readonly number[] = batch.members;
  for (let round = 0; open.length > 0; round++) {
    const isDoubtful = doubtful || round > 0;
    const members = open;
    const all = { batch: { ...batch, members }, campaign, doubtful: isDoubtful, already };
    open = await sendPieces(context, all);
    if (open.length === 0) return;
    if (round === 0) await waitToSettle(context);
    else open = await findAbsent(context, { ...batch, members: open }, campaign);
    if (round < SETTLING_ROUNDS) continue;
    context.onOutcome('unknown', open.length);
    return;
  }
}

/** Settles clients by lookups; resolves with those that are to be sent again. */
async function findAbsent(
  context: DeliveryContext,
  batch: Batch,
  campaign: CampaignSettings,
  ended = false,
): Promise<number[]> {
  const { enqueued, open } = await findEnqueued(context, batch, campaign.id, ended);
  context.onOutcome('enqueued', enqueued.length);
  context.onOutcome('unknown', open.length);
  const told = new Set([...enqueued, ...open]);
  return batch.members.filter((index) => !told.has(index));
}

async function sendPieces(context: DeliveryContext, all: Enqueuing): Promise<number[]> {
  const unknown: number[] = [];
  const pieces: Piece[] = [{ members: all.batch.members }];
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
    const enqueuing = { ...all, batch: { ...all.batch, members: piece.members } };
    const sent = await sendPiece(context, enqueuing, piece);
    unknown.push(...sent.unknown);
    pieces.push(...sent.pieces);
  }
  return unknown;
}

async function sendPiece(
  context: DeliveryContext,
  enqueuing: Enqueuing,
  piece: Piece,
): Promise<Sent> {
  const { batch, campaign, doubtful } = enqueuing;
  const { clients, members } = batch;
  const rows = rowsOf(clients, members);
  try {
    const errors = await context.sender.send({
      kind: 'enqueue',
      batched: true,
      clients: members.length,
      before: () => record(context, batch, { kind: 'enqueuing', rows }),
      request: () =>
        context.delivery.addApplications(campaign.id, enqueueBody(clients, members, campaign)),
      undone: () => undone(context, enqueuing),
    });
    return await recordAnswer(context, enqueuing, errors);
  } catch (error) {
    if (!(error instanceof ContactCenterError)) throw error;
    if (isServerFault(error) || (doubtful && error instanceof RefusedError))
      return unsurelyRefused(context, enqueuing, piece, error);
    if (error instanceof RefusedError) return refused(context, batch, piece, error);
    await record(context, batch, { kind: 'enqueue_unknown', rows, reason: error.message });
    return { unknown: members, pieces: [] };
  }
}

/** What may have arrived earlier stays in doubt, even when this request surely did not. */
function undone(context: DeliveryContext, { batch, doubtful }: Enqueuing): Promise<void> {
  const rows = rowsOf(batch.clients, batch.members);
  return doubtful
    ? record(context, batch, { kind: 'enqueue_unknown', rows, reason: EARLIER_REQUEST })
    : record(context, batch, { kind: 'not_enqueued', rows });
}

const EARLIER_REQUEST = 'An earlier request for this client was not answered.';
const FOREIGN_CLIENTS = 'The answer of the contact center names clients that were not sent.';

async function recordAnswer(
  context: DeliveryContext,
  { batch, campaign, doubtful, already: whenThere }: Enqueuing,
  errors: readonly EnqueueError[],
): Promise<Sent> {
  const { clients, members } = batch;
  const { results, foreign } = judgeEnqueue(clients, members, errors, context.identifierNames);
  if (foreign) {
    const rows = rowsOf(clients, members);
    await record(context, batch, { kind: 'enqueue_unknown', rows, reason: FOREIGN_CLIENTS });
    return { unknown: members, pieces: [] };
  }
  const already = doubtful
    ? members.filter((_, at) => results[at]?.[1] === ALREADY_IN_CAMPAIGN)
    : [];
  const { enqueued, open } = await confirm(context, { ...batch, members: already }, campaign);
  const told = new Set(rowsOf(clients, [...enqueued, ...open]));
  const rest = results.filter(([at]) => !told.has(at));
  if (rest.length > 0) await record(context, batch, { kind: 'enqueued', results: rest });
  const refused = rest.filter(([, refusal]) => refusal !== undefined).length;
  const there = rest.filter(([, refusal]) => refusal === ALREADY_IN_CAMPAIGN).length;
  context.onOutcome(whenThere, there);
  context.onOutcome('enqueue_failed', refused - there);
  context.onOutcome('enqueued', rest.length - refused + enqueued.length);
  return { unknown: open, pieces: [] };
}

/** Which of the clients that are said to exist already are there by an earlier request of this run. */
async function confirm(context: DeliveryContext, batch: Batch, campaign: CampaignSettings) {
  if (batch.members.length === 0) return { enqueued: [], open: [] };
  if (campaign.disableDuplicatePhonesValidation === false)
    return findEnqueued(context, batch, campaign.id);
  const rows = rowsOf(batch.clients, batch.members);
  await record(context, batch, { kind: 'enqueue_settled', rows });
  return { enqueued: batch.members, open: [] };
}

/** Some of the clients may be in the campaign, by an earlier request or by a part of this one: they are looked up. */
async function unsurelyRefused(
  context: DeliveryContext,
  { batch, campaign, doubtful }: Enqueuing,
  piece: Piece,
  error: ContactCenterError,
): Promise<Sent> {
  const rows = rowsOf(batch.clients, batch.members);
  await record(context, batch, { kind: 'enqueue_unknown', rows, reason: error.message });
  // The end of this request says nothing of an earlier one.
  const ended = !doubtful && hasEnded(error);
  const members = await findAbsent(context, batch, campaign, ended);
  return members.length < batch.members.length
    ? { unknown: [], pieces: piecesAfterLookup(members) }
    : refused(context, batch, piece, error);
}

async function refused(
  context: DeliveryContext,
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
  return { unknown: [], pieces };
}
