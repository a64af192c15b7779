import {
  ALREADY_IN_CAMPAIGN,
  type CreateResult,
  type EnqueueError,
  identityOf,
} from '../core/client.js';
import { ContactCenterError, RefusedError, isServerError, meaningOf } from '../core/errors.js';
import type { Fact } from '../core/facts.js';
import {
  type RunMode,
  type Outcome,
  type NumberCheck,
  type Problem,
  SUPPRESSED,
  listsText,
} from '../core/outcome.js';
import { type PreparedClients, identifiersOf, uuidOf, uuidTest } from '../core/prepared.js';
import { type Batch, createBody, enqueueBody, only, rowsOf } from './batch.js';
import {
  type LostRequest,
  type Sending,
  SETTLING_ROUNDS,
  hasEnded,
  isFailureOfServer,
  latestOf,
  lookUpTimed,
  sleepUntil,
  untilLookup,
} from './sending.js';

/*
 * The protocol by which a batch gets to the contact center, whatever is asked for its clients:
 *
 * 1. The intent is on record before the request leaves.
 * 2. An answer is put on record by what identifies each client, never by its position. Of whom it says nothing, it is
 *    not known what became.
 * 3. A refusal of the whole batch halves it, until the refused clients stand alone; a server error has it sent once more
 *    first, since it may have been a passing one.
 * 4. Where an answer was lost, or a server failed on the way, clients are looked up: soon, so that whoever is there goes
 *    on early, and at the latest when the contact center surely no longer works on the request. Only then is an absence
 *    sure, and what may not be done twice is sent again.
 * 5. Who is in doubt after some rounds stays unknown, and the next run asks for it.
 *
 * Creating and adding to a campaign are a record each of what differs.
 */

/** What a fact says of one row. */
export type ResultOf<K extends 'created' | 'enqueued' | 'changed'> = Extract<
  Fact,
  { readonly kind: K }
>['results'][number];

interface Operation<A> {
  readonly kind: 'create' | 'enqueue';
  /** Whether what is sent twice is done once; else only who is surely absent is sent again. */
  readonly isIdempotent: boolean;
  readonly lostAs: 'create_unknown' | 'enqueue_unknown';
  readonly undoneAs: 'not_created' | 'not_enqueued';
  readonly failedAs: Outcome;
  /** Puts the intent on record. @throws Listed where clients must not be called any more */
  readonly begin: (part: Batch, doubt: LostRequest | null) => Promise<void>;
  readonly request: (part: Batch) => Promise<A>;
  /** Puts an answer on record; resolves with the members of which it is not known what became of them. */
  readonly answered: (
    part: Batch,
    answer: A,
    doubt: LostRequest | null,
  ) => Promise<readonly number[]>;
  /** Looks up what became of a request; resolves with who is absent. Who could not be looked up stays unknown. */
  readonly settle: (part: Batch, lost: LostRequest) => Promise<readonly number[]>;
  readonly refused: (rows: readonly number[], message: string) => Fact;
}

interface Piece {
  readonly members: readonly number[];
  /** The last request that may have reached these clients, or may yet; `null`: there is none. */
  readonly doubt: LostRequest | null;
  /** Sent again as it is after a server error, which may have been a passing one. */
  readonly again?: boolean;
}

interface Sent {
  /** Members of which it is not known what became of them, and the request that leaves them open. */
  readonly unknown: readonly number[];
  readonly lost?: LostRequest;
  readonly pieces: readonly Piece[];
}

const NEVER_ANSWERED = 'The contact center answered none of the requests for this client.';

/** `doubt`: an earlier request that may have reached these clients. */
async function attempt<A>(
  s: Sending,
  op: Operation<A>,
  batch: Batch,
  doubt: LostRequest | null,
): Promise<void> {
  let open: Piece = { members: batch.members, doubt };
  if (doubt && !op.isIdempotent) open = { members: await op.settle(batch, doubt), doubt: null };
  for (let round = 0; open.members.length > 0; round++) {
    const { unknown, lost } = await sendPieces(s, op, batch, open);
    if (unknown.length === 0) return;
    const left = only(batch, unknown);
    if (!op.isIdempotent) open = { members: await op.settle(left, latestOf(lost)), doubt: null };
    else {
      // Later than each of the requests that were lost.
      const last = s.lostNow();
      if (round === 0) await sleepUntil(s, s.nextLookup(last, -Infinity));
      const members = round === 0 ? unknown : await op.settle(left, s.lookedUpOnce(last));
      open = { members, doubt: last };
    }
    if (round < SETTLING_ROUNDS) continue;
    const rows = rowsOf(batch.clients, open.members);
    if (!op.isIdempotent && rows.length > 0)
      await s.record(batch, { kind: op.lostAs, rows, reason: NEVER_ANSWERED });
    s.ended('unknown', rows.length);
    return;
  }
}

