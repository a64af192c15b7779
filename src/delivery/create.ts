import type { CreateResult } from '../core/center.js';
import type { CreatedResult } from '../core/facts.js';
import { type PreparedClients, uuidOf, uuidTest } from '../core/prepared.js';
import { ContactCenterError, RefusedError, meaningOf } from '../core/errors.js';
import { type Batch, createBody, rowsOf, type LostRequest, latestOf } from './batch.js';
import { type BatchContext, lowerByteLimit, noteAccepted, record } from './ports.js';
import {
  type Piece,
  hasEnded,
  isFailureOfServer,
  piecesAfterLookup,
  piecesAfterRefusal,
  type SentPiece,
  sendPieces,
} from './sending.js';
import { SETTLING_ROUNDS, lostBefore, lostNow, settleCreation } from './settle.js';

/** What an answer of 4.1 says of each client that was asked for. */
interface CreateResults {
  readonly results: readonly CreatedResult[];
  /** Members whose fate the answer leaves open. */
  readonly unknown: readonly number[];
  /** Members whose card exists now. */
  readonly created: readonly number[];
}

const SUCCESS = 'Success';

/**
 * Reads `createResult` by uuid, never by position (interface.md 4.1). A client that the answer leaves out or names more
 * than once is unknown: of one client there is one element, so an answer that repeats it, even alike, is not to be
 * trusted in it. So is every client when the answer holds foreign uuids.
 */
export function classifyCreated(
  clients: PreparedClients,
  members: readonly number[],
  answer: readonly CreateResult[],
): CreateResults {
  const inOrder = classifyInOrder(clients, members, answer);
  if (inOrder) return inOrder;
  const byUuid = new Map<string, CreateResult | null>();
  for (const result of answer) byUuid.set(result.uuid, byUuid.has(result.uuid) ? null : result);
  const results: CreatedResult[] = [];
  const unknown: number[] = [];
  const created: number[] = [];
  let matched = 0;
  for (const index of members) {
    const found = byUuid.get(uuidOf(clients, index));
    if (found !== undefined) matched++;
    if (!found) unknown.push(index);
    else {
      results.push(resultOf(clients, index, found));
      if (found.result === SUCCESS) created.push(index);
    }
  }
  if (matched < byUuid.size) return { results: [], unknown: [...members], created: [] };
  return { results, unknown, created };
}

/**
 * The same, without a map, where the answer has the members in their order and nobody else: as a batch holds no
 * uuid twice, neither does the answer. `undefined` where it does not.
 */
function classifyInOrder(
  clients: PreparedClients,
  members: readonly number[],
  answer: readonly CreateResult[],
): CreateResults | undefined {
  const isUuidOf = answer.length === members.length ? uuidTest(clients, members) : undefined;
  if (!isUuidOf) return undefined;
  const results: CreatedResult[] = [];
  const created: number[] = [];
  let place = 0;
  for (const found of answer) {
    const index = members[place++] ?? 0;
    if (!isUuidOf(index, found.uuid)) return undefined;
    results.push(resultOf(clients, index, found));
    if (found.result === SUCCESS) created.push(index);
  }
  return { results, unknown: [], created };
}

function resultOf(
  { at }: PreparedClients,
  index: number,
  { result, createdClientId }: CreateResult,
): CreatedResult {
  const row = at[index] ?? 0;
  return result === SUCCESS ? [row, createdClientId ?? null] : [row, null, result];
}

/** Goes on with clients whose card exists. Never called with the same client twice. */
type OnCreated = (members: readonly number[]) => Promise<void>;

type Sent = SentPiece<Piece>;

/** Clients of a batch that are being created. */
interface Creating {
  readonly context: BatchContext;
  readonly batch: Batch;
  readonly made: Handover;
}

/** Collects members whose card exists, and hands them on together. */
interface Handover {
  add(members: readonly number[]): void;
  flush(): Promise<void>;
}

function createHandover(onCreated: OnCreated): Handover {
  let made: number[] = [];
  return {
    add: (members) => {
      made.push(...members);
    },
    flush: async () => {
      const members = made;
      made = [];
      if (members.length > 0) await onCreated(members);
    },
  };
}

/**
 * Creates the clients of a batch (interface.md 4.1): what is refused whole is halved until the refused
 * clients stand alone, what was lost is settled by lookups and sent again where it did not arrive. Members whose card exists go on
 * with `onCreated` before anything waits for the others.
 */
export async function createClients(
  context: BatchContext,
  batch: Batch,
  onCreated: OnCreated,
): Promise<void> {
  const creating = { context, batch, made: createHandover(onCreated) };
  await createMembers(creating, batch.members);
  await creating.made.flush();
}

