import type { ClientChanges } from '../../core/change.js';
import type { EmptyPayload } from '../../core/payload.js';
import { type ChangeRule, isAbsent } from './rule.js';

/** What the contact center says of a client that is not there (interface.md 7). */
export const NO_CLIENT = /^No clients with identifiers/;

/**
 * Deletes a client (interface.md 4.7). Its card is read first (4.8): after a lost answer that shows a deletion from a
 * client that never was.
 */
export function deleteRule({ change, readCard }: ClientChanges): ChangeRule<EmptyPayload> {
  return {
    outcome: 'deleted',
    lookUp: async ({ identifiers }) => {
      const card = await readCard(identifiers);
      return isAbsent(card) ? card : { id: card.id };
    },
    steps: ({ identifiers }) => [
      {
        operation: 'deleteClient',
        label: '',
        body: `{"syncIdentifiers":${identifiers}}`,
        doneBefore: NO_CLIENT,
      },
    ],
    settle: async ({ identifiers }) => (isAbsent(await readCard(identifiers)) ? 'done' : 'again'),
    send: change,
  };
}