async function sendPieces<A>(s: Sending, op: Operation<A>, batch: Batch, whole: Piece) {
  const unknown: number[] = [];
  const lost: LostRequest[] = [];
  const pieces = [whole];
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
    const sent = await sendPiece(s, op, only(batch, piece.members), piece);
    unknown.push(...sent.unknown);
    if (sent.lost) lost.push(sent.lost);
    pieces.push(...sent.pieces);
  }
  return { unknown, lost };
}

export const EARLIER_REQUEST = 'An earlier request for this client was not answered.';

async function sendPiece<A>(
  s: Sending,
  op: Operation<A>,
  part: Batch,
  piece: Piece,
): Promise<Sent> {
  const { members, doubt } = piece;
  const rows = rowsOf(part.clients, members);
  try {
    const answer = await s.sender.send({
      kind: op.kind,
      batched: true,
      clients: members.length,
      before: () => op.begin(part, doubt),
      request: () => op.request(part),
      // What may have arrived earlier stays in doubt, even when this request surely did not.
      undone: () =>
        doubt
          ? s.record(part, { kind: op.lostAs, rows, reason: EARLIER_REQUEST })
          : s.record(part, { kind: op.undoneAs, rows }),
    });
    const lost = s.lostNow();
    return { unknown: await op.answered(part, answer, doubt), lost, pieces: [] };
  } catch (error) {
    if (error instanceof Listed) {
      const left = await holdListed(s, part, error.clients);
      return { unknown: [], pieces: left.length > 0 ? [{ ...piece, members: left }] : [] };
    }
    if (!(error instanceof ContactCenterError)) throw error;
    if (isFailureOfServer(error) || (doubt && error instanceof RefusedError))
      return refusedInDoubt(s, op, part, piece, error);
    if (error instanceof RefusedError) return refused(s, op, part, piece, error);
    const lost = s.lostNow();
    await s.record(part, { kind: op.lostAs, rows, reason: error.message });
    return { unknown: members, lost, pieces: [] };
  }
}

/**
 * Some of the clients may have been served, by an earlier request or by a part of this one: they are looked up. What may
 * be sent again need not be waited for; what ends as refused must be sure to be absent.
 */
async function refusedInDoubt<A>(
  s: Sending,
  op: Operation<A>,
  part: Batch,
  piece: Piece,
  error: ContactCenterError,
): Promise<Sent> {
  const { members, doubt } = piece;
  const isOver = hasEnded(error);
  const failed = s.lostNow(isOver);
  const rows = rowsOf(part.clients, members);
  await s.record(part, { kind: op.lostAs, rows, reason: error.message });
  // For what may not be done twice, the later time is the safe one.
  const own = op.isIdempotent ? failed : s.lostNow(isOver);
  // The end of this request says nothing of an earlier one.
  const lost = !doubt ? own : isOver ? doubt : latestOf([doubt, own]);
  const again = piecesAfterRefusal(piece, error.status);
  const deadline = op.isIdempotent && again.length > 0 ? s.lookedUpOnce(lost) : lost;
  const absent = await op.settle(part, deadline);
  // Whoever was absent at the deadline itself is in no doubt any more.
  const isSure = deadline.until === lost.until;
  const inDoubt = (pieces: readonly Part[]): Sent => ({
    ...{ unknown: [], pieces: pieces.map((one) => ({ ...one, doubt: isSure ? null : lost })) },
  });
  // What is left goes again as it is: the refusal was not of these clients alone.
  if (absent.length < members.length)
    return inDoubt(absent.length > 0 ? [{ members: absent, again: absent.length > 1 }] : []);
  return again.length > 0 && !isSure ? inDoubt(again) : refused(s, op, part, piece, error);
}

async function refused<A>(
  s: Sending,
  op: Operation<A>,
  part: Batch,
  piece: Piece,
  { message, status }: ContactCenterError,
): Promise<Sent> {
  const rows = rowsOf(part.clients, piece.members);
  if (op.kind === 'create' && status !== undefined && meaningOf(status) === 'too_large')
    s.bodyRefused(part);
  const pieces = piecesAfterRefusal(piece, status);
  if (pieces.length > 0) await s.record(part, { kind: op.undoneAs, rows });
  else {
    await s.record(part, op.refused(rows, message));
    s.ended(op.failedAs, rows.length);
  }
  return { unknown: [], pieces: pieces.map((one) => ({ ...one, doubt: null })) };
}

