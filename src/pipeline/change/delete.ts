import type { ClientChanges } from '../../core/change.js';
import { type ChangeRule, isAbsent } from './rule.js';

/**
 * Deletes a client (interface.md 4.7). Its card is read first (4.8): after a lost answer that tells a deletion from a
 * client that never was.
 */
export function deleteRule({ change, readCard }: ClientChanges): ChangeRule {
  return {
    outcome: 'deleted',
    lookUp: async ({ identifiers }) => {
      const card = await readCard(identifiers);
      return isAbsent(card) ? card : { id: card.id };
    },
    steps: ({ identifiers }) => [
      { operation: 'deleteClient', label: '', body: `{"syncIdentifiers":${identifiers}}` },
    ],
    settle: async ({ identifiers }) => (isAbsent(await readCard(identifiers)) ? 'done' : 'again'),
    send: change,
  };
}
