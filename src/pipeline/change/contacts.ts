import type { ClientChanges } from '../../core/change.js';
import type { ContactsPayload } from '../../core/payload.js';
import { contactBody } from './payload.js';
import type { ChangeRule, Step, Subject } from './rule.js';

/** Sets the status of phones (interface.md 4.4), e-mail addresses (4.6) and addresses (4.6b). */
export function contactsRule({ change }: ClientChanges): ChangeRule<ContactsPayload> {
  return { outcome: 'updated', steps: statusSteps, send: change };
}

function statusSteps({ identifiers, payload }: Subject<ContactsPayload>): Step[] {
  const { phones, emails, addresses } = payload;
  const step = (operation: Step['operation'], label: string, contact: object): Step => ({
    operation,
    label,
    body: contactBody(identifiers, contact),
  });
  return [
    ...phones.map(({ phoneNumber, active }, at) =>
      step('setPhoneStatus', `phone ${at + 1}`, { phoneNumber, active }),
    ),
    ...emails.map(({ email, active }, at) =>
      step('setEmailStatus', `e-mail ${at + 1}`, { emailAddress: email, active }),
    ),
    ...addresses.map(({ address, active }, at) =>
      step('setAddressStatus', `address ${at + 1}`, { clientAddress: address, active }),
    ),
  ];
}
