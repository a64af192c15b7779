import { z } from 'zod';
import { type Operation, filledText } from './shapes.js';

/** Sections 4.13 to 4.19: TM campaigns and their tasks. */

const CAMPAIGN_PATH = '/api/v1/telemarketing/campaigns/{campaignId}';
const params = z.object({ campaignId: z.int().describe('TM campaign id.') });
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

export const campaignOperations = {
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
