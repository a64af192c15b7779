import { beforeAll, describe, expect, it } from 'vitest';
import { expectOk, expectRefusal, useCenter } from './center.js';
import {
  applicationsOf,
  callback,
  enqueued,
  type Fields,
  made,
  madeCampaign,
  newIdentifiers,
  paths,
} from './made.js';

const center = useCenter();

const phones = { ann: '79161112233', bob: '79054445566' };
const people = {
  ann: { fullName: 'Ann Lee', segment: 'cold', leadStatus: 'new', budget: 100, note: '12' },
  bob: { fullName: 'Bob Stone', segment: 'warm', leadStatus: 'open', budget: 200, note: '34' },
};
const identifiers = {
  ann: { ...newIdentifiers(), offerDomain: 'ann.example' },
  bob: { ...newIdentifiers(), offerDomain: 'bob.example' },
};
const ids = { ann: 0, bob: 0 };

beforeAll(async () => {
  for (const who of ['ann', 'bob'] as const) {
    ids[who] = await made(center, identifiers[who], {
      fields: people[who],
      phones: [{ phoneNumber: phones[who], type: 'MOB' }],
    });
  }
});

const filter = (campaign: number | string, criteria: unknown) =>
  center.send('PUT', paths.removeByFilter(campaign), { criteria });

/** A new campaign with both people in it; a callback for Ann. */
async function bothInCampaign(): Promise<number> {
  const { id } = await madeCampaign(center);
  await enqueued(center, id, [identifiers.ann, identifiers.bob]);
  expectOk(await center.send('POST', paths.callbacks, callback(id, identifiers.ann)));
  return id;
}

/** Who is left in a campaign of both after the criteria. */
async function left(criteria: Fields[]): Promise<string[]> {
  const campaign = await bothInCampaign();
  expectOk(await filter(campaign, criteria));
  const there: string[] = [];
  for (const who of ['ann', 'bob'] as const) {
    const own = await applicationsOf(center, identifiers[who]);
    if (own.some((one) => one.telemarketCampaignId === campaign)) there.push(who);
  }
  return there;
}

