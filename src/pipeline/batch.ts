import type { PreparedChunk, PreparedClients } from '../core/prepared.js';

/** Clients of one chunk that travel in one request, told by their index in the chunk's clients. */
export interface Batch {
  readonly chunk: number;
  readonly clients: PreparedClients;
  readonly members: readonly number[];
}

export interface BatchLimits {
  /** Most clients in a request. */
  readonly clients: number;
  /** Most bytes in the body of a request. */
  readonly bytes: number;
}

const OPEN = Buffer.from('{"clients":[');
const CLOSE = Buffer.from(']}');
const COMMA = Buffer.from(',');
/** Bytes of a body around its clients. */
export const ENVELOPE_BYTES = OPEN.length + CLOSE.length;

/** Bytes of client `index` in the payload. */
export function clientBytes(clients: PreparedClients, index: number): number {
  return (clients.ends[index] ?? 0) - startOf(clients, index);
}

function startOf(clients: PreparedClients, index: number): number {
  return index === 0 ? 0 : (clients.ends[index - 1] ?? 0) + 1;
}

/**
 * Cuts the given members into batches, in order. A uuid stands once in a batch, since results are matched by it
 * (interface.md 2.2); a client that exceeds the byte limit alone goes alone.
 */
export function cutBatches(
  clients: PreparedClients,
  members: readonly number[],
  limits: BatchLimits,
): number[][] {
  const batches: number[][] = [];
  let batch: number[] = [];
  let bytes = ENVELOPE_BYTES;
  let uuids = new Set<string | undefined>();
  for (const index of members) {
    const size = clientBytes(clients, index) + 1;
    const full = batch.length === limits.clients || bytes + size > limits.bytes;
    if (batch.length > 0 && (full || uuids.has(clients.uuids[index]))) {
      batches.push(batch);
      batch = [];
      bytes = ENVELOPE_BYTES;
      uuids = new Set();
    }
    batch.push(index);
    bytes += size;
    uuids.add(clients.uuids[index]);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/** Body of 4.1 for these members. Neighbours are copied in one piece, with the commas between them. */
export function createBody(clients: PreparedClients, members: readonly number[]): Uint8Array {
  const parts: Uint8Array[] = [OPEN];
  for (let from = 0; from < members.length;) {
    let to = from;
    while (members[to + 1] === (members[to] ?? 0) + 1) to++;
    if (from > 0) parts.push(COMMA);
    const [first = 0, last = 0] = [members[from], members[to]];
    parts.push(clients.payload.subarray(startOf(clients, first), clients.ends[last]));
    from = to + 1;
  }
  parts.push(CLOSE);
  return Buffer.concat(parts);
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
}

/** Body of 4.9 for these members. */
export function enqueueBody(
  clients: PreparedClients,
  members: readonly number[],
  campaign: CampaignSettings,
): Uint8Array {
  const { maxCallCount, disableDuplicatePhonesValidation } = campaign;
  const head = JSON.stringify({ maxCallCount, disableDuplicatePhonesValidation });
  const list = members.map(
    (index) => `{"clientIdentifiers":${clients.identifiers[index] ?? '{}'}}`,
  );
  return Buffer.from(`${head.slice(0, -1)},"clients":[${list.join(',')}]}`);
}

/** Whether the chunk holds clients at all. */
export function hasClients(chunk: PreparedChunk): boolean {
  return chunk.clients.at.length > 0;
}
