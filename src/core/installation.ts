import type { PermittedHours } from './hours.js';

export const FIELD_TYPES = ['Number', 'TextField', 'ComboBox', 'StatusField'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** One custom card field of an installation. */
export interface CardField {
  readonly type: FieldType;
  /** Whether the field is a synchronization identifier. @default false */
  readonly sync: boolean;
  /** Whether a client must have it; synchronization identifiers always must. @default false */
  readonly required: boolean;
  /** The values that a ComboBox or StatusField allows; absent: any. */
  readonly values?: readonly string[] | undefined;
}

/** What the contact center's owners permit. Absent: not limited. */
export interface Limits {
  readonly clientsPerRequest?: number | undefined;
  /** Size of a request body in bytes. */
  readonly requestBytes?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly requestsPerSecond?: number | undefined;
  readonly clientsPerSecond?: number | undefined;
  /** The time of every day in which requests are permitted. */
  readonly hours?: PermittedHours | undefined;
}

/** How to reach the contact center, beyond its address. */
export interface Transport {
  /** PEM file of an own certificate authority. */
  readonly caFile?: string | undefined;
  /** PEM files of a client certificate and its key. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Address of an HTTP or HTTPS proxy. */
  readonly proxy?: string | undefined;
  /** Total time for one request, in milliseconds. @default 60000 */
  readonly timeoutMs: number;
  /**
   * Time after which the contact center surely no longer works on a request, in milliseconds, from the moment at which
   * its answer was lost: what may not be done twice is not sent again before. @default 60000, or timeoutMs if that is more
   */
  readonly serverDeadlineMs?: number | undefined;
  /** Largest response body that is accepted, in bytes. @default 67108864 */
  readonly responseBytes: number;
}

export const RECOVERY_PLACES = ['body', 'query', 'client'] as const;

/**
 * How a contact center is asked to restore the card of a deleted client that is added again: the interface names the
 * parameter `recovery` (4.1) and does not show its place or type.
 */
export interface Recovery {
  /** Beside `clients` in the body, in the query, or in each client. */
  readonly in: (typeof RECOVERY_PLACES)[number];
  readonly name: string;
  readonly value: string | number | boolean;
}

/** What holds where an installation does not say, and what the sandbox takes. */
export const DEFAULT_RECOVERY: Recovery = { in: 'body', name: 'recovery', value: true };

/** One contact center. */
export interface Installation {
  readonly name: string;
  /** Address without a trailing slash; paths of the interface are appended. */
  readonly baseUrl: string;
  /** Header values may hold `${NAME}`, replaced from the environment when a client is made, never before. */
  readonly headers: Readonly<Record<string, string>>;
  readonly card: Readonly<Record<string, CardField>>;
  readonly clientRoles?: readonly number[] | undefined;
  readonly limits: Limits;
  readonly transport: Transport;
  /** @default DEFAULT_RECOVERY */
  readonly recovery?: Recovery | undefined;
  readonly sandbox: { readonly blacklist: readonly string[] };
  /** Path of the ledger in which the runs on this contact center are kept. @default the caller's */
  readonly ledger?: string | undefined;
}

/** Names of the synchronization identifiers, in the order of the card configuration. */
export function syncFields(card: Installation['card']): string[] {
  return Object.entries(card)
    .filter(([, field]) => field.sync)
    .map(([name]) => name);
}
