import { operationGroup } from '../group.js';

export const campaignsCommand = operationGroup({
  name: 'campaigns',
  describe: 'Telemarketing campaigns: create, list, start, stop, delete.',
  actions: {
    create: async () => (await import('../create-campaign.js')).createCampaignCommand,
    list: {
      operation: 'listCampaigns',
      columns: ['id', 'name', 'typeProcessing', 'callingMode', 'startDate', 'endDate', 'endless'],
      note: 'All pages are asked for. JSON has every field.',
      examples: [
        ['', 'Every campaign.'],
        ['--limit 20 --json', 'Twenty, with all of their fields.'],
      ],
    },
    start: {
      operation: 'startCampaign',
      positional: ['campaignId', 'campaign'],
      examples: [['42', 'By its id.']],
    },
    stop: {
      operation: 'stopCampaign',
      positional: ['campaignId', 'campaign'],
      asks: "Dialing of the campaign's call applications stops.",
      examples: [['"Autumn leads"', 'By its name.']],
    },
    restart: {
      operation: 'restartCampaign',
      positional: ['campaignId', 'campaign'],
      asks: 'What a restart means for calls that were made already depends on the contact center.',
      examples: [['42 --yes', 'Without asking.']],
    },
    delete: {
      operation: 'deleteCampaign',
      positional: ['campaignId', 'campaign'],
      asks: 'The campaign is deleted, and the interface has no way to bring it back.',
      examples: [['42', 'Delete a campaign.']],
    },
    task: {
      operation: 'campaignTask',
      positional: ['campaignId', 'campaign'],
      examples: [['42', 'The taskId, for "groups assign".']],
    },
  },
});
