import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationInput } from '../../../src/contract/operations.js';
import {
  BLACKLISTED,
  client,
  mobile,
  openWorld,
  refusal,
  startWorld,
  type World,
} from './world.js';
import { tablesIn } from '../../kit/tables.js';

type Criterion = OperationInput<'removeApplications'>['body']['criteria'][number];
type Row = readonly [
  Criterion['key'],
  Criterion['operator'],
  Criterion['value'],
  readonly number[],
];
const FILTERS = tablesIn(import.meta.dirname, 'filters.yaml') as Row[];

describe('removal by filters', () => {
  let folder: string;
  let world: World;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'filters-'));
    world = await openWorld({ database: join(folder, 'sandbox.db') });
    const phones = [
      ...mobile('79160000001').phones,
      { phoneNumber: '8 (495) 000-00-09', type: 'WORK' },
    ];
    const first = { fullName: 'Анна 100%', segment: 'cold', leadStatus: 'new', budget: 15 };
    await world.have(1, { fields: first, phones });
    await world.have(2, { fields: { fullName: 'Борис', segment: 'warm', budget: 5 } });
    await world.have(3, { fields: { fullName: 'анна*' } });
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });

  /** All clients in a campaign of its own, with the statuses that calls would have left behind. */
  async function filled(): Promise<number> {
    const campaign = await world.haveCampaign();
    await world.enqueue(campaign, [1, 2, 3]);
    await world.callBack(campaign, 1);
    const db = new Database(join(folder, 'sandbox.db'));
    db.exec(`UPDATE applications SET status = 'FAILED', ccproject_call_status = 'BUSY' WHERE client_id = 2;
             UPDATE applications SET client_call_status = 'NO_ANSWER' WHERE client_id = 3`);
    db.close();
    return campaign;
  }

  async function left(campaign: number): Promise<number[]> {
    const all = await Promise.all([1, 2, 3].map((offerId) => world.applications(offerId)));
    const isThere = (at: number) => all[at]!.some((one) => one.telemarketCampaignId === campaign);
    return [1, 2, 3].filter((_, at) => isThere(at));
  }

  it.each(FILTERS)('%s %s %j leaves %j', async (key, operator, value, expected) => {
    const campaign = await filled();
    await world.filter(campaign, { key, operator, value });
    expect(await left(campaign)).toEqual(expected);
  });

  it('takes all criteria together, in the named campaign alone', async () => {
    const [campaign, other] = [await filled(), await filled()];
    const failed = { key: 'application.status', operator: '=', value: 'FAILED' } as const;
    await world.filter(campaign, { key: 'segment', operator: '=', value: 'cold' }, failed);
    expect(await left(campaign)).toEqual([1, 2, 3]);
    await world.filter(campaign, { key: 'segment', operator: '=', value: 'warm' }, failed);
    expect(await left(campaign)).toEqual([1, 3]);
    expect(await left(other)).toEqual([1, 2, 3]);
  });
});

