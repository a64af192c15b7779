import type { EnqueueError } from '../../core/center.js';
import type { EnqueuedResult } from '../../core/facts.js';
import { identityOf } from '../../core/client.js';
import type { PreparedClients } from '../../core/prepared.js';
import { identifiersOf } from '../../core/prepared.js';

export interface EnqueueResults {
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
