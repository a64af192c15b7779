import type { CreateResult } from '../../core/center.js';
import type { CreatedResult } from '../../core/facts.js';
import type { PreparedClients } from '../../core/prepared.js';
import { uuidOf, uuidTest } from '../../core/prepared.js';

/** What an answer of 4.1 says of each client that was asked for. */
export interface CreateResults {
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
