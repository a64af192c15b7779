import { describe, expect, it } from 'vitest';
import { CAMPAIGN_FIELDS } from '../../../src/contract/campaigns.js';
import { CAMPAIGN, refusal, startWorld, type World } from './world.js';

const GIVEN = {
  name: 'Everything set',
  callingMode: 'PREVIOUS_PREVIEW_NEW',
  ...{ automaticStart: true, startDate: '2026-04-01', endDate: '2026-04-30' },
  ...{ startTime: '09:00', endTime: '18:30', weekendsStartTime: '10:00', weekendsEndTime: '16:00' },
  vindicationProcessingType: 'PRE_VINDICATION',
  ...{ notResponceTime: 31, lossPercentage: 4, workingTime: 11, callToOperatorTime: 32 },
  description: 'Leads',
  ...{ lifoApplicationsProcessing: true, multiplePhones: true, queueScenarioId: 12 },
  ...{ previewTimeout: 13, allowAutoAnswer: true, dynamicRouting: true },
  ...{ dialOnlyActivePhoneNumbers: true, clientsBlockedPhoneNumbersSupport: true, endless: true },
  ...{ limitTimeCalls: true, startCallsTime: '09:30', endCallsTime: '20:00' },
  ...{ disableLimitForFirstCall: true, dayNightModeEnabled: true },
};

describe('campaigns', () => {
  it('are listed with defaults filled in and null for what is unset', async () => {
    const world = await startWorld();
    await world.haveCampaign();
    const unset = Object.fromEntries(CAMPAIGN_FIELDS.map((name) => [name, null]));
    expect(await world.campaigns()).toEqual([
      {
        ...{ ...unset, ...CAMPAIGN, id: 1, ccProjectId: null, smsMessage: null },
        ...{ automaticStart: false, vindicationProcessingType: 'NONE', notResponceTime: 30 },
        ...{ lossPercentage: 3, workingTime: 10, callToOperatorTime: 30, multiplePhones: false },
        ...{ lifoApplicationsProcessing: false, dialOnlyActivePhoneNumbers: false },
        ...{ clientsBlockedPhoneNumbersSupport: false, disableLimitForFirstCall: false },
        dayNightModeEnabled: false,
      },
    ]);
  });

  it.each<[string, object, object?]>([
    ['with every field', GIVEN],
    ['of SMS', { typeProcessing: 'SMS', callingMode: undefined, smsProviderId: 3 }],
    ['of IVR', { typeProcessing: 'IVR', callingMode: undefined, ivrScenarioId: 4 }],
    ['of a predicting mode', { callingMode: 'PREDICTIVE_NEW' }],
    ['of the other vindication', { vindicationProcessingType: 'VINDICATION' }],
    ['of some days', { weekDays: 'Mon,Tue,Sun' }, { weekDays: ['Mon', 'Tue', 'Sun'] }],
    ['of days with blanks', { weekDays: 'Mon, Wed' }, { weekDays: ['Mon', 'Wed'] }],
    ['of one day', { weekDays: 'Sat' }, { weekDays: ['Sat'] }],
  ])('are listed as they were given: %s', async (_what, given, listed = given) => {
    const world = await startWorld();
    await world.haveCampaign(given);
    const unset = 'callingMode' in given && given.callingMode === undefined;
    expect(await world.campaigns()).toMatchObject([
      { ...listed, ...(unset && { callingMode: null }) },
    ]);
  });

  it('are listed in pages that join, in the order of their ids', async () => {
    const world = await startWorld();
    for (let i = 0; i < 5; i += 1) await world.center.createCampaign({ body: CAMPAIGN });
    const ids = async (limit: number, offset?: number) =>
      (await world.campaigns(limit, offset)).map(({ id }) => id);
    expect(await ids(2)).toEqual([1, 2]);
    expect(await ids(2, 2)).toEqual([3, 4]);
    expect(await ids(2, 4)).toEqual([5]);
    expect(await ids(2, 5)).toEqual([]);
    await world.center.deleteCampaign({ params: { campaignId: 5 } });
    await world.haveCampaign();
    expect(await ids(100)).toEqual([1, 2, 3, 4, 6]);
  });

  it('keep what is listed of them when they are started, stopped and restarted', async () => {
    const world = await startWorld();
    const params = { campaignId: await world.haveCampaign() };
    const before = await world.campaigns();
    await world.center.startCampaign({ params });
    await world.center.stopCampaign({ params });
    await world.center.restartCampaign({ params });
    expect(await world.campaigns()).toEqual(before);
  });

  it('have tasks of their own, for one group after the other, that go with them', async () => {
    const world = await startWorld();
    const [one, other] = [await world.haveCampaign(), await world.haveCampaign()];
    const task = async (campaignId: number) =>
      (await world.center.campaignTask({ params: { campaignId } })).taskId;
    const taskId = await task(one);
    expect(await task(one)).toBe(taskId);
    expect(await task(other)).not.toBe(taskId);
    for (const [groupId, taskPriority] of [
      [4, 1],
      [4, 9],
      [5, 1],
    ] as const)
      await assign(world, { groupId, taskId }, taskPriority);
    await world.center.deleteCampaign({ params: { campaignId: one } });
    expect(await refusal(task(one))).toBe(`TelemarketCampaign ${one} not found`);
    expect(await refusal(assign(world, { groupId: 4, taskId }))).toBe(
      `TelemarketCampaign ${taskId} not found`,
    );
  });
});

function assign(world: World, params: { groupId: number; taskId: number }, taskPriority = 1) {
  const body = { taskPriority, userSelectionMode: 'BY_PRIORITY', previewTimeout: 5 } as const;
  return world.center.assignTask({ params, body });
}
