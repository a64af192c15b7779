import type { ClientChanges } from '../../core/change.js';
import type { Mode } from '../../core/mode.js';
import { callbacksRule } from './callbacks.js';
import { contactsRule } from './contacts.js';
import { deleteRule } from './delete.js';
import { dequeueRule } from './dequeue.js';
import { rekeyRule } from './rekey.js';
import type { ChangeRule } from './rule.js';
import { updateRule } from './update.js';

/**
 * How a mode changes clients; `null` for modes that change none. `campaignId`: the campaign of modes that need one.
 */
export function changeRuleOf(
  mode: Mode,
  changes: ClientChanges,
  campaignId: number | null,
): ChangeRule | null {
  const campaign = (): number => {
    if (campaignId === null) throw new RangeError(`Mode ${mode} needs a campaign.`);
    return campaignId;
  };
  switch (mode) {
    case 'create':
    case 'enqueue':
      return null;
    case 'upsert':
    case 'update':
      return updateRule(changes);
    case 'dequeue':
      return dequeueRule(changes, campaign());
    case 'contacts':
      return contactsRule(changes);
    case 'callbacks':
      return callbacksRule(changes, campaign());
    case 'rekey':
      return rekeyRule(changes);
    case 'delete':
      return deleteRule(changes);
  }
}
