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

/** Element of `createResult` (interface.md 4.1). */
export interface CreateResult {
  readonly uuid: string;
  /** `Success`, or why the client was refused. */
  readonly result: string;
  /** Internal client id; present on success alone. */
  readonly createdClientId?: number | undefined;
}

/** Element of `errors` (interface.md 4.9). */
export interface EnqueueError {
  readonly clientIdentifiers: Readonly<Record<string, unknown>>;
  readonly errorMessage: string;
}

/** What the contact center says of a client that is in the campaign already (interface.md 7). */
export const ALREADY_IN_CAMPAIGN = 'Client already exists';

/** A client card that was found, by its internal id where the answer has one. */
interface FoundClient {
  readonly id: number | null;
}

/**
 * What sending needs of the contact center. Errors are the `ContactCenterError`s of `errors.ts`. `identifiers` is the
 * JSON text of a client's synchronization identifiers.
 */
export interface CenterPort {
  /** 4.1 with a body that is JSON already. */
  addClients(body: Uint8Array, signal?: AbortSignal): Promise<readonly CreateResult[]>;
  /** 4.9 with a body that is JSON already. Resolves with the clients that could not be added. */
  addApplications(
    campaignId: number,
    body: Uint8Array,
    signal?: AbortSignal,
  ): Promise<readonly EnqueueError[]>;
  /** 4.8; `null` when no client has these identifiers. */
  findClient(identifiers: string): Promise<FoundClient | null>;
  /** 4.12: ids of the campaigns in which the client has call applications; none when there is no such client. */
  findCampaigns(identifiers: string): Promise<readonly number[]>;
}

/** Name, address and synchronization identifiers of a contact center, in the text that a run is bound to. */
const PARTS = /^(.*?)(?:^| )(another address|https?:\/\/\S*)(.*)$/is;

/**
 * What shows contact centers apart in the text that a run is bound to: the address and the synchronization identifiers.
 * The name before them is for people, and each machine may write the others in its own way.
 */
export function centerKey(installation: string): string {
  const [, , address, identifiers] = PARTS.exec(installation) ?? [];
  if (address === undefined || identifiers === undefined) return installation;
  const names = identifiers.trim().split(' ').sort();
  return [addressKey(address), ...names].join(' ');
}

/** How people call the contact center; empty where the text does not say it. */
export function centerName(installation: string): string {
  return PARTS.exec(installation)?.[1]?.trim() ?? '';
}

/**
 * What shows contact centers apart by their addresses, for which limits hold, whatever identifies clients. Hosts have no
 * case, and a port that is the usual one and slashes at the end say nothing.
 */
export function addressKey(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** Operations that change one client or what belongs to it (interface.md 4.2 to 4.7, 4.10, 4.20). */
type ChangeOperation =
  | 'changeClient'
  | 'addPhone'
  | 'setPhoneStatus'
  | 'addEmail'
  | 'setEmailStatus'
  | 'addAddress'
  | 'setAddressStatus'
  | 'changeSyncIdentifiers'
  | 'deleteClient'
  | 'removeApplication'
  | 'createCallback';

/** One request of such an operation. */
export interface Change {
  readonly operation: ChangeOperation;
  readonly params?: { readonly clientId: number } | { readonly campaignId: number };
  /** JSON text. */
  readonly body: string;
}

/** A client card as it was read (interface.md 4.8). */
export interface ClientCard {
  /** Internal id, where the answer has one. */
  readonly id: number | null;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What is of interest of a call application (interface.md 2.3). */
export interface ApplicationState {
  readonly campaignId: number;
  readonly hasRecall: boolean;
  readonly status: string | null;
  readonly calledCount: number | null;
  /** As the contact center gives it. */
  readonly nextCall: number | null;
}

/** No client has these identifiers, in the contact center's words. */
export interface AbsentClient {
  readonly absent: string;
}

export function isAbsent(found: object): found is AbsentClient {
  return 'absent' in found;
}

/**
 * How a client stood before it was changed: what an undo puts back, and what shows whether a change whose answer was
 * lost took effect.
 */
export interface Earlier {
  /** Internal id of the card. */
  readonly id?: number | null;
  /** The fields that are changed: their value before, and the one that is written. */
  readonly fields?: Readonly<Record<string, readonly [before: FieldValue, written: FieldValue]>>;
  /** Whether the card that has the identifiers is the one that is meant. */
  readonly isOwn?: boolean;
  /** Whether it has a call application in the campaign. */
  readonly inCampaign?: boolean;
  /** Whether a callback existed for its application. */
  readonly hasRecall?: boolean;
  /** What of the change is not possible, for the person. */
  readonly remark?: string;
}

/** What changing single clients needs of the contact center. `identifiers` is JSON text, as in `CenterPort`. */
export interface ClientChanges {
  /** @throws ContactCenterError */
  readonly change: (change: Change) => Promise<void>;
  /** 4.8. @throws ContactCenterError */
  readonly readCard: (identifiers: string) => Promise<ClientCard | AbsentClient>;
  /** 4.12. @throws ContactCenterError */
  readonly readApplications: (
    identifiers: string,
  ) => Promise<readonly ApplicationState[] | AbsentClient>;
}

/**
 * What a comparison says of a row.
 * - `match`: the card is there, its fields are as in the spreadsheet, and it is in the campaign, where there is one;
 * - `different`: fields of the card have other values;
 * - `missing`: there is no card;
 * - `not_in_campaign`: the card is as it should be, but has no call application in the campaign.
 */
export type Verdict = 'match' | 'different' | 'missing' | 'not_in_campaign';

/** A field that differs. */
export interface Difference {
  readonly field: string;
  /** The value that the spreadsheet gives it. */
  readonly sheet: FieldValue;
  /** The value that the card has. */
  readonly center: FieldValue;
}

/** What was found of a row in the contact center. */
export interface Inspection {
  readonly verdict: Verdict;
  /** Internal id of the card. */
  readonly clientId: number | null;
  readonly differences: readonly Difference[];
  /** The call application in the campaign; `null` when there is none, or no campaign was asked for. */
  readonly application: ApplicationState | null;
  /** What else there is to say, for the person. */
  readonly remark?: string;
}
