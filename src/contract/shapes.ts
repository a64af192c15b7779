import { z } from 'zod';
import {
  ADDRESS_TYPES,
  CLIENT_TYPES,
  PHONE_TYPES,
  TIME_ZONE_LENGTH,
  type Client,
} from '../core/client.js';

/** Shapes that several operations share: sections 2.1 to 2.3 and 7 of interface.md. */

const notBlank = (text: string): boolean => text.trim() !== '';

/** Text that must not be blank. */
export const filledText = z.string().refine(notBlank, 'must not be blank');

export const identifierValue = z.union([filledText, z.int()]);

/** Synchronization identifiers: field name to value, at least one (2.1). */
export const syncIdentifiers = z
  .record(z.string(), identifierValue)
  .refine((value) => Object.keys(value).length > 0, 'must name at least one identifier field')
  .describe('Synchronization identifiers: the fields marked Sync in the card configuration.');

export const phoneType = z.enum(PHONE_TYPES);
export const addressType = z.enum(ADDRESS_TYPES);

export const phone = z.object({
  phoneNumber: filledText.describe('Phone number.'),
  type: phoneType,
  active: z.boolean().optional().describe('Default true.'),
  disabled: z.boolean().optional().describe('Marks the phone as normalized. Default false.'),
});

export const address = z.object({
  address: filledText.describe('Address text.'),
  type: addressType,
  active: z.boolean().optional().describe('Default true.'),
});

export const email = z.object({
  email: filledText.describe('E-mail address.'),
  active: z.boolean().optional().describe('Default true.'),
});

export const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const cardFields = z.record(z.string(), fieldValue);

/** A client to create (2.2). */
export const client = z.object({
  uuid: filledText.describe('Unique within one request; correlates the result with the client.'),
  clientRoleId: z.int().describe('Role of the client; the roles depend on the installation.'),
  type: z.enum(CLIENT_TYPES),
  timeZone: filledText
    .max(TIME_ZONE_LENGTH)
    .describe(`Client time zone, up to ${TIME_ZONE_LENGTH} characters.`),
  fields: cardFields.describe('Custom card fields.'),
  phones: z.array(phone).min(1).describe('One or more phones.'),
  addresses: z.array(address).describe('[] when there are none.'),
  emails: z.array(email).describe('[] when there are none.'),
}) satisfies z.ZodType<Client>;

export const APPLICATION_STATUSES = [
  'NONE',
  'STARTED',
  'FAILED',
  'SUCCESS',
  'EXPIRED',
  'BLOCKED',
  'CANCEL',
  'ERROR',
  'INVALID',
] as const;

/** A call application (2.3). Fields that the interface does not show are kept. */
export const callApplication = z.looseObject({
  id: z.int(),
  telemarketCampaignId: z.int(),
  maxCallCount: z.int().nullish(),
  calledCount: z.int().nullish(),
  status: z.string(),
  lastCall: z.int().nullish().describe('Timestamp of the last call.'),
  nextCall: z.int().nullish().describe('Timestamp of the next call.'),
  nextPhoneNumber: z.string().nullish(),
  hasRecall: z.boolean().nullish(),
});

/** Failure of a whole request (7). */
export const errorMessageBody = z.looseObject({ errorMessage: z.string() });

/** Failure of single clients of 4.9 (7). */
export const errorsBody = z.looseObject({
  errors: z.array(
    z.looseObject({
      clientIdentifiers: z.record(z.string(), z.unknown()),
      errorMessage: z.string(),
    }),
  ),
});

/** Error texts that the interface shows (7). The sandbox answers with these, word for word. */
export const MESSAGES = {
  noClient: (identifiers: string) => `No clients with identifiers: [${identifiers}]`,
  noCampaign: (campaignId: number | string) => `TelemarketCampaign ${campaignId} not found`,
  identifiersMissing: "Client doesn't have all syncronize identifier fields.",
  fieldRequired: (field: string) => `Field [${field}] is required.`,
  alreadyInCampaign: 'Client already exists',
  blacklisted: 'Client is in blacklist',
  noSuchClient: 'No such client',
  callAtNotInFuture: 'callAt must be in future',
  callbackClientAbsent: 'Client not found in campaign',
  callbackCampaignUnknown: 'Campaign not found',
} as const;

/** What `result` holds when a client was created (4.1). */
export const SUCCESS = 'Success';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One operation of the contact center's interface, as data. */
export interface Operation {
  /** Section of interface.md. */
  readonly section: string;
  readonly summary: string;
  readonly tag: 'Clients' | 'Call applications' | 'Campaigns' | 'Groups' | 'Callbacks';
  readonly method: Method;
  /** Path below the base URL, with `{name}` for path parameters. */
  readonly path: string;
  /** Path parameters. */
  readonly params?: z.ZodObject;
  /** Query parameters that the caller gives. */
  readonly query?: z.ZodObject | z.ZodRecord;
  /** Query parameters that never change, such as `type=tm`. */
  readonly fixedQuery?: Readonly<Record<string, string>>;
  readonly body?: z.ZodType;
  /**
   * HTTP status of success.
   * @default 200
   */
  readonly status?: 200 | 201;
  /** Body of success; absent: an acknowledgement whose form the interface does not show. */
  readonly response?: z.ZodType;
  /**
   * How it reports failure (interface.md 7). 4.1 reports per-client failure inside its success.
   * @default 'errorMessage'
   */
  readonly failure?: 'errorMessage' | 'errors';
  /** Error messages that the interface names for this operation, if any. `<…>` stands for a value. */
  readonly messages?: readonly string[];
}
