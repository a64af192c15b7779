import { describe, expect, it } from 'vitest';
import { aNumber, expectOk, expectRefusal, useCenter } from './center.js';
import {
  applicationsOf,
  applicationsPath,
  callback,
  enqueued,
  type Fields,
  made,
  madeCampaign,
  newIdentifiers,
  newPhone,
  paths,
} from './made.js';

const center = useCenter();
const unknown = /^No clients with identifiers: \[.+\]$/;
const statuses = 'NONE STARTED FAILED SUCCESS EXPIRED BLOCKED CANCEL ERROR INVALID'.split(' ');

/** A client in a campaign of its own. */
async function inCampaign() {
  const client = newIdentifiers();
  const phone = newPhone();
  await made(center, client, { phones: [{ phoneNumber: phone, type: 'MOB' }] });
  const campaign = await madeCampaign(center);
  await enqueued(center, campaign.id, [client]);
  return { client, phone, campaign: campaign.id };
}

const remove = (campaign: number | string, clientIdentifiers: Fields, cancelCallbacks?: unknown) =>
  center.send('PUT', paths.removeBySync(campaign), { clientIdentifiers, cancelCallbacks });

describe('4.12 lists the applications of a client', () => {
  it('with every field of 2.3', async () => {
    const { client, phone, campaign } = await inCampaign();
    const [application, ...more] = await applicationsOf(center, client);
    expect(more).toEqual([]);
    expect(application).toMatchObject({
      id: aNumber,
      telemarketCampaignId: campaign,
      maxCallCount: 3,
      calledCount: 0,
      nextPhoneNumber: phone,
      hasRecall: false,
    });
    expect(statuses).toContain(application?.['status']);
    for (const name of ['lastCall', 'nextCall']) {
      expect(application).toHaveProperty(name);
      const value = application?.[name];
      expect(value === null || Number.isInteger(value)).toBe(true);
    }
  });

  it('as an empty array for a client in no campaign', async () => {
    const client = newIdentifiers();
    await made(center, client);
    expect(await applicationsOf(center, client)).toEqual([]);
  });

  it('takes identifiers that need escaping', async () => {
    const client = { ...newIdentifiers(), offerDomain: 'ä & b=c+d%20/?' };
    await made(center, client);
    expect(await applicationsOf(center, client)).toEqual([]);
  });

  it('finds text identifiers that look like numbers', async () => {
    const client = { ...newIdentifiers(), offerDomain: '007' };
    await made(center, client);
    expect(await applicationsOf(center, client)).toEqual([]);
    expectRefusal(await center.send('GET', applicationsPath({ ...client, offerDomain: '7' })));
  });

  it('says that no client matches', async () => {
    expectRefusal(await center.send('GET', applicationsPath(newIdentifiers())), unknown);
  });

  it.each<[string, Fields]>([
    ['none', {}],
    ['one lacks', { offerId: 1 }],
    ['one blank', { offerId: 1, offerDomain: '' }],
    ['one of spaces', { offerId: 1, offerDomain: '  ' }],
    ['a Number that is none', { offerId: 'abc', offerDomain: 'shop.example' }],
  ])('refuses identifiers: %s', async (_what, identifiers) => {
    expectRefusal(await center.send('GET', applicationsPath(identifiers)));
  });
});

describe('4.10 removes an application', () => {
  it.each([true, false])('with cancelCallbacks %s', async (cancelCallbacks) => {
    const { client, campaign } = await inCampaign();
    expectOk(await remove(campaign, client, cancelCallbacks));
    expect(await applicationsOf(center, client)).toEqual([]);
    await enqueued(center, campaign, [client]);
  });

  it('of the named campaign alone', async () => {
    const { client, campaign } = await inCampaign();
    const other = await madeCampaign(center);
    await enqueued(center, other.id, [client]);
    expectOk(await remove(campaign, client, true));
    expect(await applicationsOf(center, client)).toMatchObject([
      { telemarketCampaignId: other.id },
    ]);
  });

  it('of the named client alone', async () => {
    const { client, campaign } = await inCampaign();
    const other = newIdentifiers();
    await made(center, other);
    await enqueued(center, campaign, [other]);
    expectOk(await remove(campaign, client, false));
    expect(await applicationsOf(center, other)).toHaveLength(1);
  });

  it('together with its callback when told so', async () => {
    const { client, campaign } = await inCampaign();
    expectOk(await center.send('POST', paths.callbacks, callback(campaign, client)));
    expectOk(await remove(campaign, client, true));
    await enqueued(center, campaign, [client]);
    expect(await applicationsOf(center, client)).toMatchObject([{ hasRecall: false }]);
  });

  it('keeping its callback when told so', async () => {
    const { client, campaign } = await inCampaign();
    expectOk(await center.send('POST', paths.callbacks, callback(campaign, client)));
    expectOk(await remove(campaign, client, false));
    expect(await applicationsOf(center, client)).toEqual([]);
  });

  it('says that no client matches', async () => {
    const { campaign } = await inCampaign();
    expectRefusal(await remove(campaign, newIdentifiers(), true), unknown);
  });

  it('refuses a client that is not in the campaign', async () => {
    const { client } = await inCampaign();
    const other = await madeCampaign(center);
    expectRefusal(await remove(other.id, client, true));
  });

  it('refuses what is incomplete or unknown', async () => {
    const { client, campaign } = await inCampaign();
    expectRefusal(await remove(campaign, client, undefined));
    expectRefusal(await remove(campaign, client, 'yes'));
    expectRefusal(await remove(campaign, { offerId: client.offerId }, true));
    expectRefusal(await remove(999_999, client, true));
    expectRefusal(await remove('abc', client, true));
    expect(await applicationsOf(center, client)).toHaveLength(1);
  });
});
