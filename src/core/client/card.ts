import type { SyncIdentifiers } from './identifiers.js';

export const CLIENT_TYPES = ['SIMPLE', 'VIP'] as const;
export const PHONE_TYPES = ['MOB', 'HOME', 'WORK', 'FAX'] as const;
export const ADDRESS_TYPES = ['WORK', 'HOME'] as const;
/** Longest time zone that a client may have (interface.md 2.2 and 8). */
export const TIME_ZONE_LENGTH = 25;

export type ClientType = (typeof CLIENT_TYPES)[number];
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

/** A client together with what identifies it. */
export interface IdentifiedClient {
  readonly client: Client;
  readonly identifiers: SyncIdentifiers;
}
