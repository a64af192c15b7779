import { type ClientChanges, isAbsent } from '../../core/center.js';
import type { CallbackPayload } from '../../core/client.js';
import type { ChangeRule } from './rule.js';
import { applicationIn } from './steps.js';

/**
 * Creates a callback (interface.md 4.20). The interface lists no callbacks; it only shows whether a call application
 * has one (4.12). So after a lost answer it can show that there is none, and never that there is this one: somebody
 * else may have created another since.
 */
export function callbacksRule(
  changes: ClientChanges,
  campaignId: number,
): ChangeRule<CallbackPayload> {
  const applicationOf = (identifiers: string) => applicationIn(changes, identifiers, campaignId);
  return {
    outcome: 'scheduled',
    atOnce: 1,
    lookUp: async ({ identifiers }) => {
      const found = await applicationOf(identifiers);
      return isAbsent(found) ? found : { hasRecall: found.hasRecall };
    },
    steps: ({ identifiers, payload }) => {
      const clientIdentifiers = JSON.parse(identifiers) as object;
      const body = JSON.stringify({ ...payload, clientIdentifiers, campaignId });
      return [{ operation: 'createCallback', label: '', body }];
    },
    settle: async ({ identifiers, payload }) => {
      const found = await applicationOf(identifiers);
      if (isAbsent(found) || !found.hasRecall) return 'again';
      return {
        open: `The answer was lost. The client's call application in campaign ${campaignId} has a callback, which may be this one or another: look whether it has one for ${payload.callAt}.`,
      };
    },
    send: changes.change,
  };
}
