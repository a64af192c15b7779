import type { ClientChanges } from '../../core/center.js';
import type { Mode } from '../../core/mode.js';
import type { Payloads } from '../../core/client.js';
import { callbacksRule } from './callbacks.js';
import { contactsRule } from './contacts.js';
import { deleteRule } from './delete.js';
import { dequeueRule } from './dequeue.js';
import { rekeyRule } from './rekey.js';
import { type ChangeRule, onJson } from './rule.js';
import { updateRule } from './update.js';

type RuleMaker<P> = (changes: ClientChanges, campaignId: () => number) => ChangeRule<P>;

/** How each mode changes clients, by what its rows become; `null` for modes that change none. */
const RULES: { readonly [M in Mode]: RuleMaker<Payloads[M]> | null } = {
  create: null,
  enqueue: null,
  upsert: updateRule,
  update: updateRule,
  dequeue: (changes, campaignId) => dequeueRule(changes, campaignId()),
  contacts: contactsRule,
  callbacks: (changes, campaignId) => callbacksRule(changes, campaignId()),
  rekey: rekeyRule,
  delete: deleteRule,
};

/**
 * How a mode changes clients; `null` for modes that change none. `campaignId`: the campaign of modes that need one.
 */
export function changeRuleOf(
  mode: Mode,
  changes: ClientChanges,
  campaignId: number | null,
): ChangeRule | null {
  const rule = ruleFor(mode, changes, () => {
    if (campaignId === null) throw new RangeError(`Mode ${mode} needs a campaign.`);
    return campaignId;
  });
  return rule && onJson(rule);
}

function ruleFor<M extends Mode>(
  mode: M,
  ...given: Parameters<RuleMaker<Payloads[M]>>
): ChangeRule<Payloads[M]> | null {
  const make: RuleMaker<Payloads[M]> | null = RULES[mode];
  return make && make(...given);
}
