import type { ClientChanges } from '../../core/change.js';
import type { DequeuePayload } from '../../core/payload.js';
import { type ChangeRule, isAbsent } from './rule.js';

/** What the contact center says of a client that is not in the campaign (interface.md 7). */
export const NOT_IN_CAMPAIGN = 'Client not found in campaign';
/** The same in the words of either operation. */
export const NO_APPLICATION = /^(Client not found in campaign|No clients with identifiers)/;

/**
 * Removes a client's call application (interface.md 4.10). Whether there is one is asked first (4.12): after a lost
 * answer that shows a removal from an application that never was.
 */
export function dequeueRule(
  { change, readApplications }: ClientChanges,
  campaignId: number,
): ChangeRule<DequeuePayload> {
  return {
    outcome: 'dequeued',
    lookUp: async ({ identifiers }) => {
      const found = await readApplications(identifiers);
      if (isAbsent(found)) return found;
      const isThere = found.some((application) => application.campaignId === campaignId);
      return isThere ? {} : { absent: NOT_IN_CAMPAIGN };
    },
    steps: ({ identifiers, payload: { cancelCallbacks } }) => {
      const body = `{"clientIdentifiers":${identifiers},"cancelCallbacks":${cancelCallbacks}}`;
      const operation = 'removeApplication';
      return [{ operation, label: '', params: { campaignId }, body, doneBefore: NO_APPLICATION }];
    },
    settle: async ({ identifiers }) => {
      const found = await readApplications(identifiers);
      const isThere =
        !isAbsent(found) && found.some((application) => application.campaignId === campaignId);
      return isThere ? 'again' : 'done';
    },
    send: change,
  };
}
