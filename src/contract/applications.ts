import { z } from 'zod';
import {
  type Operation,
  APPLICATION_STATUSES,
  callApplication,
  errorsBody,
  identifierValue,
  syncIdentifiers,
  filledText,
} from './shapes.js';

/** Sections 4.9 to 4.12: call applications in telemarketing campaigns. */

const campaignId = z.int().describe('TM campaign id.');

export const FILTER_OPERATORS = ['LIKE', 'NOT LIKE', '='] as const;

/** Filter keys whose values are fixed (4.11). Every other key is `phones.phoneNumber` or a card field. */
export const FILTER_VALUES = {
  'application.status': APPLICATION_STATUSES,
  'application.ccprojectCallStatus': [
    'ANSWERED',
    'NO_ANSWER',
    'BUSY',
    'INVALID_NUMBER',
    'QUEUE_HANGUP',
    'INCORRECT_NUMBER',
    'LINE_UNAVAILABLE',
    'NOT_FOUND_SUITABLE_PHONE',
    'SCHEDULE_NOT_ALLOWED',
    'NO_ROUTING',
    'REJECT',
    'CHANUNAVAIL',
  ],
  'ts.clientCallStatus': [
    'ANSWERED',
    'BUSY',
    'INCORRECT_NUMBER',
    'INVALID_NUMBER',
    'LINE_UNAVAILABLE',
    'NOT_FOUND_SUITABLE_PHONE',
    'NO_ANSWER',
    'NO_ROUTING',
    'QUEUE_HANGUP',
  ],
  'application.hasRecall': ['true', 'false'],
} as const satisfies Record<string, readonly string[]>;

export const criterion = z.object({
  key: z.string().min(1).describe('Filter key, or the name of a card field.'),
  value: z.union([z.string(), z.int(), z.boolean()]).describe('What to compare with.'),
  operator: z.enum(FILTER_OPERATORS),
});

export const applicationOperations = {
  addApplications: {
    section: '4.9',
    summary: 'Add clients to a campaign as call applications',
    tag: 'Call applications',
    method: 'POST',
    path: '/api/v1/tacs/campaigns/{campaigId}/exec.do',
    params: z.object({ campaigId: campaignId }),
    body: z.object({
      maxCallCount: z.int().min(1).describe('Maximum number of calls to the client.'),
      disableDuplicatePhonesValidation: z
        .boolean()
        .optional()
        .describe('false: duplicate phone numbers are checked. Default true.'),
      clients: z.array(z.object({ clientIdentifiers: syncIdentifiers })),
    }),
    response: z.looseObject({
      errors: errorsBody.shape.errors
        .nullish()
        .describe('The clients that could not be added; absent when all were.'),
    }),
    failure: 'errors',
    messages: ['Client already exists', 'Client is in blacklist', 'No such client'],
  },
  removeApplication: {
    section: '4.10',
    summary: 'Remove a call application by client identifiers',
    tag: 'Call applications',
    method: 'PUT',
    path: '/api/v1/tacs/campaigns/{campaignId}/applications/by/syncId/remove.do',
    params: z.object({ campaignId }),
    body: z.object({
      clientIdentifiers: syncIdentifiers,
      cancelCallbacks: z
        .boolean()
        .describe('true: a manual callback is deleted with it, an automatic call goes to CANCEL.'),
    }),
  },
  removeApplications: {
    section: '4.11',
    summary: 'Remove call applications by filters',
    tag: 'Call applications',
    method: 'PUT',
    path: '/api/v1/tacs/campaigns/{campaignId}/applications/by/filter/remove.do',
    params: z.object({ campaignId }),
    body: z.object({ criteria: z.array(criterion) }),
  },
  listApplications: {
    section: '4.12',
    summary: "List a client's call applications",
    tag: 'Call applications',
    method: 'GET',
    path: '/api/v1/tacs/byClientIdentifiers.json',
    query: z.record(z.string(), identifierValue),
    response: z.array(callApplication),
    messages: ['No clients with identifiers: [<identifiers>]'],
  },
} as const satisfies Record<string, Operation>;

/** Section 4.20: TM callbacks, with the fields of 2.5. */

export const callback = z.object({
  name: filledText.describe('Callback name.'),
  description: z.string().describe('Description.'),
  clientIdentifiers: syncIdentifiers,
  phone: filledText.describe('Client phone for the callback.'),
  campaignId: z.int().describe('TM campaign.'),
  operatorId: z.int().describe('Operator who receives the callback.'),
  callAt: z.iso
    .datetime({ offset: true })
    .describe('Moment of the callback, ISO 8601 with time-zone offset; must lie in the future.'),
  callAutomatically: z
    .boolean()
    .describe('true: starts by itself; false: the operator is reminded.'),
});

export const callbackOperations = {
  createCallback: {
    section: '4.20',
    summary: 'Create a TM callback',
    tag: 'Callbacks',
    method: 'POST',
    path: '/api/v1/callbacks/exec.do',
    fixedQuery: { type: 'tm' },
    body: callback,
    response: callback.partial().loose(),
    messages: ['callAt must be in future', 'Client not found in campaign', 'Campaign not found'],
  },
} as const satisfies Record<string, Operation>;
