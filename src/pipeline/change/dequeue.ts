import { type ClientChanges, isAbsent } from '../../core/center.js';
import type { DequeuePayload } from '../../core/client.js';
import type { ChangeRule } from './rule.js';
import { applicationIn, removal } from './steps.js';

/**
 * Removes a client's call application (interface.md 4.10). Whether there is one is asked first (4.12): after a lost
 * answer that shows a removal from an application that never was.
 */
export function dequeueRule(
  changes: ClientChanges,
  campaignId: number,
): ChangeRule<DequeuePayload> {
  const applicationOf = (identifiers: string) => applicationIn(changes, identifiers, campaignId);
  return {
    outcome: 'dequeued',
    lookUp: async ({ identifiers }) => {
      const found = await applicationOf(identifiers);
      return isAbsent(found) ? found : {};
    },
    steps: ({ identifiers, payload: { cancelCallbacks } }) => [
      removal(identifiers, { campaignId, cancelCallbacks }),
    ],
    settle: async ({ identifiers }) =>
      isAbsent(await applicationOf(identifiers)) ? 'done' : 'again',
    send: changes.change,
  };
}
