import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationInput } from '../../../src/contract/operations.js';
import { mobile, openWorld, type World } from './world.js';
import { tablesIn } from '../../kit/tables.js';
import { testFolder } from '../../kit/folder.js';

type Criterion = OperationInput<'removeApplications'>['body']['criteria'][number];
type Row = readonly [
  Criterion['key'],
  Criterion['operator'],
  Criterion['value'],
  readonly number[],
];
const FILTERS = tablesIn(import.meta.dirname, 'filters.yaml') as Row[];

describe('removal by filters', () => {
  const folder = testFolder();
  let world: World;
  beforeAll(async () => {
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
