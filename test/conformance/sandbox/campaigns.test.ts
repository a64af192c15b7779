import { describe, expect, it } from 'vitest';
import { CAMPAIGN_FIELDS } from '../../../src/contract/operations.js';
import { CAMPAIGN, refusal, startWorld, type World } from './world.js';

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
