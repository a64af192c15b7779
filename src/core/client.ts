import type { Mode } from './outcome.js';

/** Synchronization identifiers of a client: field name to value (interface.md 2.1). */
export type SyncIdentifiers = Readonly<Record<string, string | number>>;

/**
 * One text for a set of identifiers, equal for equal identifiers whatever the order of their fields and whether a
 * number came as text. `names` are the synchronization fields of the installation.
 */
export function identityOf(
  identifiers: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string {
  return JSON.stringify(names.map((name) => textOf(identifiers[name])));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export const CLIENT_TYPES = ['SIMPLE', 'VIP'] as const;
export const PHONE_TYPES = ['MOB', 'HOME', 'WORK', 'FAX'] as const;
export const ADDRESS_TYPES = ['WORK', 'HOME'] as const;

/** Longest time zone that a client may have (interface.md 2.2 and 8). */
export const TIME_ZONE_LENGTH = 25;

type ClientType = (typeof CLIENT_TYPES)[number];
export type PhoneType = (typeof PHONE_TYPES)[number];
export type AddressType = (typeof ADDRESS_TYPES)[number];

/** Value of a custom card field. */
export type FieldValue = string | number | boolean | null;

export interface Phone {
  readonly phoneNumber: string;
  readonly type: PhoneType;
  readonly active?: boolean | undefined;
  readonly disabled?: boolean | undefined;
}

export interface Address {
  readonly address: string;
  readonly type: AddressType;
  readonly active?: boolean | undefined;
}

export interface Email {
  readonly email: string;
  readonly active?: boolean | undefined;
}

/** A client as it is sent to be created: element of `clients` (interface.md 2.2). */
export interface Client {
  readonly uuid: string;
  readonly clientRoleId: number;
  readonly type: ClientType;
  readonly timeZone: string;
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly phones: readonly Phone[];
  readonly addresses: readonly Address[];
  readonly emails: readonly Email[];
}

/** Shows a client from what the other modes send of a row. */
export function isClient<P extends object>(
  payload: P,
): payload is Extract<P, { readonly clientRoleId: number }> {
  return 'clientRoleId' in payload;
}

/** A client as a row becomes it; as JSON it is a `Client`. */
export interface MappedClient extends Omit<Client, 'fields'> {
  readonly fields: FieldList;
}

/**
 * Custom fields of a client: names, which all rows share, and their values, `null` where there is none. An object that
 * gets a property for each takes several times as long to make and to write, for every row of an import.
 */
export class FieldList {
  constructor(
    readonly names: readonly string[],
    readonly values: readonly (FieldValue | null)[],
  ) {}

  /** Fields that have a value, as JSON shows them. */
  toJSON(): Readonly<Record<string, FieldValue>> {
    const filled = this.names
      .map((name, place) => [name, this.values[place] ?? null] as const)
      .filter(([, value]) => value !== null);
    return Object.fromEntries(filled);
  }
}

/** What a row becomes in each mode, beside its uuid and its synchronization identifiers. */
export interface Payloads {
  readonly create: Client;
  readonly upsert: Client;
  /** What is changed and added. At least one of the four holds something. */
  readonly update: {
    /** Fields with a new value, without the synchronization identifiers. */
    readonly fields: Readonly<Record<string, FieldValue>>;
    readonly phones: readonly Pick<Phone, 'phoneNumber' | 'type'>[];
    readonly emails: readonly Pick<Email, 'email'>[];
    readonly addresses: readonly Pick<Address, 'address' | 'type'>[];
  };
  readonly enqueue: NoPayload;
  /** Whether callbacks go with the call application (interface.md 4.10). */
  readonly dequeue: { readonly cancelCallbacks: boolean };
  /** The status that each contact gets. There is at least one. */
  readonly contacts: {
    readonly phones: readonly { readonly phoneNumber: string; readonly active: boolean }[];
    readonly emails: readonly { readonly email: string; readonly active: boolean }[];
    readonly addresses: readonly { readonly address: string; readonly active: boolean }[];
  };
  /** A callback (interface.md 2.5) without its client and its campaign. */
  readonly callbacks: {
    readonly name: string;
    readonly description: string;
    readonly phone: string;
    readonly operatorId: number;
    /** ISO 8601 with seconds and offset, such as `2026-11-21T10:00:00+03:00`. */
    readonly callAt: string;
    readonly callAutomatically: boolean;
  };
  /** The internal id of the client, 1 or more; the identifiers beside it are the new ones. */
  readonly rekey: { readonly clientId: number };
  readonly delete: NoPayload;
}

/** The identifiers say it all. */
type NoPayload = Readonly<Record<string, never>>;

/** What a row of any mode becomes. */
export type Payload = Payloads[Mode];

/** The same, as a row becomes it. */
export type MappedPayload = MappedClient | Exclude<Payload, Client>;

/** What an undo has to take back of a row. */
export interface UndoPayload {
  /** Whether the run created the card. */
  readonly created?: boolean;
  /** Internal id of the card that the run made or found, where it is on record. */
  readonly clientId: number | null;
  /** Whether the run added the client to the campaign. */
  readonly enqueued?: boolean;
  /** Fields that the run changed: their value before, and the one that it wrote. */
  readonly fields?: Readonly<Record<string, readonly [before: FieldValue, written: FieldValue]>>;
  /** What cannot be taken back, for the person. */
  readonly remarks?: readonly string[];
  /** Whether a request of the run may still be carried out, of which it is not known what it did. */
  readonly isInDoubt?: boolean;
}