type Part = Omit<Piece, 'doubt'>;

/**
 * What to do about a piece that was refused whole: send these pieces in its place, or, when there are none, take the
 * refusal for each client's own. Halving finds one bad client among n with about 2 log2(n) requests.
 */
function piecesAfterRefusal({ members, again }: Part, status: number | undefined): Part[] {
  const meaning = status === undefined ? null : meaningOf(status);
  if (isServerError(status)) {
    if (!again) return [{ members, again: true }];
  } else if (meaning !== 'invalid' && meaning !== 'too_large') return [];
  if (members.length === 1) return [];
  const middle = Math.ceil(members.length / 2);
  const halves = [members.slice(0, middle), members.slice(middle)];
  // What was tried again need not be once more as a half, until it comes to the single client.
  return halves.map((half) => ({ members: half, again: again === true && half.length > 1 }));
}

interface Search<T> {
  readonly beforeWait?: () => Promise<void>;
  readonly ask: (identifiers: string) => Promise<T | null>;
  readonly onLookup: (
    found: readonly (readonly [index: number, what: T])[],
    absent: readonly number[],
  ) => Promise<void>;
}

/**
 * Looks clients up, one by one: soon, and again until each is found or the deadline has passed. `absent`: those that were
 * so when the contact center surely no longer worked on the lost request; `open`: those that could not be looked up.
 */
