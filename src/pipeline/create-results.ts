import type { CreateResult } from '../core/delivery.js';
import type { CreatedResult } from '../core/facts.js';
import type { PreparedClients } from '../core/prepared.js';

/** What an answer of 4.1 says of each client that was asked for. */
export interface CreateVerdict {
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
export function judgeCreate(
  clients: PreparedClients,
  members: readonly number[],
  answer: readonly CreateResult[],
): CreateVerdict {
  const byUuid = new Map<string, CreateResult | null>();
  for (const result of answer) byUuid.set(result.uuid, byUuid.has(result.uuid) ? null : result);
  const results: CreatedResult[] = [];
  const unknown: number[] = [];
  const created: number[] = [];
  let matched = 0;
  for (const index of members) {
    const found = byUuid.get(clients.uuids[index] ?? '');
    if (found !== undefined) matched++;
    if (!found) unknown.push(index);
    else {
      const at = clients.at[index] ?? 0;
      if (found.result === SUCCESS) {
        results.push([at, found.createdClientId ?? null]);
        created.push(index);
      } else results.push([at, null, found.result]);
    }
  }
  if (matched < byUuid.size) return { results: [], unknown: [...members], created: [] };
  return { results, unknown, created };
}
