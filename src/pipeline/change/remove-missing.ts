import { type ClientChanges, isAbsent } from '../../core/center.js';
import type { DequeuePayload } from '../../core/client.js';
import { dequeueRule } from './dequeue.js';
import type { ChangeRule } from './rule.js';
import { applicationIn } from './steps.js';

/**
 * Removes the call applications of clients that a list lacks (interface.md 4.10). One that is not in the campaign any
 * more, as when somebody has removed it, is as wanted.
 */
export function removeMissingRule(
  changes: ClientChanges,
  campaignId: number,
): ChangeRule<DequeuePayload> {
  const rule = dequeueRule(changes, campaignId);
  return {
    ...rule,
    unchanged: 'unchanged',
    lookUp: async ({ identifiers }) => {
      const found = await applicationIn(changes, identifiers, campaignId);
      return isAbsent(found) ? {} : { inCampaign: true };
    },
    steps: (subject, earlier) => (earlier.inCampaign === true ? rule.steps(subject, earlier) : []),
  };
}
