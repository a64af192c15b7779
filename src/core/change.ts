import type { FieldValue } from './client/card.js';

/** Operations that change one client or what belongs to it (interface.md 4.2 to 4.7, 4.10, 4.20). */
export type ChangeOperation =
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
