import {
  ADDRESS_TYPES,
  CLIENT_TYPES,
  PHONE_TYPES,
  TIME_ZONE_LENGTH,
  identityOf,
  type EnqueueError,
} from '../core/client.js';
import { MESSAGES } from '../contract/operations.js';
import { syncFields, type CardField, type Installation } from '../installation/installation.js';
import { isRecord } from '../core/text.js';

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
  const clientRoleId = requiredInteger(given.clientRoleId, 'clientRoleId');
  if (clientRoles && !clientRoles.includes(clientRoleId))
    throw invalid(`Field [clientRoleId] must be one of ${clientRoles.join(', ')}.`);
  const type = oneOf(given.type, 'type', CLIENT_TYPES);
  const timeZone = requiredText(given.timeZone, 'timeZone');
  if (timeZone.length > TIME_ZONE_LENGTH)
    throw invalid(`Field [timeZone] must have at most ${TIME_ZONE_LENGTH} characters.`);
  const own = requiredRecord(given.fields, 'fields');
  const contacts = contactsOf(given);
  card.needIdentifiers(own);
  card.needMandatory(own);
  const fields = card.values(own);
  return { identity: card.identity(fields), clientRoleId, type, timeZone, fields, contacts };
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

export type ContactKind = 'phone' | 'email' | 'address';

/** What makes two phones, e-mails or addresses the same: a phone's digits, an e-mail without case, an address's text. */
export function contactKey(kind: ContactKind, value: string): string {
  const text = value.trim();
  if (kind === 'phone') return text.replace(/\D/g, '') || text;
  return kind === 'email' ? text.toLowerCase() : text;
}

export type CardValues = Record<string, CardValue>;

/** The card configuration of the installation, ready to validate and identify clients. */
export class Card {
  /** Field names in the order of the configuration. */
  readonly names: readonly string[];
  readonly syncNames: readonly string[];
  readonly #fields: ReadonlyMap<string, CardField>;
  readonly #requiredNames: readonly string[];

  constructor(card: Installation['card']) {
    this.names = Object.keys(card);
    this.syncNames = syncFields(card);
    this.#fields = new Map(Object.entries(card));
    this.#requiredNames = this.names.filter((name) => card[name]?.required && !card[name].sync);
  }

  field(name: string): CardField | undefined {
    return this.#fields.get(name);
  }

  /** Values in the form in which they are kept. @throws Refusal for an unknown field or a value that does not fit. */
  values(given: Readonly<Record<string, unknown>>): CardValues {
    const values: CardValues = {};
    for (const [name, value] of Object.entries(given)) {
      const field = this.#fields.get(name);
      if (!field) throw invalid(`Field [${name}] is not in the card configuration.`);
      values[name] = cardValue(name, field, value);
    }
    return values;
  }

  /** @throws Refusal unless every synchronization identifier is there and not blank (interface.md 2.1). */
  needIdentifiers(given: Readonly<Record<string, unknown>>): void {
    if (this.syncNames.some((name) => isBlank(ownValue(given, name)))) {
      throw invalid(MESSAGES.identifiersMissing);
    }
  }

  /** @throws Refusal unless every mandatory field is there and not blank (interface.md 2.2). */
  needMandatory(given: Readonly<Record<string, unknown>>): void {
    const missing = this.#requiredNames.find((name) => isBlank(ownValue(given, name)));
    if (missing !== undefined) throw invalid(MESSAGES.fieldRequired(missing));
  }

  mustNotBeBlank(name: string): boolean {
    const field = this.#fields.get(name);
    return field !== undefined && (field.required || field.sync);
  }

  /** One text for a client's identifiers, the same whether a number came as number or as text. */
  identity(given: Readonly<Record<string, unknown>>): string {
    const kept = this.syncNames.map((name): [string, unknown] => {
      const value = ownValue(given, name);
      const isNumber = this.#fields.get(name)?.type === 'Number';
      return [name, isNumber ? (exactNumber(value) ?? value) : value];
    });
    return identityOf(Object.fromEntries(kept), this.syncNames);
  }

