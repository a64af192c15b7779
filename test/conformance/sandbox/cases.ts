import type { Method, World } from './harness.js';

/** One request to a sandbox with clients 1 to 3, campaign 1, and client 1 in it. */
export interface Case {
  readonly section: string;
  readonly title: string;
  readonly before?: (world: World) => Promise<unknown>;
  readonly request: readonly [Method, string, unknown?];
  readonly status: number;
  /** The whole JSON body; a string that does not begin with a quote is plain text. */
  readonly body: unknown;
}

export const ids = (offerId: number | string) => ({ offerId });
export const fails = (errorMessage: string) => ({ errorMessage });
export const tacs = (id: number, rest: string) => `/api/v1/tacs/campaigns/${id}/${rest}`;
export const campaign = (id: number, rest: string) =>
  `/api/v1/telemarketing/campaigns/${id}/${rest}`;

export const NO_CLIENT = fails('No clients with identifiers: [offerId=9]');
export const INCOMPLETE = fails("Client doesn't have all syncronize identifier fields.");
export const NO_CAMPAIGN = fails('TelemarketCampaign 7 not found');
