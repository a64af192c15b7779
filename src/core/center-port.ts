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
export interface FoundClient {
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
