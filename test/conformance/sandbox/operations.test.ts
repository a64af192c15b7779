import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/contract/shapes.js';
import { operations } from '../../../src/contract/operations.js';
import { applicationCases } from './cases-applications.js';
import { campaignCases } from './cases-campaigns.js';
import { clientCases } from './cases-clients.js';
import { campaign, fails, ids, tacs } from './cases.js';
import { BLACKLISTED, callback, client, startWorld, type World } from './harness.js';

const cases = [...clientCases, ...applicationCases, ...campaignCases];

const recall = (world: World, changes = {}) =>
  world.call('POST', '/api/v1/callbacks/exec.do?type=tm', callback(changes));

async function prepared(): Promise<World> {
  const world = await startWorld();
  await world.addClients(
    client(1, {
      type: 'VIP',
      emails: [{ email: 'a@example.org' }],
      addresses: [{ address: 'Here', type: 'WORK' }],
    }),
    client(2),
    client(3, { phones: [{ phoneNumber: BLACKLISTED, type: 'HOME' }] }),
  );
  await world.haveCampaign();
  await world.enqueue(1, 1);
  return world;
}

describe('each operation', () => {
  it.each(cases)('$section $title', async ({ before, request, status, body }) => {
    const world = await prepared();
    await before?.(world);
    const answer = await world.call(...request);
    const isJson = answer.headers.get('content-type')?.includes('json');
    expect({ status: answer.status, body: isJson ? answer.json : answer.text }).toEqual({
      status,
      body,
    });
  });

  it('is covered above, with every error text that the interface names for it', () => {
    for (const operation of Object.values(operations) as Operation[]) {
      const own = cases.filter(
        ({ section, request: [method] }) =>
          section === operation.section && method === operation.method,
      );
      const pattern = (text: string) =>
        new RegExp(text.replace(/[[\].'()]/g, '\\$&').replace(/<\w+>/g, '.+'));
      expect(
        own.some(({ status }) => status === (operation.status ?? 200)),
        operation.summary,
      ).toBe(true);
      for (const message of operation.messages ?? []) {
        const told = own.some(({ body }) => pattern(message).test(JSON.stringify(body)));
        expect(told, `${operation.section}: ${message}`).toBe(true);
      }
    }
  });
});

describe('callbacks', () => {
  const remove = (world: World, cancelCallbacks: boolean) =>
    world.call('PUT', tacs(1, 'applications/by/syncId/remove.do'), {
      clientIdentifiers: ids(1),
      cancelCallbacks,
    });

  it.each([true, false])('set hasRecall (automatic: %s)', async (callAutomatically) => {
    const world = await prepared();
    await recall(world, { callAutomatically });
    expect(await world.applications(1)).toMatchObject([{ hasRecall: true }]);
  });

  it.each([
    { cancelCallbacks: true, callAutomatically: true, hasRecall: false },
    { cancelCallbacks: true, callAutomatically: false, hasRecall: false },
    { cancelCallbacks: false, callAutomatically: true, hasRecall: true },
    { cancelCallbacks: false, callAutomatically: false, hasRecall: true },
  ])('outlive their application only when kept: %o', async (given) => {
    const world = await prepared();
    await recall(world, { callAutomatically: given.callAutomatically });
    expect((await remove(world, given.cancelCallbacks)).status).toBe(200);
    expect(await world.applications(1)).toEqual([]);
    await world.enqueue(1, 1);
    expect(await world.applications(1)).toMatchObject([{ hasRecall: given.hasRecall }]);
  });

  it('go with their campaign', async () => {
    const world = await prepared();
    await recall(world);
    await world.call('DELETE', campaign(1, 'remove.do'));
    expect(await world.applications(1)).toEqual([]);
    await world.haveCampaign();
    expect((await recall(world)).json).toEqual(fails('Campaign not found'));
    await world.enqueue(2, 1);
    expect(await world.applications(1)).toMatchObject([
      { telemarketCampaignId: 2, hasRecall: false },
    ]);
  });
});
