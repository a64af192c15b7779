import type { FieldValue } from '../../core/client.js';
import { type ClientCard, type ClientChanges, type Earlier, isAbsent } from '../../core/center.js';
import type { UpdatePayload } from '../../core/client.js';
import type { ChangeRule, Step, Subject } from './rule.js';
import { contactChanges, fieldChange } from './steps.js';

/** How a contact center says that a contact which is added is on the card already: its words are not shown (4.3). */
const ON_THE_CARD = /already exists/i;

/**
 * Changes fields (interface.md 4.2) and adds contacts that are missing (4.3, 4.5, 4.6a). The interface does not show a
 * card's contacts, so each is sent, and a refusal that says that it is there already is as good. How the fields were
 * before is read first (4.8), for an undo and so that what is as it should be is not sent. The payload may be a whole
 * client.
 */
export function updateRule({ change, readCard }: ClientChanges): ChangeRule<UpdatePayload> {
  return {
    outcome: 'updated',
    unchanged: 'unchanged',
    lookUp: async (subject) => {
      const card = await readCard(subject.identifiers);
      if (isAbsent(card)) return card;
      return earlierOf(card, fieldsToUpdate(subject));
    },
    steps: (subject, earlier) => [...fieldSteps(subject, earlier), ...contactSteps(subject)],
    stepsInDoubt: (subject) => [...fieldSteps(subject, {}), ...contactSteps(subject)],
    send: change,
  };
}

type UpdateSubject = Subject<UpdatePayload>;

function earlierOf(card: ClientCard, fields: Record<string, FieldValue>): Earlier {
  const pairs = Object.entries(fields).map(
    ([name, value]) => [name, [scalar(card.fields[name]), value]] as const,
  );
  return { id: card.id, fields: Object.fromEntries(pairs) };
}

/** A value of a card, as far as a field can have it. */
export function scalar(value: unknown): FieldValue {
  const isScalar =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? value : null;
}

/** The fields of the payload but for those that identify the client. */
function fieldsToUpdate({ identifiers, payload }: UpdateSubject): Record<string, FieldValue> {
  const names = JSON.parse(identifiers) as object;
  return Object.fromEntries(Object.entries(payload.fields).filter(([name]) => !(name in names)));
}

/** Fields that stood otherwise when they were looked up, or of which that is not known. */
function fieldSteps(subject: UpdateSubject, earlier: Earlier): Step[] {
  const isOpen = ([name, value]: [string, FieldValue]): boolean => {
    const before = earlier.fields?.[name]?.[0];
    return before === undefined || before === null || String(before) !== String(value);
  };
  const fields = Object.entries(fieldsToUpdate(subject)).filter(isOpen);
  return fieldChange(subject.identifiers, fields);
}

function contactSteps({ identifiers, payload }: UpdateSubject): Step[] {
  const phones = payload.phones.map(({ phoneNumber, type }) => ({ phoneNumber, type }));
  const emails = payload.emails.map(({ email }) => ({ emailAddress: email }));
  const addresses = payload.addresses.map(({ address, type }) => ({
    clientAddress: address,
    type,
  }));
  return [
    ...contactChanges(identifiers, 'addPhone', 'phone', phones),
    ...contactChanges(identifiers, 'addEmail', 'e-mail', emails),
    ...contactChanges(identifiers, 'addAddress', 'address', addresses),
  ].map((step) => ({ ...step, fulfilledBy: ON_THE_CARD, adds: true }));
}
