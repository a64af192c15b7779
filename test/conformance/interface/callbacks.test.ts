import { describe, expect, it } from 'vitest';
import { expectOk, expectRefusal, useCenter } from './center.js';
import {
  applicationsOf,
  callback,
  enqueued,
  type Fields,
  hoursFromNow,
  made,
  madeCampaign,
  newIdentifiers,
  paths,
} from './made.js';

const center = useCenter();
const post = (body: Fields, path = paths.callbacks) => center.send('POST', path, body);

async function inCampaign() {
  const client = newIdentifiers();
  await made(center, client);
  const { id } = await madeCampaign(center);
  await enqueued(center, id, [client]);
  return { client, campaign: id };
}

describe('4.20 creates a callback', () => {
  it.each([true, false])('and answers it, callAutomatically %s', async (callAutomatically) => {
    const { client, campaign } = await inCampaign();
    const sent = callback(campaign, client, { callAutomatically });
    const answer = await post(sent);
    expectOk(answer);
    const { callAt, ...others } = sent;
    expect(answer.body).toMatchObject(others);
    const answered = (answer.body as { callAt: string }).callAt;
    expect(Date.parse(answered)).toBe(Date.parse(callAt));
  });

  it('which sets hasRecall of that application alone', async () => {
    const { client, campaign } = await inCampaign();
    const other = await madeCampaign(center);
    await enqueued(center, other.id, [client]);
    expectOk(await post(callback(campaign, client)));
    const applications = await applicationsOf(center, client);
    expect(applications).toHaveLength(2);
    for (const one of applications) {
      expect(one).toMatchObject({ hasRecall: one.telemarketCampaignId === campaign });
    }
  });

  it.each(['2099-05-06T07:08:09+03:00', '2099-05-06T07:08:09.123Z', '2099-05-06T07:08+0300'])(
    'at %s',
    async (callAt) => {
      const { client, campaign } = await inCampaign();
      const answer = await post(callback(campaign, client, { callAt }));
      // Without seconds and colon it is ISO 8601 too, but no profile that everyone reads.
      if (callAt.endsWith('0300') && answer.status >= 400) expectRefusal(answer);
      else expectOk(answer);
    },
  );

  it('judges the moment with its offset', async () => {
    const { client, campaign } = await inCampaign();
    const wall = (hours: number) => hoursFromNow(hours).slice(0, 19);
    expectRefusal(
      await post(callback(campaign, client, { callAt: `${wall(1)}+05:00` })),
      'callAt must be in future',
    );
    expectOk(await post(callback(campaign, client, { callAt: `${wall(-1)}-05:00` })));
  });

  it('refuses a moment that has passed', async () => {
    const { client, campaign } = await inCampaign();
    for (const callAt of [hoursFromNow(-1), '2001-02-03T04:05:06+00:00']) {
      expectRefusal(await post(callback(campaign, client, { callAt })), 'callAt must be in future');
    }
    expect(await applicationsOf(center, client)).toMatchObject([{ hasRecall: false }]);
  });

  it('refuses a client that is not in the campaign', async () => {
    const { client } = await inCampaign();
    const { id } = await madeCampaign(center);
    expectRefusal(await post(callback(id, client)), 'Client not found in campaign');
  });

  it('refuses a client that was removed from the campaign', async () => {
    const { client, campaign } = await inCampaign();
    const body = { clientIdentifiers: client, cancelCallbacks: false };
    expectOk(await center.send('PUT', paths.removeBySync(campaign), body));
    expectRefusal(await post(callback(campaign, client)), 'Client not found in campaign');
  });

  it('refuses a client that is nowhere', async () => {
    const { campaign } = await inCampaign();
    expectRefusal(
      await post(callback(campaign, newIdentifiers())),
      /^(Client not found in campaign|No clients with identifiers: \[.+\])$/,
    );
  });

  it('refuses a campaign that is none', async () => {
    const { client } = await inCampaign();
    expectRefusal(await post(callback(999_999, client)), 'Campaign not found');
  });

  it.each<[string, Fields]>([
    ['name', { name: undefined }],
    ['description', { description: undefined }],
    ['clientIdentifiers', { clientIdentifiers: undefined }],
    ['phone', { phone: undefined }],
    ['campaignId', { campaignId: undefined }],
    ['operatorId', { operatorId: undefined }],
    ['callAt', { callAt: undefined }],
    ['callAutomatically', { callAutomatically: undefined }],
  ])('refuses a body without %s', async (_name, changes) => {
    const { client, campaign } = await inCampaign();
    expectRefusal(await post({ ...callback(campaign, client), ...changes }));
  });

  it.each<[string, Fields]>([
    ['identifiers that lack one', { clientIdentifiers: { offerId: 1 } }],
    ['an operator as text', { operatorId: 'Ann' }],
    ['a moment without offset', { callAt: '2099-01-01T10:00:00' }],
    ['a moment that is none', { callAt: 'tomorrow' }],
    ['a flag as text', { callAutomatically: 'yes' }],
  ])('refuses %s', async (_what, changes) => {
    const { client, campaign } = await inCampaign();
    expectRefusal(await post({ ...callback(campaign, client), ...changes }));
  });

  it('refuses another type than tm', async () => {
    const { client, campaign } = await inCampaign();
    for (const path of ['/api/v1/callbacks/exec.do', '/api/v1/callbacks/exec.do?type=cc']) {
      expectRefusal(await post(callback(campaign, client), path));
    }
  });
});
