import { describe, expect, it } from 'vitest';
import { aNumber, expectOk, expectRefusal, useCenter } from './center.js';
import {
  applicationsOf,
  enqueued,
  type Fields,
  fresh,
  listed,
  made,
  madeCampaign,
  newIdentifiers,
  operatorCampaign,
  paths,
} from './made.js';

const center = useCenter();
const post = (campaign: Fields) => center.send('POST', paths.campaigns, campaign);

describe('4.13 creates campaigns', () => {
  it('fills in defaults, and null for the rest', async () => {
    const campaign = await madeCampaign(center, { name: 'plain' });
    expect(campaign).toMatchObject({
      name: 'plain',
      typeProcessing: 'OPERATOR',
      callingMode: 'PROGRESSIVE_NEW',
      callingSearchSpaceId: 7,
      callStatusRuleProcessorId: 8,
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
    const unset =
      'smsProviderId ivrScenarioId startDate endDate startTime endTime weekendsStartTime ' +
      'weekendsEndTime weekDays description queueScenarioId previewTimeout allowAutoAnswer ' +
      'dynamicRouting endless limitTimeCalls startCallsTime endCallsTime smsMessage';
    for (const name of unset.split(' ')) expect(campaign, name).toHaveProperty(name, null);
    expect(Number.isInteger(campaign.id)).toBe(true);
    expect(campaign).toHaveProperty('ccProjectId');
  });

  it('gives back every field as it was sent', async () => {
    const sent = {
      name: `full ${fresh()}`,
      callingMode: 'PREVIOUS_PREVIEW_NEW',
      automaticStart: true,
      startDate: '2030-01-02',
      endDate: '2030-02-03',
      startTime: '09:00',
      endTime: '18:30',
      weekendsStartTime: '10:00',
      weekendsEndTime: '16:00',
      vindicationProcessingType: 'PRE_VINDICATION',
      notResponceTime: 31,
      lossPercentage: 4,
      workingTime: 11,
      callToOperatorTime: 32,
      description: 'Everything set',
      lifoApplicationsProcessing: true,
      multiplePhones: true,
      queueScenarioId: 12,
      previewTimeout: 13,
      allowAutoAnswer: true,
      dynamicRouting: true,
      dialOnlyActivePhoneNumbers: true,
      clientsBlockedPhoneNumbersSupport: true,
      endless: true,
      limitTimeCalls: true,
      startCallsTime: '09:30',
      endCallsTime: '20:00',
      disableLimitForFirstCall: true,
      dayNightModeEnabled: true,
    };
    expect(await madeCampaign(center, sent)).toMatchObject(sent);
  });

  it.each<[string, Fields]>([
    ['SMS', { typeProcessing: 'SMS', callingMode: undefined, smsProviderId: 3 }],
    ['IVR', { typeProcessing: 'IVR', callingMode: undefined, ivrScenarioId: 4 }],
    ['PREDICTIVE_NEW', { callingMode: 'PREDICTIVE_NEW' }],
    ['PREVIOUS_PREVIEW_NEW', { callingMode: 'PREVIOUS_PREVIEW_NEW' }],
    ['VINDICATION', { vindicationProcessingType: 'VINDICATION' }],
  ])('takes %s', async (_what, changes) => {
    const expected =
      'callingMode' in changes
        ? { ...changes, callingMode: changes['callingMode'] ?? null }
        : changes;
    expect(await madeCampaign(center, changes)).toMatchObject(expected);
  });

  it.each([
    ['Mon,Tue,Sun', ['Mon', 'Tue', 'Sun']],
    ['Mon, Wed', ['Mon', 'Wed']],
    ['Sat', ['Sat']],
  ])('lists the days %j as an array', async (weekDays, expected) => {
    expect(await madeCampaign(center, { weekDays })).toMatchObject({ weekDays: expected });
  });

  it.each<[string, Fields]>([
    ['no name', { name: undefined }],
    ['a number as name', { name: 5 }],
    ['no typeProcessing', { typeProcessing: undefined }],
    ['an unknown typeProcessing', { typeProcessing: 'MAIL' }],
    ['OPERATOR without callingMode', { callingMode: undefined }],
    ['an unknown callingMode', { callingMode: 'PROGRESSIVE' }],
    ['SMS without smsProviderId', { typeProcessing: 'SMS', callingMode: undefined }],
    ['IVR without ivrScenarioId', { typeProcessing: 'IVR', callingMode: undefined }],
    ['no callingSearchSpaceId', { callingSearchSpaceId: undefined }],
    ['callingSearchSpaceId as text', { callingSearchSpaceId: 'seven' }],
    ['no callStatusRuleProcessorId', { callStatusRuleProcessorId: undefined }],
    ['automaticStart without startDate', { automaticStart: true }],
    ['automaticStart as text', { automaticStart: 'soon' }],
    ['a date of another form', { startDate: '02.01.2030' }],
    ['a day that is none', { startDate: '2030-02-30' }],
    ['a time of another form', { startTime: '9 am' }],
    ['a time that is none', { endTime: '25:00' }],
    ['an unknown day', { weekDays: 'Mon,Someday' }],
    ['an unknown vindication', { vindicationProcessingType: 'SOFT' }],
    ['seconds as text', { workingTime: 'ten' }],
    ['a flag as text', { endless: 'yes' }],
    ['a call window without times', { endless: true, limitTimeCalls: true }],
    ['a call window without end', { endless: true, limitTimeCalls: true, startCallsTime: '09:00' }],
  ])('refuses %s', async (what, changes) => {
    const campaign = operatorCampaign({ name: `refused: ${what}`, ...changes });
    expectRefusal(await post(campaign));
    expect((await listed(center)).map(({ name }) => name)).not.toContain(campaign['name']);
  });
});

describe('4.14 deletes a campaign', () => {
  const remove = (id: number | string) =>
    center.send('DELETE', `/api/v1/telemarketing/campaigns/${id}/remove.do`);

  it('which is unknown from then on', async () => {
    const { id } = await madeCampaign(center);
    expectOk(await remove(id));
    expect((await listed(center)).map((one) => one.id)).not.toContain(id);
    expectRefusal(await center.send('GET', paths.taskId(id)), `TelemarketCampaign ${id} not found`);
    expectRefusal(await remove(id), `TelemarketCampaign ${id} not found`);
  });

  it('together with its applications', async () => {
    const client = newIdentifiers();
    await made(center, client);
    const { id } = await madeCampaign(center);
    await enqueued(center, id, [client]);
    expectOk(await remove(id));
    expect(await applicationsOf(center, client)).toEqual([]);
  });

  it('and says when there is none', async () => {
    expectRefusal(await remove(999_999), 'TelemarketCampaign 999999 not found');
    expectRefusal(await remove('abc'));
  });
});

describe('4.15 and 4.16 start, stop and restart', () => {
  it('in turn', async () => {
    const { id } = await madeCampaign(center);
    const started = await center.send('POST', paths.campaign(id));
    expect(started.status).toBe(201);
    expect(started.text.replaceAll('"', '').trim()).toBe('Created');
    expectOk(await center.send('DELETE', paths.campaign(id)));
    expectOk(await center.send('PUT', paths.campaign(id)));
    expectOk(await center.send('DELETE', paths.campaign(id)));
  });

  it.each(['POST', 'PUT', 'DELETE'])('%s takes an empty object too', async (method) => {
    const { id } = await madeCampaign(center);
    expect((await center.send(method, paths.campaign(id), {})).status).toBeLessThan(300);
  });

  it.each(['POST', 'PUT', 'DELETE'])('%s refuses a campaign that is none', async (method) => {
    expectRefusal(await center.send(method, paths.campaign(999_999)));
    expectRefusal(await center.send(method, paths.campaign('abc')));
  });

  it('keeps the fields that 4.19 lists', async () => {
    const before = await madeCampaign(center);
    await center.send('POST', paths.campaign(before.id));
    const after = (await listed(center)).find(({ id }) => id === before.id);
    expect(after).toMatchObject({ name: before.name, automaticStart: false });
  });
});

describe('4.17 and 4.18 give the task of a campaign to a group', () => {
  const assign = (group: number | string, task: number | string, changes: Fields = {}) =>
    center.send('POST', `/api/v1/groups/${group}/tasks/${task}/exec.do`, {
      taskPriority: 1,
      userSelectionMode: 'BY_ROUND',
      previewTimeout: 20,
      ...changes,
    });
  const taskOf = async () => {
    const { id } = await madeCampaign(center);
    const { status, body } = await center.send('GET', paths.taskId(id));
    expect(status).toBe(200);
    return (body as { taskId: number }).taskId;
  };

  it('answers an integer, the same each time, another for each campaign', async () => {
    const { id } = await madeCampaign(center);
    const first = await center.send('GET', paths.taskId(id));
    expect(first.body).toEqual({ taskId: aNumber });
    expect((await center.send('GET', paths.taskId(id))).body).toEqual(first.body);
    expect((first.body as { taskId: number }).taskId).not.toBe(await taskOf());
  });

  it('says that the campaign is none', async () => {
    const answer = await center.send('GET', paths.taskId(999_999));
    expectRefusal(answer, 'TelemarketCampaign 999999 not found');
    expectRefusal(await center.send('GET', paths.taskId('abc')));
  });

  it.each(['BY_ROUND', 'BY_PRIORITY', 'LONGEST_AVAILABLE'])('assigns %s', async (mode) => {
    expectOk(await assign(4, await taskOf(), { userSelectionMode: mode }));
  });

  it('assigns a task once more, and to a second group', async () => {
    const task = await taskOf();
    expectOk(await assign(4, task));
    expectOk(await assign(4, task, { taskPriority: 9 }));
    expectOk(await assign(5, task));
  });

  it('says that the task is none', async () => {
    expectRefusal(await assign(4, 999_999), /^TelemarketCampaign 999999 not found$/);
  });

  it.each<[string, Fields]>([
    ['no priority', { taskPriority: undefined }],
    ['priority as text', { taskPriority: 'high' }],
    ['no mode', { userSelectionMode: undefined }],
    ['an unknown mode', { userSelectionMode: 'RANDOM' }],
    ['no preview time', { previewTimeout: undefined }],
    ['preview time broken', { previewTimeout: 1.5 }],
  ])('refuses %s', async (_what, changes) => {
    expectRefusal(await assign(4, await taskOf(), changes));
  });

  it('refuses ids that are no integers', async () => {
    const task = await taskOf();
    expectRefusal(await assign('abc', task));
    expectRefusal(await assign(4, 'abc'));
  });
});