  /** Identifiers for a message: `name=value, name2=value2`, in the order of the configuration. */
  describe(given: Readonly<Record<string, unknown>>): string {
    return this.syncNames.map((name) => `${name}=${String(ownValue(given, name))}`).join(', ');
  }
}

function ownValue(given: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}

/** Value of a card field as it is kept: numbers for Number fields, text for the others; `null` when unset. */
type CardValue = string | number | null;

const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/**
 * A given value in the form in which it is kept. A number may come as text (`"42"`), since query parameters always do,
 * and text may come as a number; a blank value unsets the field.
 * @throws Refusal when the value does not fit the field's type or is not among its values.
 */
function cardValue(name: string, field: CardField, value: unknown): CardValue {
  if (isBlank(value)) return null;
  if (field.type !== 'Number') return textOf(name, field, value);
  const number = exactNumber(value);
  if (number === undefined) throw invalid(`Field [${name}] must be a number.`);
  return number;
}

/** The number that a value means, exactly; `undefined` when it means none. */
export function exactNumber(value: unknown): number | undefined {
  const given = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
  if (typeof given !== 'number' || !Number.isFinite(given)) return undefined;
  return Number.isInteger(given) && !Number.isSafeInteger(given) ? undefined : given;
}

function textOf(name: string, field: CardField, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw invalid(`Field [${name}] must be text.`);
  }
  const text = String(value);
  if (field.type !== 'TextField' && field.values && !field.values.includes(text)) {
    throw invalid(`Field [${name}] must be one of ${field.values.join(', ')}.`);
  }
  return text;
}

/** Checks of single values by hand: zod costs five times as much a client, and imports are tried at full speed. */

function isBlank(value: unknown): boolean {
  return (
    value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
  );
}

function required(value: unknown, name: string): unknown {
  if (isBlank(value)) throw invalid(MESSAGES.fieldRequired(name));
  return value;
}

const checked =
  <T>(isRight: (value: unknown) => value is T, what: string) =>
  (value: unknown, name: string): T => {
    const given = required(value, name);
    if (!isRight(given)) throw invalid(`Field [${name}] must be ${what}.`);
    return given;
  };

export const requiredText = checked((value) => typeof value === 'string', 'text');
const requiredInteger = checked(
  (value): value is number => Number.isSafeInteger(value),
  'an integer',
);
const requiredArray = checked(
  (value): value is readonly unknown[] => Array.isArray(value),
  'an array',
);
const requiredRecord = checked(isRecord, 'an object');

function oneOf(value: unknown, name: string, allowed: readonly string[]): string {
  const given = required(value, name);
  if (typeof given !== 'string' || !allowed.includes(given)) {
    throw invalid(`Field [${name}] must be one of ${allowed.join(', ')}.`);
  }
  return given;
}

function optionalBoolean(value: unknown, name: string, byDefault: boolean): boolean {
  if (value === undefined) return byDefault;
  if (typeof value !== 'boolean') throw invalid(`Field [${name}] must be true or false.`);
  return value;
}

/** The two bodies that an error may have (interface.md 7). */
type RefusalBody = { readonly errorMessage: string } | { readonly errors: readonly EnqueueError[] };

/**
 * A request, or one client of it, is refused. Thrown, it undoes what the request has done so far; returned by a
 * handler, what the request did for other clients stays.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: number,
    message: string,
    readonly body: RefusalBody = { errorMessage: message },
  ) {
    super(message);
  }
}

/** The request itself is wrong. */
export const invalid = (message: string): Refusal => new Refusal(400, message);
/** What the request is about does not exist. */
export const notFound = (message: string): Refusal => new Refusal(404, message);
/** Something else is in the way. */
export const conflict = (message: string): Refusal => new Refusal(409, message);
/** More than the installation's limits allow. */
export const tooLarge = (message: string): Refusal => new Refusal(413, message);