async function lookUntilSure<T>(
  s: Sending,
  { clients, members }: Batch,
  lost: LostRequest,
  { ask, onLookup, beforeWait }: Search<T>,
): Promise<{ readonly absent: readonly number[]; readonly open: readonly number[] }> {
  const absent: number[] = [];
  let open = members;
  for (let lookedAt = -Infinity; open.length > 0 && lookedAt < lost.until;) {
    if (s.nextLookup(lost, lookedAt) > s.clock.now()) await beforeWait?.();
    await untilLookup(s, lost, lookedAt, open.length);
    lookedAt = s.clock.now();
    const looked = await lookUpTimed(s, open, (index) => ask(identifiersOf(clients, index)));
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

const NOT_IN_ANSWER = 'The answer of the contact center does not say what became of this client.';
const NO_RESULT = 'The contact center did not say whether this client is there.';

/**
 * Creates the clients of a batch (interface.md 4.1). Members whose card exists go on into the campaign, where there is one,
 * before anything waits for the others. `doubt`: an earlier request that may have created them. `onEnded` is called with
 * members with which nothing more will be done.
 */
export async function create(
  s: Sending,
  batch: Batch,
  doubt: LostRequest | null = null,
  onEnded?: (members: readonly number[]) => void,
): Promise<void> {
  const { clients } = batch;
  const { center, extras, campaign } = s;
  let made: number[] = [];
  const handOn = async (): Promise<void> => {
    const members = made;
    made = [];
    if (members.length === 0) return;
    if (campaign) await enqueue(s, only(batch, members), s.lostFacts);
    else s.ended('created', members.length);
    onEnded?.(members);
  };
  const creation: Operation<readonly CreateResult[]> = {
    ...{ kind: 'create', isIdempotent: false, failedAs: 'failed' },
    ...{ lostAs: 'create_unknown', undoneAs: 'not_created' },
    begin: (part) => s.record(part, { kind: 'creating', rows: rowsOf(clients, part.members) }),
    request: ({ members }) => center.addClients(createBody(clients, members, extras)),
    answered: async (part, answer) => {
      s.bodyAccepted(part);
      const { results, unknown, created } = classifyCreated(clients, part.members, answer);
      const rows = rowsOf(clients, unknown);
      const left: Fact = { kind: 'create_unknown', rows, reason: NOT_IN_ANSWER };
      await s.record(part, { kind: 'created', results }, ...(rows.length > 0 ? [left] : []));
      s.ended('failed', results.length - created.length);
      made.push(...created);
      return unknown;
    },
    settle: async (part, lost) => {
      const { absent, open } = await lookUntilSure(s, part, lost, {
        beforeWait: handOn,
        ask: (identifiers) => center.findClient(identifiers),
        onLookup: async (found, gone) => {
          // Absent ones may be sent again once this is on record, so it says so only when they are sure to be.
          await s.record(part, {
            kind: 'create_settled',
            found: found.map(([index, { id }]) => [clients.at[index] ?? 0, id] as const),
            absent: rowsOf(clients, gone),
          });
          made.push(...found.map(([index]) => index));
        },
      });
      // Where facts were lost, nothing on record says that they are in doubt.
      if (open.length > 0 && s.ledger.settlesAll) {
        const rows = rowsOf(clients, open);
        await s.record(part, { kind: 'create_unknown', rows, reason: NO_RESULT });
      }
      s.ended('unknown', open.length);
      return absent;
    },
    refused: (rows, message) => ({
      ...{ kind: 'created', results: rows.map((at) => [at, null, message] as const) },
    }),
  };
  await attempt(s, creation, batch, doubt);
  await handOn();
}

const SUCCESS = 'Success';

/**
 * Reads `createResult` by uuid, never by position (interface.md 4.1). A client that the answer leaves out or names more
 * than once is unknown: of one client there is one element, so an answer that repeats it, even alike, is not to be
 * trusted in it. So is every client when the answer holds foreign uuids. `created`: members whose card exists now.
 */
export function classifyCreated(
  clients: PreparedClients,
  members: readonly number[],
  answer: readonly CreateResult[],
) {
  const inOrder = classifyInOrder(clients, members, answer);
  if (inOrder) return inOrder;
  const byUuid = new Map<string, CreateResult | null>();
  for (const result of answer) byUuid.set(result.uuid, byUuid.has(result.uuid) ? null : result);
  const results: ResultOf<'created'>[] = [];
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
) {
  const isUuidOf = answer.length === members.length ? uuidTest(clients, members) : undefined;
  if (!isUuidOf) return undefined;
  const results: ResultOf<'created'>[] = [];
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
): ResultOf<'created'> {
  const row = at[index] ?? 0;
  return result === SUCCESS ? [row, createdClientId ?? null] : [row, null, result];
}

const FOREIGN_CLIENTS = 'The answer of the contact center names clients that were not sent.';

/**
 * Adds clients whose card exists to the campaign (interface.md 4.9). A request whose answer was lost is soon sent again,
 * since a client is added once however often it is sent: then `Client already exists` means that the first one arrived.
 * Where duplicate phones are checked that message may mean another client's phone, so it is looked up (4.12); so is
 * everything when the second answer is lost too. That a client was refused is said only when no earlier request can add
 * it any more. `whenThere`: the outcome of a member that is in the campaign already, by default `enqueue_failed`.
 */
export function enqueue(
  s: Sending,
  batch: Batch,
  doubt: LostRequest | null = null,
  whenThere: (index: number) => Outcome | undefined = () => undefined,
): Promise<void> {
  const { center, campaign, identifierNames } = s;
  if (!campaign) return Promise.resolve();
  const { clients } = batch;

  const find = async (part: Batch, lost: LostRequest) => {
    const enqueued: number[] = [];
    const unfound = await lookUntilSure(s, part, lost, {
      ask: async (identifiers) =>
        (await center.findCampaigns(identifiers)).includes(campaign.id) ? true : null,
      onLookup: async (found) => {
        const members = found.map(([index]) => index);
        if (members.length === 0) return;
        await s.record(part, { kind: 'enqueue_settled', rows: rowsOf(clients, members) });
        enqueued.push(...members);
      },
    });
    return { ...unfound, enqueued };
  };

  /** Which of the clients that exist already by the answer are there by an earlier request of this run. */
  const confirm = async (part: Batch) => {
    if (part.members.length === 0) return { enqueued: [], open: [] };
    // Whatever made the contact center say so had happened by then: one lookup shows it.
    if (campaign.disableDuplicatePhonesValidation === false)
      return find(part, s.lookedUpOnce(s.lostNow()));
    await s.record(part, { kind: 'enqueue_settled', rows: rowsOf(clients, part.members) });
    return { enqueued: part.members, open: [] };
  };

  const addition: Operation<readonly EnqueueError[]> = {
    ...{ kind: 'enqueue', isIdempotent: true, failedAs: 'enqueue_failed' },
    ...{ lostAs: 'enqueue_unknown', undoneAs: 'not_enqueued' },
    begin: async (part, earlier) => {
      // What an earlier request may have added is sent to its end, whatever the lists say by now.
      if (!earlier) await refuseListed(s, part);
      await s.record(part, { kind: 'enqueuing', rows: rowsOf(clients, part.members) });
    },
    request: ({ members }) =>
      center.addApplications(campaign.id, enqueueBody(clients, members, campaign)),
    answered: async (part, errors, earlier) => {
      const { members } = part;
      const { results, foreign } = classifyEnqueued(clients, members, errors, identifierNames);
      if (foreign) {
        const rows = rowsOf(clients, members);
        await s.record(part, { kind: 'enqueue_unknown', rows, reason: FOREIGN_CLIENTS });
        return members;
      }
      const isThere = (at: number): boolean => results[at]?.[1] === ALREADY_IN_CAMPAIGN;
      const already = earlier ? members.filter((_, at) => isThere(at)) : [];
      const { enqueued, open } = await confirm(only(part, already));
      const settled = new Set([...enqueued, ...open]);
      const rest = results.filter((_, at) => !settled.has(members[at] ?? 0));
      if (rest.length > 0) await s.record(part, { kind: 'enqueued', results: rest });
      const failed = rest.filter(([, refusal]) => refusal !== undefined).length;
      const there = members.filter((index, at) => isThere(at) && !settled.has(index));
      for (const index of there) s.ended(whenThere(index) ?? 'enqueue_failed', 1);
      s.ended('enqueue_failed', failed - there.length);
      s.ended('enqueued', rest.length - failed + enqueued.length);
      return open;
    },
    settle: async (part, lost) => {
      const { enqueued, absent, open } = await find(part, lost);
      s.ended('enqueued', enqueued.length);
      s.ended('unknown', open.length);
      return absent;
    },
    refused: (rows, message) => ({
      ...{ kind: 'enqueued', results: rows.map((at) => [at, message] as const) },
    }),
  };
  return attempt(s, addition, batch, doubt);
}

/**
 * Reads `errors` by the clients' identifiers, never by position (interface.md 4.9). A client that is not named was
 * added. `foreign`: the answer names clients that were not asked for, so that nothing that it leaves out is sure.
 */
export function classifyEnqueued(
  clients: PreparedClients,
  members: readonly number[],
  errors: readonly EnqueueError[],
  identifierNames: readonly string[],
): { readonly results: readonly ResultOf<'enqueued'>[]; readonly foreign: boolean } {
  if (errors.length === 0)
    return { results: members.map((index) => [clients.at[index] ?? 0]), foreign: false };
  const messages = new Map(
    errors.map((error) => [
      identityOf(error.clientIdentifiers, identifierNames),
      error.errorMessage,
    ]),
  );
  const named = new Set<string>();
  const results = members.map((index): ResultOf<'enqueued'> => {
    // Made by the mapping of this run: their shape is not checked again.
    const identifiers = JSON.parse(identifiersOf(clients, index)) as Record<string, unknown>;
    const identity = identityOf(identifiers, identifierNames);
    const message = messages.get(identity);
    if (message === undefined) return [clients.at[index] ?? 0];
    named.add(identity);
    return [clients.at[index] ?? 0, message];
  });
  return { results, foreign: named.size < messages.size };
}

/** After how long a run looks again at the lists of numbers that must not be called, in milliseconds. */
const CHECK_AGAIN_MS = 3_600_000;

/** Whether a run has gone on for so long that its lists may have changed since its rows were mapped. */
export const isCheckedAgain = (mappedAt: number, now: number): boolean =>
  now - mappedAt > CHECK_AGAIN_MS;

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

class Listed extends Error {
  constructor(readonly clients: readonly ListedClient[]) {
    super('Clients have come onto a list of numbers that must not be called.');
  }
}

/** @throws Listed where clients must not be called any more by now: a request may have waited for hours */
async function refuseListed(s: Sending, { clients, members }: Batch): Promise<void> {
  const { lists, clock, mappedAt, mode } = s;
  if (!lists || !clients.callable || !isCheckedAgain(mappedAt, clock.now())) return;
  const listed = listedAmong(clients, members, await lists.current(), mode);
  if (listed.length > 0) throw new Listed(listed);
}

/** Puts on record that clients are held back; returns the members that are not. */
async function holdListed(
  s: Sending,
  batch: Batch,
  listed: readonly ListedClient[],
): Promise<readonly number[]> {
  const rows = listed.map(([index, names]) => [batch.clients.at[index] ?? 0, names] as const);
  if (s.mode === 'enqueue') {
    const skipped = rows.map(([at, names]) => [at, suppressedSince(names)] as const);
    await s.record(batch, { kind: 'duplicates', rows: skipped });
    s.ended('skipped', rows.length);
  } else {
    const results = rows.map(([at, names]) => [at, notSentText(names), names] as const);
    await s.record(batch, { kind: 'enqueued', results });
    s.ended('enqueue_failed', rows.length);
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
  ...{ column: null, code: SUPPRESSED, value: null, lists },
  message: `Left out: ${reasonOf(lists)}`,
});
