import type { AddressType, Client, FieldValue, PhoneType } from './client/card.js';
import type { MappedClient } from './client/mapped-client.js';
import type { Mode } from './mode.js';

/** A row of mode `update`: what is changed and added. At least one of the four holds something. */
export interface UpdatePayload {
  /** Fields with a new value, without the synchronization identifiers. */
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly phones: readonly { readonly phoneNumber: string; readonly type: PhoneType }[];
  readonly emails: readonly { readonly email: string }[];
  readonly addresses: readonly { readonly address: string; readonly type: AddressType }[];
}

/** A row of mode `dequeue`. */
export interface DequeuePayload {
  /** Whether callbacks go with the call application (interface.md 4.10). */
  readonly cancelCallbacks: boolean;
}

/** A row of mode `contacts`: the status that each contact gets. There is at least one. */
export interface ContactsPayload {
  readonly phones: readonly { readonly phoneNumber: string; readonly active: boolean }[];
  readonly emails: readonly { readonly email: string; readonly active: boolean }[];
  readonly addresses: readonly { readonly address: string; readonly active: boolean }[];
}

/** A row of mode `callbacks`: a callback (interface.md 2.5) without its client and its campaign. */
export interface CallbackPayload {
  readonly name: string;
  readonly description: string;
  readonly phone: string;
  readonly operatorId: number;
  /** ISO 8601 with seconds and offset, such as `2026-11-21T10:00:00+03:00`. */
  readonly callAt: string;
  readonly callAutomatically: boolean;
}

/** A row of mode `rekey`; the identifiers beside it are the new ones. */
export interface RekeyPayload {
  /** Internal id of the client, 1 or more. */
  readonly clientId: number;
}

/** What a row becomes in each mode, beside its uuid and its synchronization identifiers. */
export interface Payloads {
  readonly create: Client;
  readonly upsert: Client;
  readonly update: UpdatePayload;
  readonly enqueue: EmptyPayload;
  readonly dequeue: DequeuePayload;
  readonly contacts: ContactsPayload;
  readonly callbacks: CallbackPayload;
  readonly rekey: RekeyPayload;
  readonly delete: EmptyPayload;
}

/** The identifiers say it all. */
export type EmptyPayload = Readonly<Record<string, never>>;

/** What a row of any mode becomes. */
export type Payload = Payloads[Mode];

/** The same, as a row becomes it. */
export type MappedPayload = MappedClient | Exclude<Payload, Client>;
