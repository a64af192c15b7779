import { describe, expect, it } from 'vitest';
import { CAMPAIGN_FIELDS } from '../../../src/contract/campaigns.js';
import { CAMPAIGN, CAMPAIGNS, startWorld, type World } from './harness.js';

const list = async (world: World, query = 'limit=100') =>
  (await world.list(`/api/v1/telemarketing/campaigns.do?${query}`)) as { readonly id: number }[];

describe('campaigns', () => {
  it('are listed with defaults filled in and null for what is unset', async () => {
    const world = await startWorld();
    await world.haveCampaign();
    const [listed] = await list(world);
    const unset = Object.fromEntries(CAMPAIGN_FIELDS.map((name) => [name, null]));
    expect(listed).toEqual({
      ...unset,
      ...CAMPAIGN,
      id: 1,
      ccProjectId: null,
      smsMessage: null,
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
    });
  });

  it('are listed as they were given', async () => {
    const world = await startWorld();
    const given = {
      ...CAMPAIGN,
      automaticStart: true,
      startDate: '2026-04-01',
      endDate: '2026-04-30',
      startTime: '09:00',
      notResponceTime: 45,
      limitTimeCalls: true,
      startCallsTime: '10:00',
      endCallsTime: '19:30',
      endless: true,
      description: 'Leads',
    };
    await world.call('POST', CAMPAIGNS, { ...given, weekDays: 'Mon,Wed,Sun' });
    expect(await list(world)).toMatchObject([{ ...given, weekDays: ['Mon', 'Wed', 'Sun'] }]);
  });

  it('are listed in pages, in the order of their ids', async () => {
    const world = await startWorld();
    for (let i = 0; i < 5; i += 1) await world.haveCampaign();
    const ids = async (query: string) => (await list(world, query)).map(({ id }) => id);
    expect(await ids('limit=2')).toEqual([1, 2]);
    expect(await ids('limit=2&offset=2')).toEqual([3, 4]);
    expect(await ids('limit=2&offset=4')).toEqual([5]);
    await world.call('DELETE', '/api/v1/telemarketing/campaigns/5/remove.do');
    await world.haveCampaign();
    expect(await ids('limit=100')).toEqual([1, 2, 3, 4, 6]);
  });

  it.each([
    [{ typeProcessing: undefined }, 'typeProcessing'],
    [{ typeProcessing: 'FAX' }, 'typeProcessing'],
    [{ callingMode: undefined }, 'callingMode'],
    [{ callingMode: 'MANUAL' }, 'callingMode'],
    [{ typeProcessing: 'SMS' }, 'smsProviderId'],
    [{ typeProcessing: 'IVR' }, 'ivrScenarioId'],
    [{ callStatusRuleProcessorId: 'x' }, 'callStatusRuleProcessorId'],
    [{ automaticStart: true }, 'startDate'],
    [{ limitTimeCalls: true, endCallsTime: '10:00' }, 'startCallsTime'],
    [{ limitTimeCalls: true, startCallsTime: '10:00' }, 'endCallsTime'],
    [{ startDate: '2026-02-30' }, 'startDate'],
    [{ startDate: '01.02.2026' }, 'startDate'],
    [{ startTime: '25:00' }, 'startTime'],
    [{ weekDays: 'Mon,Funday' }, 'weekDays'],
    [{ vindicationProcessingType: 'SOME' }, 'vindicationProcessingType'],
    [{ workingTime: 1.5 }, 'workingTime'],
    [{ endless: 'yes' }, 'endless'],
  ])('are refused with %j, naming %s', async (changes, field) => {
    const world = await startWorld();
    const { status, json } = await world.call('POST', CAMPAIGNS, { ...CAMPAIGN, ...changes });
    expect(status).toBe(400);
    expect(json.errorMessage).toContain(`Field [${field}]`);
    expect(await list(world)).toEqual([]);
  });

  it.each(['limit=0', 'limit=', 'limit=-1', 'limit=1.5', 'limit=1&offset=-1', 'limit=1&limit=2'])(
    'are listed by sane limits only: %s',
    async (query) => {
      const world = await startWorld();
      await world.haveCampaign();
      const answer = await list(world, query);
      if (query === 'limit=0') expect(answer).toEqual([]);
      else expect(answer).toHaveProperty('errorMessage');
    },
  );

  it('have tasks of their own, that go with them', async () => {
    const world = await startWorld();
    await world.haveCampaign();
    await world.haveCampaign();
    const task = async (id: number) =>
      (await world.call('GET', `/api/v1/telemarketing/campaigns/${id}/taskId.json`)).json.taskId;
    const taskId = await task(1);
    expect(await task(1)).toBe(taskId);
    expect(await task(2)).not.toBe(taskId);
    await world.call('DELETE', '/api/v1/telemarketing/campaigns/1/remove.do');
    const { json } = await world.call('POST', `/api/v1/groups/1/tasks/${taskId}/exec.do`, {
      taskPriority: 1,
      userSelectionMode: 'BY_PRIORITY',
      previewTimeout: 5,
    });
    expect(json).toEqual({ errorMessage: `TelemarketCampaign ${taskId} not found` });
  });
});
