import type { AddressType, Client, FieldValue, PhoneType } from './client/card.js';
import type { MappedClient } from './client/mapped-client.js';

/**
 * What is done with every row of an import.
 * - `create`: the client is created (interface.md 4.1), and added to the campaign when there is one (4.9).
 * - `upsert`: the same; where the client exists, its fields are changed (4.2) and its contacts added.
 * - `update`: fields are changed (4.2), missing contacts added (4.3, 4.5, 4.6a).
 * - `enqueue`: the client is added to the campaign (4.9).
 * - `dequeue`: its call application is removed from the campaign (4.10).
 * - `contacts`: statuses of its phones, e-mail addresses and addresses are changed (4.4, 4.6, 4.6b).
 * - `callbacks`: a callback is created for it (4.20).
 * - `rekey`: its synchronization identifiers are changed, by the internal id (4.6c).
 * - `delete`: it is deleted (4.7).
 */
export const MODES = [
  'create',
  'upsert',
  'update',
  'enqueue',
  'dequeue',
  'contacts',
  'callbacks',
  'rekey',
  'delete',
] as const;

export type Mode = (typeof MODES)[number];

/** What a run does: the mode of an import, the undoing of an earlier run, or a comparison that changes nothing. */
export type RunMode = Mode | 'undo' | 'reconcile';

/** Modes in which clients that exist are changed. */
export const CHANGING_MODES: ReadonlySet<string> = new Set<RunMode>([
  'upsert',
  'update',
  'dequeue',
  'contacts',
  'callbacks',
  'rekey',
  'delete',
  'undo',
]);

/** Modes that add clients to the campaign, where there is one. */
export const ENQUEUING_MODES: ReadonlySet<string> = new Set<Mode>(['create', 'upsert', 'enqueue']);

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
