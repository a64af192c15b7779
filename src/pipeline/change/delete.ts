import { type ClientChanges, isAbsent } from '../../core/center.js';
import type { EmptyPayload } from '../../core/client.js';
import type { ChangeRule } from './rule.js';
import { deletion } from './steps.js';

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
    steps: ({ identifiers }) => [deletion(identifiers)],
    settle: async ({ identifiers }) => (isAbsent(await readCard(identifiers)) ? 'done' : 'again'),
    send: change,
  };
}
