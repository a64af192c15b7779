import type { FieldValue } from './client.js';

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