describe('4.11 removes what meets the criteria', () => {
  const table: [string, string, unknown, string[]][] = [
    ['application.status', '=', 'NONE', []],
    ['application.status', '=', 'SUCCESS', ['ann', 'bob']],
    ['application.status', 'LIKE', 'NONE', []],
    ['application.status', 'NOT LIKE', 'NONE', ['ann', 'bob']],
    ['application.status', 'NOT LIKE', 'SUCCESS', []],
    ['application.ccprojectCallStatus', '=', 'ANSWERED', ['ann', 'bob']],
    ['application.ccprojectCallStatus', 'LIKE', 'CHANUNAVAIL', ['ann', 'bob']],
    ['ts.clientCallStatus', '=', 'BUSY', ['ann', 'bob']],
    ['ts.clientCallStatus', 'LIKE', 'NO_ANSWER', ['ann', 'bob']],
    ['application.hasRecall', '=', 'true', ['bob']],
    ['application.hasRecall', '=', 'false', ['ann']],
    ['application.hasRecall', '=', true, ['bob']],
    ['application.hasRecall', '=', false, ['ann']],
    ['application.hasRecall', 'LIKE', 'true', ['bob']],
    ['application.hasRecall', 'NOT LIKE', 'true', ['ann']],
    ['phones.phoneNumber', '=', phones.ann, ['bob']],
    ['phones.phoneNumber', '=', '7916', ['ann', 'bob']],
    ['phones.phoneNumber', 'LIKE', '7916', ['bob']],
    ['phones.phoneNumber', 'LIKE', '%7916%', ['bob']],
    ['phones.phoneNumber', 'LIKE', '7905%', ['ann']],
    ['phones.phoneNumber', 'NOT LIKE', '7916', ['ann']],
    ['phones.phoneNumber', 'NOT LIKE', phones.ann, ['ann']],
    ['fullName', '=', 'Ann Lee', ['bob']],
    ['fullName', '=', 'Ann', ['ann', 'bob']],
    ['fullName', 'LIKE', 'Ann', ['bob']],
    ['fullName', 'LIKE', '%Stone', ['ann']],
    ['fullName', 'NOT LIKE', 'Ann', ['ann']],
    ['segment', '=', 'warm', ['ann']],
    ['segment', 'NOT LIKE', 'warm', ['bob']],
    ['leadStatus', '=', 'new', ['bob']],
    ['leadStatus', 'LIKE', 'ope', ['ann']],
    ['budget', '=', 100, ['bob']],
    ['budget', '=', '100', ['bob']],
    ['budget', 'LIKE', 200, ['ann']],
    ['budget', 'NOT LIKE', 200, ['bob']],
    ['note', '=', '12', ['bob']],
    ['offerDomain', '=', 'bob.example', ['ann']],
    ['offerId', '=', identifiers.bob.offerId, ['ann']],
  ];

  it.each(table)('%s %s %j leaves %j', async (key, operator, value, expected) => {
    expect(await left([{ key, operator, value }])).toEqual(expected);
  });

  it('id = an internal client id', async () => {
    expect(await left([{ key: 'id', operator: '=', value: ids.ann }])).toEqual(['bob']);
    expect(await left([{ key: 'id', operator: 'NOT LIKE', value: ids.ann }])).toEqual(['ann']);
  });

  it('a phone by its digits, however it is written', async () => {
    const client = newIdentifiers();
    const written = [{ phoneNumber: '+7 (916) 777-88-99', type: 'MOB' }];
    await made(center, client, { phones: written });
    const { id } = await madeCampaign(center);
    await enqueued(center, id, [client]);
    for (const value of ['7916777', '(916)']) {
      expectOk(await filter(id, [{ key: 'phones.phoneNumber', operator: 'NOT LIKE', value }]));
    }
    expect(await applicationsOf(center, client)).toHaveLength(1);
    expectOk(await filter(id, [{ key: 'phones.phoneNumber', operator: 'LIKE', value: '7916777' }]));
    expect(await applicationsOf(center, client)).toEqual([]);
  });

  it('only where all criteria are met', async () => {
    const cold = { key: 'segment', operator: '=', value: 'cold' };
    const poor = { key: 'budget', operator: '=', value: 100 };
    const rich = { key: 'budget', operator: '=', value: 200 };
    expect(await left([cold, poor])).toEqual(['bob']);
    expect(await left([cold, rich])).toEqual(['ann', 'bob']);
  });

  it('in the named campaign alone', async () => {
    const [one, other] = [await bothInCampaign(), await bothInCampaign()];
    expectOk(await filter(one, [{ key: 'segment', operator: '=', value: 'cold' }]));
    const campaigns = (await applicationsOf(center, identifiers.ann)).map(
      ({ telemarketCampaignId }) => telemarketCampaignId,
    );
    expect(campaigns).not.toContain(one);
    expect(campaigns).toContain(other);
  });
});

describe('4.11 refuses', () => {
  it.each<[string, unknown]>([
    ['no criteria', undefined],
    ['criteria as an object', { key: 'segment', operator: '=', value: 'cold' }],
    ['no key', [{ operator: '=', value: 'cold' }]],
    ['no operator', [{ key: 'segment', value: 'cold' }]],
    ['no value', [{ key: 'segment', operator: '=' }]],
    ['an unknown operator', [{ key: 'budget', operator: '>', value: 1 }]],
    ['an unknown key', [{ key: 'nickname', operator: '=', value: 'Annie' }]],
    ['an unknown status', [{ key: 'application.status', operator: '=', value: 'DONE' }]],
    [
      'an unknown form status',
      [{ key: 'application.ccprojectCallStatus', operator: '=', value: 'OK' }],
    ],
    ['an unknown call status', [{ key: 'ts.clientCallStatus', operator: '=', value: 'REJECT' }]],
    ['hasRecall maybe', [{ key: 'application.hasRecall', operator: '=', value: 'maybe' }]],
    [
      'one wrong criterion of two',
      [
        { key: 'segment', operator: '=', value: 'cold' },
        { key: 'nickname', operator: '=', value: 'Annie' },
      ],
    ],
  ])('%s, and removes nothing', async (_what, criteria) => {
    const campaign = await bothInCampaign();
    expectRefusal(await filter(campaign, criteria));
    const own = await applicationsOf(center, identifiers.ann);
    expect(own.some((one) => one.telemarketCampaignId === campaign)).toBe(true);
  });

  it('a campaign that is not there, or no integer', async () => {
    const criteria = [{ key: 'segment', operator: '=', value: 'cold' }];
    expectRefusal(await filter(999_999, criteria));
    expectRefusal(await filter('abc', criteria));
  });
});
