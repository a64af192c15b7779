import { CAMPAIGN_DEFAULTS, CAMPAIGN_FIELDS, weekDaysOf } from '../../contract/campaign.js';
import { MESSAGES } from '../../contract/shapes.js';
import { needCampaign, type Context } from '../context.js';
import type { HandlerInput, Handlers } from '../handler.js';
import { notFound } from '../refusal.js';
import type { CampaignState, StoredCampaign } from '../store/campaigns.js';

/** A task's id is its campaign's, set apart so that the one is never taken for the other unnoticed. */
const TASK_OFFSET = 1_000_000;

type CampaignOperation =
  | 'createCampaign'
  | 'deleteCampaign'
  | 'startCampaign'
  | 'stopCampaign'
  | 'restartCampaign'
  | 'campaignTask'
  | 'assignTask'
  | 'listCampaigns';

/** 4.13 to 4.19: campaigns and their tasks. */
export function campaignHandlers(context: Context): Pick<Handlers, CampaignOperation> {
  const { campaigns } = context.store;
  const goTo = (campaignId: number, state: CampaignState): undefined => {
    needCampaign(context, campaignId);
    campaigns.setState(campaignId, state);
  };
  return {
    createCampaign: ({ body }) => {
      campaigns.add(body);
      return undefined;
    },
    deleteCampaign: ({ params: { campaignId } }) => {
      needCampaign(context, campaignId);
      campaigns.remove(campaignId);
      return undefined;
    },
    startCampaign: ({ params }) => goTo(params.campaignId, 'STARTED'),
    stopCampaign: ({ params }) => goTo(params.campaignId, 'STOPPED'),
    restartCampaign: ({ params }) => goTo(params.campaignId, 'STARTED'),
    campaignTask: ({ params: { campaignId } }) => {
      needCampaign(context, campaignId);
      return { taskId: campaignId + TASK_OFFSET };
    },
    assignTask: (input) => assignTask(context, input),
    listCampaigns: ({ query }) => campaigns.page(query.limit, query.offset ?? 0).map(listed),
  };
}

function assignTask(
  { store: { campaigns } }: Context,
  { params: { groupId, taskId }, body }: HandlerInput<'assignTask'>,
): undefined {
  const campaignId = taskId - TASK_OFFSET;
  if (!campaigns.has(campaignId)) throw notFound(MESSAGES.noCampaign(taskId));
  campaigns.assign({ groupId, campaignId, ...body });
}

/** A campaign as it is listed: defaults filled in, what is unset is null (interface.md 2.4). */
function listed({ id, fields }: StoredCampaign) {
  const defaults: Readonly<Record<string, unknown>> = CAMPAIGN_DEFAULTS;
  const values = CAMPAIGN_FIELDS.map((name): [string, unknown] => [
    name,
    fields[name] ?? defaults[name] ?? null,
  ]);
  const { name, weekDays } = fields;
  return {
    ...Object.fromEntries(values),
    id,
    name: String(name),
    ccProjectId: null,
    smsMessage: null,
    weekDays: typeof weekDays === 'string' ? weekDaysOf(weekDays) : null,
  };
}
