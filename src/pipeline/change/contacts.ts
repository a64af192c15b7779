import type { ClientChanges } from '../../core/center.js';
import type { ContactsPayload } from '../../core/client.js';
import type { ChangeRule, Step, Subject } from './rule.js';
import { contactChanges } from './steps.js';

/** Sets the status of phones (interface.md 4.4), e-mail addresses (4.6) and addresses (4.6b). */
export function contactsRule({ change }: ClientChanges): ChangeRule<ContactsPayload> {
  return { outcome: 'updated', steps: statusSteps, send: change };
}

function statusSteps({ identifiers, payload }: Subject<ContactsPayload>): Step[] {
  const phones = payload.phones.map(({ phoneNumber, active }) => ({ phoneNumber, active }));
  const emails = payload.emails.map(({ email, active }) => ({ emailAddress: email, active }));
  const addresses = payload.addresses.map(({ address, active }) => ({
    clientAddress: address,
    active,
  }));
  return [
    ...contactChanges(identifiers, 'setPhoneStatus', 'phone', phones),
    ...contactChanges(identifiers, 'setEmailStatus', 'e-mail', emails),
    ...contactChanges(identifiers, 'setAddressStatus', 'address', addresses),
  ];
}
