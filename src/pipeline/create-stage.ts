import { ContactCenterError, RefusedError } from '../core/errors.js';
import { type Batch, createBody, rowsOf } from './batch.js';
import { judgeCreate } from './create-results.js';
import { type DeliveryContext, lowerByteLimit, noteAccepted, record } from './delivery-context.js';
import {
  type Piece,
  TOO_LARGE,
  hasEnded,
  isServerFault,
  piecesAfterLookup,
  piecesAfterRefusal,
} from './refused-batch.js';
import { SETTLING_ROUNDS, settleCreation } from './settle.js';

/** What one request came to. */
interface Sent {
  /** Members whose card exists now. */
  readonly created: readonly number[];
  /** Members of which it is not known. */
  readonly unknown: readonly number[];
  /** Pieces to send in place of this one. */
  readonly pieces: readonly Piece[];
}

/**
 * Creates the clients of a batch (interface.md 4.1): what is refused whole is halved until the guilty ones stand
 * alone, what was lost is settled by lookups and sent again where it did not arrive. Resolves with the members whose
 * card exists.
 */
export async function createClients(context: DeliveryContext, batch: Batch): Promise<number[]> {
  const created: number[] = [];
  let open: readonly number[] = batch.members;
  for (let round = 0; open.length > 0; round++) {
    const sent = await sendPieces(context, batch, open);
    created.push(...sent.created);
    if (sent.unknown.length === 0) break;
    const settled = await settle(context, { ...batch, members: sent.unknown });
    created.push(...settled.found);
    open = settled.absent;
    if (round < SETTLING_ROUNDS) continue;
    await leaveUnknown(context, { ...batch, members: open });
    break;
  }
  return created;
}

const NEVER_ANSWERED = 'The contact center answered none of the requests for this client.';

async function leaveUnknown(context: DeliveryContext, batch: Batch): Promise<void> {
  const rows = rowsOf(batch.clients, batch.members);
  if (rows.length === 0) return;
  await record(context, batch, { kind: 'create_unknown', rows, reason: NEVER_ANSWERED });
  context.onOutcome('unknown', rows.length);
}

/** Settles clients of an earlier part of the run, and sends those that did not arrive. */
export async function settleAndCreate(context: DeliveryContext, batch: Batch): Promise<number[]> {
  const { found, absent } = await settle(context, batch);
  const created = await createClients(context, { ...batch, members: absent });
  return [...found, ...created];
}

async function settle(context: DeliveryContext, batch: Batch, ended = false) {
  const settled = await settleCreation(context, batch, ended);
  context.onOutcome('unknown', settled.open.length);
  return settled;
}

async function sendPieces(
  context: DeliveryContext,
  batch: Batch,
  members: readonly number[],
): Promise<Sent> {
  const created: number[] = [];
  const unknown: number[] = [];
  const pieces: Piece[] = [{ members }];
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
    const sent = await sendPiece(context, { ...batch, members: piece.members }, piece);
    created.push(...sent.created);
    unknown.push(...sent.unknown);
    pieces.push(...sent.pieces);
  }
  return { created, unknown, pieces };
}

async function sendPiece(context: DeliveryContext, batch: Batch, piece: Piece): Promise<Sent> {
  const { clients, members } = batch;
  const rows = rowsOf(clients, members);
  try {
    const answer = await context.sender.send({
      kind: 'create',
      batched: true,
      clients: members.length,
      before: () => record(context, batch, { kind: 'creating', rows }),
      request: () => context.delivery.addClients(createBody(clients, members, context.extras)),
      undone: () => record(context, batch, { kind: 'not_created', rows }),
    });
    noteAccepted(context, batch);
    return await recordAnswer(context, batch, judgeCreate(clients, members, answer));
  } catch (error) {
    if (!(error instanceof ContactCenterError)) throw error;
    if (isServerFault(error)) return brokenOff(context, batch, piece, error);
    if (error instanceof RefusedError) return refused(context, batch, piece, error);
    await record(context, batch, { kind: 'create_unknown', rows, reason: error.message });
    return { created: [], unknown: members, pieces: [] };
  }
}

const NOT_IN_ANSWER = 'The answer of the contact center does not tell what became of this client.';

async function recordAnswer(
  context: DeliveryContext,
  batch: Batch,
  { results, unknown, created }: ReturnType<typeof judgeCreate>,
): Promise<Sent> {
  const rows = rowsOf(batch.clients, unknown);
  const lost = { kind: 'create_unknown', rows, reason: NOT_IN_ANSWER } as const;
  await record(context, batch, { kind: 'created', results }, ...(rows.length > 0 ? [lost] : []));
  context.onOutcome('failed', results.length - created.length);
  return { created, unknown, pieces: [] };
}

/** A server error may have come after some of the clients: only those that are not there are sent again. */
async function brokenOff(
  context: DeliveryContext,
  batch: Batch,
  piece: Piece,
  error: ContactCenterError,
): Promise<Sent> {
  const rows = rowsOf(batch.clients, batch.members);
  await record(context, batch, { kind: 'create_unknown', rows, reason: error.message });
  const { found, absent: members } = await settle(context, batch, hasEnded(error));
  return members.length < batch.members.length
    ? { created: found, unknown: [], pieces: piecesAfterLookup(members) }
    : refused(context, batch, piece, error);
}

async function refused(
  context: DeliveryContext,
  batch: Batch,
  piece: Piece,
  { message, status }: ContactCenterError,
): Promise<Sent> {
  const rows = rowsOf(batch.clients, batch.members);
  if (status === TOO_LARGE) lowerByteLimit(context, batch);
  const pieces = piecesAfterRefusal(piece, status);
  if (pieces.length > 0) await record(context, batch, { kind: 'not_created', rows });
  else {
    const results = rows.map((at) => [at, null, message] as const);
    await record(context, batch, { kind: 'created', results });
    context.onOutcome('failed', rows.length);
  }
  return { created: [], unknown: [], pieces };
}
