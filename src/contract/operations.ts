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

const applicationOperations = {
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

const callbackOperations = {
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

/** Sections 4.13 to 4.19: TM campaigns and their tasks. */

const CAMPAIGN_PATH = '/api/v1/telemarketing/campaigns/{campaignId}';
const params = z.object({ campaignId });
const NO_CAMPAIGN = 'TelemarketCampaign <campaignId> not found';

const SELECTION_MODES = ['BY_ROUND', 'BY_PRIORITY', 'LONGEST_AVAILABLE'] as const;
/** Largest `limit` of 4.19 (interface.md 8). */
export const CAMPAIGN_PAGE = 100;

const timeOfDay = (text: string) => time.nullish().describe(text);

const number = (text: string) => z.int().nullish().describe(text);

const flag = (text: string) => z.boolean().nullish().describe(text);

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like HH:MM');

const isDate = (text: string): boolean => {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date like YYYY-MM-DD')
  .refine(isDate, 'is not a date of the calendar');

const VINDICATION_TYPES = ['NONE', 'PRE_VINDICATION', 'VINDICATION'] as const;

const optionalFields = {
  automaticStart: flag('Default false. When true, startDate is required.'),
  startDate: day.nullish().describe('Date like YYYY-MM-DD; required when automaticStart is true.'),
  endDate: day.nullish().describe('Date like YYYY-MM-DD.'),
  startTime: timeOfDay('Daily start on weekdays, HH:MM.'),
  endTime: timeOfDay('Daily stop on weekdays, HH:MM.'),
  weekendsStartTime: timeOfDay('Start on weekends, HH:MM.'),
  weekendsEndTime: timeOfDay('Stop on weekends, HH:MM.'),
  vindicationProcessingType: z.enum(VINDICATION_TYPES).nullish().describe('Default NONE.'),
  notResponceTime: number('Seconds to ring the client. Default 30.'),
  lossPercentage: number('Allowed abandoned-call rate, percent. Default 3.'),
  workingTime: number('After-call work duration, seconds. Default 10.'),
  callToOperatorTime: number('Seconds to ring the operator. Default 30.'),
  description: z.string().nullish().describe('Description.'),
  lifoApplicationsProcessing: flag('Last added application is processed first. Default false.'),
  multiplePhones: flag('IVR and SMS: numbers run simultaneously or in sequence. Default false.'),
  queueScenarioId: number('Call scenario id.'),
  previewTimeout: number('Card preview time, seconds; only for the preview calling mode.'),
  allowAutoAnswer: flag('Auto-answer on the agent side; only for progressive mode.'),
  dynamicRouting: flag('Dynamic call routing.'),
  dialOnlyActivePhoneNumbers: flag('Call only active numbers. Default false.'),
  clientsBlockedPhoneNumbersSupport: flag('Allow search for normalized numbers. Default false.'),
  endless: flag('The campaign waits for new applications after the last.'),
  limitTimeCalls: flag('Call window in the client time zone; only in endless mode.'),
  startCallsTime: timeOfDay('Window start, HH:MM; required when limitTimeCalls is true.'),
  endCallsTime: timeOfDay('Window end, HH:MM; required when limitTimeCalls is true.'),
  disableLimitForFirstCall: flag('Default false.'),
  dayNightModeEnabled: flag('Default false.'),
};

/** A campaign as it is listed (4.19). Anything but id and name may be null or new to us. */
export const listedCampaign = z.looseObject({
  id: z.int(),
  name: z.string(),
  ccProjectId: z.int().nullish(),
  smsMessage: z.string().nullish(),
  typeProcessing: z.string().nullish(),
  callingMode: z.string().nullish(),
  smsProviderId: z.int().nullish(),
  ivrScenarioId: z.int().nullish(),
  callingSearchSpaceId: z.int().nullish(),
  callStatusRuleProcessorId: z.int().nullish(),
  weekDays: z.array(z.string()).nullish(),
  ...Object.fromEntries(
    Object.keys(optionalFields).map((field) => [field, z.unknown().optional()]),
  ),
});

const WEEK_DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

const weekDays = z
  .string()
  .refine(
    (text) =>
      weekDaysOf(text).length > 0 &&
      weekDaysOf(text).every((name) => (WEEK_DAYS as readonly string[]).includes(name)),
    `must be day names of ${WEEK_DAYS.join(', ')} with commas between`,
  );

const CALLING_MODES = ['PROGRESSIVE_NEW', 'PREDICTIVE_NEW', 'PREVIOUS_PREVIEW_NEW'] as const;

/** Fields of a TM campaign: section 2.4 of interface.md. */

const PROCESSING_TYPES = ['OPERATOR', 'SMS', 'IVR'] as const;

/** A campaign to create, by the rules of 2.4 (4.13). */
export const newCampaign = z
  .object({
    name: filledText.describe('Campaign name.'),
    typeProcessing: z.enum(PROCESSING_TYPES),
    callingMode: z
      .enum(CALLING_MODES)
      .nullish()
      .describe('Required when typeProcessing is OPERATOR.'),
    smsProviderId: number('Required when typeProcessing is SMS.'),
    ivrScenarioId: number('Required when typeProcessing is IVR.'),
    callingSearchSpaceId: z.int().describe('Calling search space id.'),
    callStatusRuleProcessorId: z.int().describe('Processor id for unsuccessful attempts.'),
    weekDays: weekDays.nullish().describe('Days of the campaign, such as Mon,Tue,Wed.'),
    ...optionalFields,
  })
  .superRefine((campaign, context) => {
    for (const { field, reason } of missingFields(campaign))
      context.addIssue({ code: 'custom', path: [field], message: reason });
  });

/** Fields that others make necessary: what they have to be for it, and the message when it is missing. */
const NEEDED = [
  ['callingMode', 'typeProcessing', 'OPERATOR'],
  ['smsProviderId', 'typeProcessing', 'SMS'],
  ['ivrScenarioId', 'typeProcessing', 'IVR'],
  ['startDate', 'automaticStart', true],
  ['startCallsTime', 'limitTimeCalls', true],
  ['endCallsTime', 'limitTimeCalls', true],
] as const;

const campaignOperations = {
  createCampaign: {
    section: '4.13',
    summary: 'Create a TM campaign',
    tag: 'Campaigns',
    method: 'POST',
    path: '/api/v1/telemarketing/campaigns/progress.do',
    body: newCampaign,
  },
  deleteCampaign: {
    section: '4.14',
    summary: 'Delete a TM campaign',
    tag: 'Campaigns',
    method: 'DELETE',
    path: `${CAMPAIGN_PATH}/remove.do`,
    params,
    messages: [NO_CAMPAIGN],
  },
  startCampaign: {
    section: '4.15',
    summary: 'Start a TM campaign',
    tag: 'Campaigns',
    method: 'POST',
    path: `${CAMPAIGN_PATH}/progress.do`,
    params,
    status: 201,
  },
  stopCampaign: {
    section: '4.16',
    summary: 'Stop a TM campaign',
    tag: 'Campaigns',
    method: 'DELETE',
    path: `${CAMPAIGN_PATH}/progress.do`,
    params,
  },
  restartCampaign: {
    section: '4.16',
    summary: 'Restart a TM campaign',
    tag: 'Campaigns',
    method: 'PUT',
    path: `${CAMPAIGN_PATH}/progress.do`,
    params,
  },
  campaignTask: {
    section: '4.17',
    summary: 'Get the taskId of a campaign',
    tag: 'Campaigns',
    method: 'GET',
    path: `${CAMPAIGN_PATH}/taskId.json`,
    params,
    response: z.looseObject({ taskId: z.int() }),
    messages: [NO_CAMPAIGN],
  },
  assignTask: {
    section: '4.18',
    summary: 'Add a task to an agent group',
    tag: 'Groups',
    method: 'POST',
    path: '/api/v1/groups/{groupId}/tasks/{taskId}/exec.do',
    params: z.object({
      groupId: z.int().describe('Agent group id.'),
      taskId: z.int().describe('Task id, obtained by 4.17.'),
    }),
    body: z.object({
      taskPriority: z.int().describe('A higher priority is processed sooner.'),
      userSelectionMode: z.enum(SELECTION_MODES),
      previewTimeout: z
        .int()
        .describe('Time given to a lower-priority task when a higher-priority one arrives.'),
    }),
    messages: [NO_CAMPAIGN],
  },
  listCampaigns: {
    section: '4.19',
    summary: 'List TM campaigns',
    tag: 'Campaigns',
    method: 'GET',
    path: '/api/v1/telemarketing/campaigns.do',
    query: z.object({
      limit: z.int().min(0).max(CAMPAIGN_PAGE).describe(`Maximum ${CAMPAIGN_PAGE}.`),
      offset: z.int().min(0).optional(),
    }),
    response: z.array(listedCampaign),
  },
} as const satisfies Record<string, Operation>;

/** Splits the request's form of `weekDays`: day names with commas or blanks between. */
export function weekDaysOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== '');
}

/** The fields that a campaign lacks and that its other fields make necessary. It need not be a whole campaign. */
export function missingFields(
  campaign: Readonly<Record<string, unknown>>,
): { readonly field: string; readonly reason: string }[] {
  return NEEDED.filter(
    ([field, cause, value]) => campaign[cause] === value && (campaign[field] ?? null) === null,
  ).map(([field, cause, value]) => ({
    field,
    reason: `is required when ${cause} is ${String(value)}`,
  }));
}

/** What an unset field becomes on creation (2.4). Fields without a default stay null. */
export const CAMPAIGN_DEFAULTS = {
  automaticStart: false,
  vindicationProcessingType: 'NONE',
  notResponceTime: 30,
  lossPercentage: 3,
  workingTime: 10,
  callToOperatorTime: 30,
  lifoApplicationsProcessing: false,
  multiplePhones: false,
  dialOnlyActivePhoneNumbers: false,
  clientsBlockedPhoneNumbersSupport: false,
  disableLimitForFirstCall: false,
  dayNightModeEnabled: false,
} as const;

/** Names of all fields of a campaign that creation accepts. */
export const CAMPAIGN_FIELDS = Object.keys(newCampaign.shape) as (keyof typeof newCampaign.shape)[];

const active = z.boolean().describe('true: active; false: inactive.');

const clientSyncIdentifiers = syncIdentifiers;

/** Sections 4.1 to 4.8: clients and their contact data. */

const NO_CLIENT = 'No clients with identifiers: [<identifiers>]';

const clientOperations = {
  addClients: {
    section: '4.1',
    summary: 'Add clients',
    tag: 'Clients',
    method: 'POST',
    path: '/api/v1/clients/exec.do',
    body: z.object({
      clients: z.array(client),
      recovery: z
        .boolean()
        .optional()
        .describe(
          'Restores the card of a deleted client that is added again. The interface shows neither its place nor its type.',
        ),
    }),
    status: 201,
    response: z.looseObject({
      createResult: z.array(
        z.looseObject({
          uuid: z.string(),
          result: z.string().describe('Success, or why this client was refused.'),
          createdClientId: z.int().optional().describe('Internal client id; on success alone.'),
        }),
      ),
    }),
    messages: [
      "Client doesn't have all syncronize identifier fields.",
      'Field [<field_name>] is required.',
    ],
  },
  changeClient: {
    section: '4.2',
    summary: 'Change client data',
    tag: 'Clients',
    method: 'PUT',
    path: '/api/v1/clients/exec.do',
    body: z.object({
      syncIdentifiers,
      fieldsToUpdate: cardFields.describe('Custom card fields to change.'),
    }),
    messages: [NO_CLIENT],
  },
  addPhone: {
    section: '4.3',
    summary: 'Add a phone to a client card',
    tag: 'Clients',
    method: 'POST',
    path: '/api/v1/clients/phones/exec.do',
    body: z.object({ clientSyncIdentifiers, phoneNumber: filledText, type: phoneType }),
    messages: [NO_CLIENT],
  },
  setPhoneStatus: {
    section: '4.4',
    summary: 'Change the status of a phone',
    tag: 'Clients',
    method: 'PUT',
    path: '/api/v1/clients/phones/statuses/exec.do',
    body: z.object({ clientSyncIdentifiers, phoneNumber: filledText, active }),
    messages: [NO_CLIENT],
  },
  addEmail: {
    section: '4.5',
    summary: 'Add an e-mail address to a client card',
    tag: 'Clients',
    method: 'POST',
    path: '/api/v1/clients/emails/exec.do',
    body: z.object({ clientSyncIdentifiers, emailAddress: filledText }),
    messages: [NO_CLIENT],
  },
  setEmailStatus: {
    section: '4.6',
    summary: 'Change the status of an e-mail address',
    tag: 'Clients',
    method: 'PUT',
    path: '/api/v1/clients/emails/statuses/exec.do',
    body: z.object({ clientSyncIdentifiers, emailAddress: filledText, active }),
    messages: [NO_CLIENT],
  },
  addAddress: {
    section: '4.6a',
    summary: 'Add an address to a client card',
    tag: 'Clients',
    method: 'POST',
    path: '/api/v1/clients/addresses/exec.do',
    body: z.object({ clientSyncIdentifiers, clientAddress: filledText, type: addressType }),
    messages: [NO_CLIENT],
  },
  setAddressStatus: {
    section: '4.6b',
    summary: 'Change the status of an address',
    tag: 'Clients',
    method: 'PUT',
    path: '/api/v1/clients/addresses/statuses/exec.do',
    body: z.object({ clientSyncIdentifiers, clientAddress: filledText, active }),
    messages: [NO_CLIENT],
  },
  changeSyncIdentifiers: {
    section: '4.6c',
    summary: 'Change synchronized fields by internal id',
    tag: 'Clients',
    method: 'PUT',
    path: '/api/v1/clients/{clientId}/syncIdentifiers/exec.do',
    params: z.object({ clientId: z.int().describe('Internal client id.') }),
    body: z.object({ clientSyncIdentifiers }),
  },
  deleteClient: {
    section: '4.7',
    summary: 'Delete a client',
    tag: 'Clients',
    method: 'DELETE',
    path: '/api/v1/clients/exec.do',
    body: z.object({ syncIdentifiers }),
    messages: [NO_CLIENT],
  },
  readClient: {
    section: '4.8',
    summary: 'Read a client card by synchronization identifiers',
    tag: 'Clients',
    method: 'POST',
    path: '/api/v1/clients/by/syncIds.json',
    body: z.object({ clientSyncIdentifiers }),
    response: z.looseObject({
      clientFieldsToValues: z
        .looseObject({ id: z.int().optional().describe('Internal client id.') })
        .describe('Card field name to value; the fields depend on the card configuration.'),
    }),
    messages: [NO_CLIENT],
  },
} as const satisfies Record<string, Operation>;

/** The whole interface: 24 operations, in the order of interface.md. Everything else is derived from it. */
export const operations = {
  ...clientOperations,
  ...applicationOperations,
  ...campaignOperations,
  ...callbackOperations,
} as const satisfies Record<string, Operation>;

type Operations = typeof operations;
export type OperationName = keyof Operations;

type Part<O, K extends string> =
  O extends Record<K, infer S extends z.ZodType> ? Record<K, z.input<S>> : unknown;

/** What a caller gives to an operation: its path parameters, query and body, as far as it has them. */
export type OperationInput<N extends OperationName> = Part<Operations[N], 'params'> &
  Part<Operations[N], 'query'> &
  Part<Operations[N], 'body'>;

/** What an operation resolves with; `undefined` where the interface shows no form of the acknowledgement. */
export type OperationOutput<N extends OperationName> = Operations[N] extends {
  response: infer R extends z.ZodType;
}
  ? z.output<R>
  : undefined;
