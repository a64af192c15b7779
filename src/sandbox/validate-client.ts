import { ADDRESS_TYPES, CLIENT_TYPES, PHONE_TYPES, TIME_ZONE_LENGTH } from '../core/client.js';
import type { Card, CardValues } from './card.js';
import { contactKey, type ContactKind } from './contact-key.js';
import {
  oneOf,
  optionalBoolean,
  required,
  requiredArray,
  requiredInteger,
  requiredRecord,
  requiredText,
} from './validate-value.js';
import { invalid } from './refusal.js';

/** A phone, e-mail or address as it is kept. */
export interface Contact {
  readonly kind: ContactKind;
  readonly value: string;
  readonly key: string;
  /** `null` for e-mails. */
  readonly type: string | null;
  readonly active: boolean;
  readonly disabled: boolean;
}

/** A client that may be added, with defaults filled in. */
export interface ValidatedClient {
  readonly identity: string;
  readonly clientRoleId: number;
  readonly type: string;
  readonly timeZone: string;
  readonly fields: CardValues;
  readonly contacts: readonly Contact[];
}

/**
 * Validates one element of `clients` by itself (interface.md 2.2).
 * @throws Refusal with the first mistake found: of the element, its identifiers, its mandatory fields, its card values.
 */
export function validateClient(
  given: Record<string, unknown>,
  card: Card,
  clientRoles: readonly number[] | undefined,
): ValidatedClient {
  const clientRoleId = roleOf(given.clientRoleId, clientRoles);
  const type = oneOf(given.type, 'type', CLIENT_TYPES);
  const timeZone = timeZoneOf(given.timeZone);
  const fields = requiredRecord(given.fields, 'fields');
  const contacts = contactsOf(given);
  card.needIdentifiers(fields);
  card.needMandatory(fields);
  const values = card.values(fields);
  return {
    identity: card.identity(values),
    clientRoleId,
    type,
    timeZone,
    fields: values,
    contacts,
  };
}

function roleOf(value: unknown, clientRoles: readonly number[] | undefined): number {
  const role = requiredInteger(value, 'clientRoleId');
  if (clientRoles && !clientRoles.includes(role)) {
    throw invalid(`Field [clientRoleId] must be one of ${clientRoles.join(', ')}.`);
  }
  return role;
}

function timeZoneOf(value: unknown): string {
  const timeZone = requiredText(value, 'timeZone');
  if (timeZone.length > TIME_ZONE_LENGTH) {
    throw invalid(`Field [timeZone] must have at most ${TIME_ZONE_LENGTH} characters.`);
  }
  return timeZone;
}

function contactsOf(given: Record<string, unknown>): Contact[] {
  const phones = requiredArray(given.phones, 'phones');
  if (phones.length === 0) required(undefined, 'phones');
  const addresses = requiredArray(given.addresses, 'addresses');
  const emails = requiredArray(given.emails, 'emails');
  return [
    ...phones.map((phone, i) => contactOf('phone', phone, `phones[${i}]`)),
    ...emails.map((email, i) => contactOf('email', email, `emails[${i}]`)),
    ...addresses.map((address, i) => contactOf('address', address, `addresses[${i}]`)),
  ];
}

const SHAPES = {
  phone: { property: 'phoneNumber', types: PHONE_TYPES, disables: true },
  email: { property: 'email', types: undefined, disables: false },
  address: { property: 'address', types: ADDRESS_TYPES, disables: false },
} as const;

function contactOf(kind: ContactKind, given: unknown, place: string): Contact {
  const { property, types, disables } = SHAPES[kind];
  const element = requiredRecord(given, place);
  const value = requiredText(element[property], `${place}.${property}`);
  const type = types ? oneOf(element.type, `${place}.type`, types) : null;
  const active = optionalBoolean(element.active, `${place}.active`, true);
  const disabled = disables && optionalBoolean(element.disabled, `${place}.disabled`, false);
  return { kind, value, key: contactKey(kind, value), type, active, disabled };
}
