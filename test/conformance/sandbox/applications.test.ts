import Database from 'better-sqlite3';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callback, client, CLIENTS, startWorld, type World } from './harness.js';

interface Criterion {
  readonly key: string;
  readonly operator: string;
  readonly value: unknown;
}

const FILTER = '/api/v1/tacs/campaigns/1/applications/by/filter/remove.do';

/** Clients 1 to 3 in campaigns 1 and 2; the statuses are those that calls would have left behind. */
async function filterWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const database = join(folder, 'sandbox.db');
  const world = await startWorld({ database });
  await world.addClients(
    client(1, {
      fields: { offerId: 1, fullName: 'Анна 100%', segment: 'cold', stage: 'new', score: 15 },
      phones: [
        { phoneNumber: '79160000001', type: 'MOB' },
        { phoneNumber: '84950000009', type: 'WORK' },
      ],
    }),
    client(2, { fields: { offerId: 2, fullName: 'Борис', segment: 'warm', score: 5 } }),
    client(3, { fields: { offerId: 3, fullName: 'анна*' } }),
  );
  await world.haveCampaign();
  await world.haveCampaign();
  await world.enqueue(1, 1, 2, 3);
  await world.enqueue(2, 1, 2, 3);
  await world.call('POST', '/api/v1/callbacks/exec.do?type=tm', callback());
  const db = new Database(database);
  db.exec(`UPDATE applications SET status = 'FAILED', ccproject_call_status = 'BUSY' WHERE client_id = 2;
           UPDATE applications SET client_call_status = 'NO_ANSWER' WHERE client_id = 3`);
  db.close();
  return world;
}

async function remaining(world: World, campaignId: number): Promise<number[]> {
  const left: number[] = [];
  for (const offerId of [1, 2, 3]) {
    const all = await world.applications(offerId);
    if (all.some((one) => one.telemarketCampaignId === campaignId)) left.push(offerId);
  }
  return left;
}

const by = (key: string, operator: string, value: unknown): Criterion => ({ key, operator, value });

/** Criteria, and the clients whose applications stay. */
const FILTERS: readonly [Criterion[], number[]][] = [
  [[by('application.status', '=', 'FAILED')], [1, 3]],
  [[by('application.status', 'LIKE', 'FAILED')], [1, 3]],
  [[by('application.status', 'NOT LIKE', 'FAILED')], [2]],
  [[by('application.status', '=', 'SUCCESS')], [1, 2, 3]],
  [[by('application.ccprojectCallStatus', '=', 'BUSY')], [1, 3]],
  [[by('application.ccprojectCallStatus', 'NOT LIKE', 'BUSY')], [2]],
  [[by('ts.clientCallStatus', '=', 'NO_ANSWER')], [1, 2]],
  [[by('ts.clientCallStatus', 'LIKE', 'BUSY')], [1, 2, 3]],
  [[by('application.hasRecall', '=', 'true')], [2, 3]],
  [[by('application.hasRecall', '=', true)], [2, 3]],
  [[by('application.hasRecall', '=', 'false')], [1]],
  [[by('application.hasRecall', 'NOT LIKE', 'true')], [1]],
  [[by('phones.phoneNumber', '=', '84950000009')], [2, 3]],
  [[by('phones.phoneNumber', '=', '8495')], [1, 2, 3]],
  [[by('phones.phoneNumber', 'LIKE', '8495')], [2, 3]],
  [[by('phones.phoneNumber', 'LIKE', '7916%')], []],
  [[by('phones.phoneNumber', 'NOT LIKE', '8495')], [1]],
  [[by('id', '=', 2)], [1, 3]],
  [[by('id', 'NOT LIKE', 2)], [2]],
  [[by('offerId', '=', 2)], [1, 3]],
  [[by('offerId', '=', '2')], [1, 3]],
  [[by('score', 'LIKE', '5')], [3]],
  [[by('score', '=', 5)], [1, 3]],
  [[by('fullName', '=', 'Борис')], [1, 3]],
  [[by('fullName', 'LIKE', 'нна')], [2]],
  [[by('fullName', 'LIKE', 'Анна')], [2, 3]],
  [[by('fullName', 'LIKE', '*')], [1, 2]],
  [[by('fullName', 'LIKE', '%ори%')], [1, 3]],
  [[by('fullName', 'NOT LIKE', 'нна')], [1, 3]],
  [[by('segment', '=', 'cold')], [2, 3]],
  [[by('segment', 'NOT LIKE', 'cold')], [1]],
  [[by('stage', '=', 'new')], [2, 3]],
  [[by('note', '=', 'x')], [1, 2, 3]],
  [
    [by('segment', '=', 'cold'), by('application.status', '=', 'FAILED')],
    [1, 2, 3],
  ],
  [
    [by('segment', '=', 'warm'), by('application.status', '=', 'FAILED')],
    [1, 3],
  ],
];