describe('call applications', () => {
  it('are listed across campaigns, each once, with the calls that are allowed', async () => {
    const world = await startWorld();
    await world.have(1);
    const [one, other] = [await world.haveCampaign(), await world.haveCampaign()];
    expect(await world.enqueue(one, [1, 1])).toEqual([[1, 'Client already exists']]);
    expect(await world.enqueue(other, [1], { maxCallCount: 9 })).toEqual([]);
    expect(await world.applications(1)).toMatchObject([
      { telemarketCampaignId: one, maxCallCount: 3 },
      { telemarketCampaignId: other, maxCallCount: 9 },
    ]);
  });

  it('are found by identifiers that need escaping, or look like numbers', async () => {
    const world = await startWorld();
    for (const offerDomain of ['ä & b=c+d%20/?', '007']) {
      await world.have(1, { fields: { offerDomain } });
      expect(await world.center.listApplications({ query: { offerId: 1, offerDomain } })).toEqual(
        [],
      );
    }
    const query = { offerId: 1, offerDomain: '7' };
    expect(await refusal(world.center.listApplications({ query }))).toContain('offerDomain=7]');
  });

  it('are not made for a client of whom any phone is in the blacklist', async () => {
    const world = await startWorld();
    await world.have(1, mobile('79160000001', BLACKLISTED));
    expect(await world.enqueue(await world.haveCampaign(), [1])).toEqual([
      [1, 'Client is in blacklist'],
    ]);
    expect(await world.applications(1)).toEqual([]);
  });

  const shared = async () => {
    const world = await startWorld();
    await world.add([client(1, mobile('+7 916 111')), client(2, mobile('7916111')), client(3)]);
    return { world, one: await world.haveCampaign(), other: await world.haveCampaign() };
  };
  const STRICT = { disableDuplicatePhonesValidation: false };

  it.each([
    [STRICT, [[2, 'Client already exists']]],
    [{ disableDuplicatePhonesValidation: true }, []],
    [{}, []],
  ])('with a phone that another client of the campaign has: %j', async (more, errors) => {
    const { world, one } = await shared();
    expect(await world.enqueue(one, [1, 2, 3], more)).toEqual(errors);
    expect(await world.applications(2)).toHaveLength(1 - errors.length);
    expect(await world.applications(3)).toHaveLength(1);
  });

  it('may share phones between campaigns, and with a deleted client', async () => {
    const { world, one, other } = await shared();
    await world.enqueue(one, [1], STRICT);
    expect(await world.enqueue(one, [2], STRICT)).toEqual([[2, 'Client already exists']]);
    expect(await world.enqueue(other, [2], STRICT)).toEqual([]);
    await world.delete(1);
    expect(await world.enqueue(one, [2], STRICT)).toEqual([]);
  });

  it('are removed of the named client and campaign alone, and may be made again', async () => {
    const world = await startWorld();
    await world.have(1);
    await world.have(2);
    const [one, other] = [await world.haveCampaign(), await world.haveCampaign()];
    for (const campaign of [one, other]) await world.enqueue(campaign, [1, 2]);
    await world.dequeue(one, 1);
    expect(await world.applications(1)).toMatchObject([{ telemarketCampaignId: other }]);
    expect(await world.applications(2)).toHaveLength(2);
    expect(await refusal(world.dequeue(one, 1))).toBe('Client not found in campaign');
    expect(await world.enqueue(one, [1])).toEqual([]);
  });
});

describe('callbacks', () => {
  const called = async () => {
    const world = await startWorld();
    await world.have(1);
    const campaign = await world.haveCampaign();
    await world.enqueue(campaign, [1]);
    return { world, campaign };
  };

  it.each([true, false])(
    'set hasRecall of their campaign alone (automatic: %s)',
    async (callAutomatically) => {
      const { world, campaign } = await called();
      await world.enqueue(await world.haveCampaign(), [1]);
      await world.callBack(campaign, 1, { callAutomatically });
      expect(await world.applications(1)).toMatchObject([
        { hasRecall: true },
        { hasRecall: false },
      ]);
    },
  );

  it.each([
    { cancelCallbacks: true, callAutomatically: true },
    { cancelCallbacks: true, callAutomatically: false },
    { cancelCallbacks: false, callAutomatically: true },
    { cancelCallbacks: false, callAutomatically: false },
  ])(
    'outlive their application only when kept: %o',
    async ({ cancelCallbacks, callAutomatically }) => {
      const { world, campaign } = await called();
      await world.callBack(campaign, 1, { callAutomatically });
      await world.dequeue(campaign, 1, cancelCallbacks);
      expect(await world.applications(1)).toEqual([]);
      expect(await refusal(world.callBack(campaign, 1))).toBe('Client not found in campaign');
      await world.enqueue(campaign, [1]);
      expect(await world.applications(1)).toMatchObject([{ hasRecall: !cancelCallbacks }]);
    },
  );

  it('go with their campaign', async () => {
    const { world, campaign } = await called();
    await world.callBack(campaign, 1);
    await world.center.deleteCampaign({ params: { campaignId: campaign } });
    expect(await world.applications(1)).toEqual([]);
    const next = await world.haveCampaign();
    expect(await refusal(world.callBack(campaign, 1))).toBe('Campaign not found');
    await world.enqueue(next, [1]);
    expect(await world.applications(1)).toMatchObject([
      { telemarketCampaignId: next, hasRecall: false },
    ]);
  });
});
