import type { Earlier } from '../core/client.js';
import {
  CLOSE,
  ENVELOPE_BYTES,
  OPEN,
  identifiersOf,
  uuidOf,
  type PreparedClients,
  joinedBytes,
} from '../core/prepared.js';

const COMMA = Buffer.from(',');

/** Clients of one chunk that travel in one request, identified by their index in the chunk's clients. */
export interface Batch {
  readonly chunk: number;
  readonly clients: PreparedClients;
  readonly members: readonly number[];
  /** How clients stood before they were changed, as far as that is on record. */
  readonly earlier?: ReadonlyMap<number, Earlier> | undefined;
}

/** The batch with these of its members alone. */
export const only = (batch: Batch, members: readonly number[]): Batch => ({ ...batch, members });

export interface BatchLimits {
  readonly clients: () => number;
  readonly bytes: number;
}

/** Bytes of a request to create these members. */
export function bodyBytes({ clients, members }: Batch): number {
  return members.reduce((sum, index) => sum + clientBytes(clients, index) + 1, ENVELOPE_BYTES);
}

function clientBytes(clients: PreparedClients, index: number): number {
  return (clients.ends[index] ?? 0) - startOf(clients, index);
}

/** Where client `index` begins in the payload. */
export function startOf(clients: PreparedClients, index: number): number {
  return index === 0 ? 0 : (clients.ends[index - 1] ?? 0) + 1;
}

/**
 * Cuts the given members into batches, in order. A uuid stands once in a batch, since results are matched by it
 * (interface.md 2.2), and so do identifiers, by which the errors of 4.9 are matched: a later client with the same ones
 * waits for the next batch. A client that exceeds the byte limit alone goes alone. The same members are always cut alike.
 * `screened`: the clients are known to differ in their identifiers, so that these need not be compared.
 */
export function cutBatches(
  clients: PreparedClients,
  members: readonly number[],
  limits: BatchLimits,
  screened: boolean,
): number[][] {
  const batches: number[][] = [];
  for (let open = members; open.length > 0;) {
    const { batch, left } = fillBatch(clients, open, limits, screened);
    batches.push(batch);
    open = left;
  }
  return batches;
}

function fillBatch(
  clients: PreparedClients,
  open: readonly number[],
  limits: BatchLimits,
  screened: boolean,
): { readonly batch: number[]; readonly left: readonly number[] } {
  const batch: number[] = [];
  const waiting: number[] = [];
  const uuids = new Set<string>();
  const identifiers = new Set<string>();
  const distinct = screened && clients.derivedUuids;
  // Also of those that wait, so that the rows of a client keep their order.
  const repeats = (index: number): boolean => {
    const uuid = isKnown(uuids, uuidOf(clients, index));
    const own = !screened && isKnown(identifiers, identifiersOf(clients, index));
    return uuid || own;
  };
  const max = limits.clients();
  let bytes = ENVELOPE_BYTES;
  let place = 0;
  for (const index of open) {
    const size = clientBytes(clients, index) + 1;
    const full = batch.length === max || bytes + size > limits.bytes;
    if (full && batch.length > 0) return { batch, left: [...waiting, ...open.slice(place)] };
    place++;
    if (!distinct && repeats(index)) waiting.push(index);
    else {
      batch.push(index);
      bytes += size;
    }
  }
  return { batch, left: waiting };
}

function isKnown(known: Set<string>, text: string): boolean {
  const before = known.size;
  return known.add(text).size === before;
}

/** Cuts the given members into groups of which each has requests of its own: only their number counts. */
export function cutBySize(members: readonly number[], clients: number): number[][] {
  const groups: number[][] = [];
  for (let from = 0; from < members.length; from += clients)
    groups.push(members.slice(from, from + clients));
  return groups;
}

/** What a contact center wants to be reported beside the clients of 4.1, as JSON members without braces. */
export interface BodyExtras {
  readonly beside: string;
  readonly inEach: string;
}

const NO_EXTRAS: BodyExtras = { beside: '', inEach: '' };

/** Body of 4.1 for these members. Neighbours are copied in one piece, with the commas between them. */
export function createBody(
  clients: PreparedClients,
  members: readonly number[],
  { beside, inEach }: BodyExtras = NO_EXTRAS,
): Uint8Array {
  const parts: Uint8Array[] = [beside === '' ? OPEN : Buffer.from(`{${beside},"clients":[`)];
  if (inEach !== '') return joinedBytes([...parts, ...extended(clients, members, inEach), CLOSE]);
  for (let from = 0; from < members.length;) {
    let to = from;
    while (members[to + 1] === (members[to] ?? 0) + 1) to++;
    if (from > 0) parts.push(COMMA);
    const [first = 0, last = 0] = [members[from], members[to]];
    parts.push(clients.payload.subarray(startOf(clients, first), clients.ends[last]));
    from = to + 1;
  }
  parts.push(CLOSE);
  return joinedBytes(parts);
}

/** The clients with commas between, each with more members at its beginning. */
function* extended(
  clients: PreparedClients,
  members: readonly number[],
  inEach: string,
): Generator<Uint8Array, void, undefined> {
  const head = Buffer.from(`{${inEach},`);
  for (const [place, index] of members.entries()) {
    if (place > 0) yield COMMA;
    yield head;
    yield clients.payload.subarray(startOf(clients, index) + 1, clients.ends[index]);
  }
}

/** Positions in the chunk of these members' rows. */
export function rowsOf(clients: PreparedClients, members: readonly number[]): number[] {
  return members.map((index) => clients.at[index] ?? 0);
}

/** How a run adds its clients to a campaign (interface.md 4.9). */
export interface CampaignSettings {
  readonly id: number;
  readonly maxCallCount: number;
  readonly disableDuplicatePhonesValidation?: boolean | undefined;
  /** Its name, for the person, where the contact center shows it. */
  readonly name?: string | undefined;
}

/** Body of 4.9 for these members. */
export function enqueueBody(
  clients: PreparedClients,
  members: readonly number[],
  campaign: CampaignSettings,
): Uint8Array {
  const { maxCallCount, disableDuplicatePhonesValidation } = campaign;
  const head = JSON.stringify({ maxCallCount, disableDuplicatePhonesValidation });
  const list = members.map((index) => `{"clientIdentifiers":${identifiersOf(clients, index)}}`);
  return Buffer.from(`${head.slice(0, -1)},"clients":[${list.join(',')}]}`);
}