describe('removal by filters', () => {
  it.each(FILTERS)('%j leaves %j', async (criteria, left) => {
    const world = await filterWorld();
    const answer = await world.call('PUT', FILTER, { criteria });
    expect({ status: answer.status, body: answer.json }).toEqual({ status: 200, body: 'OK' });
    expect(await remaining(world, 1)).toEqual(left);
    expect(await remaining(world, 2)).toEqual([1, 2, 3]);
  });

  it.each([
    [by('nope', '=', 1), 'Filter key [nope] is not known.'],
    [by('toString', '=', 1), 'Filter key [toString] is not known.'],
    [
      by('application.status', '=', 'DONE'),
      'Filter value of [application.status] must be one of NONE, STARTED, FAILED, SUCCESS, EXPIRED, BLOCKED, CANCEL, ERROR, INVALID.',
    ],
    [
      by('application.hasRecall', '=', 'yes'),
      'Filter value of [application.hasRecall] must be one of true, false.',
    ],
    [by('offerId', '=', 'x'), 'Filter value of [offerId] must be a number.'],
    [
      by('offerId', '<', 1),
      'Field [criteria.0.operator]: Invalid option: expected one of "LIKE"|"NOT LIKE"|"=".',
    ],
    [{ key: 'offerId', operator: '=' }, 'Field [criteria.0.value] is required.'],
  ])('refuses %j and removes nothing', async (criterion, errorMessage) => {
    const world = await filterWorld();
    const answer = await world.call('PUT', FILTER, { criteria: [by('id', '=', 1), criterion] });
    const fault = errorMessage.replace('criteria.0', 'criteria.1');
    expect({ status: answer.status, body: answer.json }).toEqual({
      status: 400,
      body: { errorMessage: fault },
    });
    expect(await remaining(world, 1)).toEqual([1, 2, 3]);
  });

  it('needs criteria', async () => {
    const world = await filterWorld();
    const { json } = await world.call('PUT', FILTER, {});
    expect(json).toEqual({ errorMessage: 'Field [criteria] is required.' });
  });
});

describe('call applications', () => {
  const add = (world: World, campaignId: number, offerIds: number[], changes: object) =>
    world.call('POST', `/api/v1/tacs/campaigns/${campaignId}/exec.do`, {
      maxCallCount: 1,
      clients: offerIds.map((offerId) => ({ clientIdentifiers: { offerId } })),
      ...changes,
    });
  const samePhone = (offerId: number) =>
    client(offerId, {
      phones: [{ phoneNumber: offerId === 1 ? '+7 916 111' : '7916111', type: 'MOB' }],
    });

  it.each([
    [{ disableDuplicatePhonesValidation: false }, ['Client already exists']],
    [{ disableDuplicatePhonesValidation: true }, []],
    [{}, []],
  ])('with a phone that another client of the campaign has: %j', async (changes, messages) => {
    const world = await startWorld();
    await world.addClients(samePhone(1), samePhone(2), client(3));
    await world.haveCampaign();
    const { json } = await add(world, 1, [1, 2, 3], changes);
    const errors = json.errors ?? [];
    expect(errors.map(({ errorMessage }) => errorMessage)).toEqual(messages);
    expect(await world.applications(2)).toHaveLength(1 - messages.length);
    expect(await world.applications(3)).toHaveLength(1);
  });

  it('may share phones between campaigns, and with a deleted client', async () => {
    const world = await startWorld();
    await world.addClients(samePhone(1), samePhone(2));
    await world.haveCampaign();
    await world.haveCampaign();
    const checked = { disableDuplicatePhonesValidation: false };
    await add(world, 1, [1], checked);
    expect((await add(world, 2, [2], checked)).json).toEqual({});
    await world.call('DELETE', CLIENTS, { syncIdentifiers: { offerId: 1 } });
    expect((await add(world, 1, [2], checked)).json).toEqual({});
  });

  it('are listed across campaigns, and call the first active phone', async () => {
    const world = await startWorld();
    await world.haveClients(1);
    await world.haveCampaign();
    await world.haveCampaign();
    await world.enqueue(1, 1);
    await add(world, 2, [1], { maxCallCount: 9 });
    const clientSyncIdentifiers = { offerId: 1 };
    await world.call('POST', '/api/v1/clients/phones/exec.do', {
      clientSyncIdentifiers,
      phoneNumber: '555',
      type: 'HOME',
    });
    expect(await world.applications(1)).toMatchObject([
      { telemarketCampaignId: 1, maxCallCount: 3, nextPhoneNumber: '79160000001' },
      { telemarketCampaignId: 2, maxCallCount: 9, nextPhoneNumber: '79160000001' },
    ]);
    await world.call('PUT', '/api/v1/clients/phones/statuses/exec.do', {
      clientSyncIdentifiers,
      phoneNumber: '79160000001',
      active: false,
    });
    expect(await world.applications(1)).toMatchObject([
      { nextPhoneNumber: '555' },
      { nextPhoneNumber: '555' },
    ]);
  });

  it('of a deleted client cannot be added', async () => {
    const world = await startWorld();
    await world.haveClients(1);
    await world.haveCampaign();
    await world.call('DELETE', CLIENTS, { syncIdentifiers: { offerId: 1 } });
    const { json } = await world.enqueue(1, 1);
    expect(json.errors).toEqual([
      { clientIdentifiers: { offerId: 1 }, errorMessage: 'No such client' },
    ]);
  });
});
