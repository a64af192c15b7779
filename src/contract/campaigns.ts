import { z } from 'zod';
import { listedCampaign, newCampaign } from './campaign.js';
import type { Operation } from './operation.js';

/** Sections 4.13 to 4.19: TM campaigns and their tasks. */

const CAMPAIGN_PATH = '/api/v1/telemarketing/campaigns/{campaignId}';
const params = z.object({ campaignId: z.int().describe('TM campaign id.') });
const NO_CAMPAIGN = 'TelemarketCampaign <campaignId> not found';

export const SELECTION_MODES = ['BY_ROUND', 'BY_PRIORITY', 'LONGEST_AVAILABLE'] as const;
/** Largest `limit` of 4.19 (interface.md 8). */
export const CAMPAIGN_PAGE = 100;

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