async function createMembers(creating: Creating, members: readonly number[]): Promise<void> {
  let open = members;
  for (let round = 0; open.length > 0; round++) {
    const { unknown, lost } = await sendPieces<Piece>({ members: open }, (piece) =>
      sendPiece(creating, piece),
    );
    if (unknown.length === 0) return;
    open = await settle(creating, unknown, latestOf(lost));
    if (round < SETTLING_ROUNDS) continue;
    await leaveUnknown(creating.context, { ...creating.batch, members: open });
    return;
  }
}

const NEVER_ANSWERED = 'The contact center answered none of the requests for this client.';

async function leaveUnknown(context: BatchContext, batch: Batch): Promise<void> {
  const rows = rowsOf(batch.clients, batch.members);
  if (rows.length === 0) return;
  await record(context, batch, { kind: 'create_unknown', rows, reason: NEVER_ANSWERED });
  context.onOutcome('unknown', rows.length);
}

/** Settles clients of an earlier part of the run, and sends those that did not arrive. */
export async function settleAndCreate(
  context: BatchContext,
  batch: Batch,
  onCreated: OnCreated,
): Promise<void> {
  const creating = { context, batch, made: createHandover(onCreated) };
  await createMembers(creating, await settle(creating, batch.members, lostBefore(context)));
  await creating.made.flush();
}

/** Resolves with the members that are to be sent again. */
async function settle(
  { context, batch, made }: Creating,
  members: readonly number[],
  lost: LostRequest,
): Promise<readonly number[]> {
  const { absent, open } = await settleCreation(context, { ...batch, members }, lost, {
    beforeWait: () => made.flush(),
    onFound: (found) => made.add(found),
  });
  // Where facts were lost, nothing on record says that they are in doubt.
  if (open.length > 0 && context.ledger.settlesAll)
    await record(context, batch, {
      kind: 'create_unknown',
      rows: rowsOf(batch.clients, open),
      reason: NO_RESULT,
    });
  context.onOutcome('unknown', open.length);
  return absent;
}

const NO_RESULT = 'The contact center did not say whether this client is there.';

async function sendPiece(creating: Creating, piece: Piece): Promise<Sent> {
  const { context } = creating;
  const { members } = piece;
  const batch = { ...creating.batch, members };
  const { clients } = batch;
  const rows = rowsOf(clients, members);
  try {
    const answer = await context.sender.send({
      kind: 'create',
      batched: true,
      clients: members.length,
      before: () => record(context, batch, { kind: 'creating', rows }),
      request: () => context.center.addClients(createBody(clients, members, context.extras)),
      undone: () => record(context, batch, { kind: 'not_created', rows }),
    });
    noteAccepted(context, batch);
    return await recordAnswer(creating, batch, classifyCreated(clients, members, answer));
  } catch (error) {
    if (!(error instanceof ContactCenterError)) throw error;
    if (isFailureOfServer(error)) return brokenOff(creating, piece, error);
    if (error instanceof RefusedError) return refused(context, batch, piece, error);
    const lost = lostNow(context);
    await record(context, batch, { kind: 'create_unknown', rows, reason: error.message });
    return { unknown: members, lost, pieces: [] };
  }
}

const NOT_IN_ANSWER = 'The answer of the contact center does not say what became of this client.';

async function recordAnswer(
  { context, made }: Creating,
  batch: Batch,
  { results, unknown, created }: ReturnType<typeof classifyCreated>,
): Promise<Sent> {
  const rows = rowsOf(batch.clients, unknown);
  const lost = lostNow(context);
  const left = { kind: 'create_unknown', rows, reason: NOT_IN_ANSWER } as const;
  await record(context, batch, { kind: 'created', results }, ...(rows.length > 0 ? [left] : []));
  context.onOutcome('failed', results.length - created.length);
  made.add(created);
  return { unknown, lost, pieces: [] };
}

/** A server error may have come after some of the clients: only those that are not there are sent again. */
async function brokenOff(
  creating: Creating,
  piece: Piece,
  error: ContactCenterError,
): Promise<Sent> {
  const { context } = creating;
  const batch = { ...creating.batch, members: piece.members };
  const rows = rowsOf(batch.clients, batch.members);
  await record(context, batch, { kind: 'create_unknown', rows, reason: error.message });
  const members = await settle(creating, piece.members, lostNow(context, hasEnded(error)));
  return members.length < piece.members.length
    ? { unknown: [], pieces: piecesAfterLookup(members) }
    : refused(context, batch, piece, error);
}

async function refused(
  context: BatchContext,
  batch: Batch,
  piece: Piece,
  { message, status }: ContactCenterError,
): Promise<Sent> {
  const rows = rowsOf(batch.clients, batch.members);
  if (status !== undefined && meaningOf(status) === 'too_large') lowerByteLimit(context, batch);
  const pieces = piecesAfterRefusal(piece, status);
  if (pieces.length > 0) await record(context, batch, { kind: 'not_created', rows });
  else {
    const results = rows.map((at) => [at, null, message] as const);
    await record(context, batch, { kind: 'created', results });
    context.onOutcome('failed', rows.length);
  }
  return { unknown: [], pieces };
}
