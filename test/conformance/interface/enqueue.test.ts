import { describe, expect, it } from 'vitest';
import { type Answer, expectRefusal, someText, useCenter } from './center.js';
import {
  applicationsOf,
  enqueue,
  enqueued,
  type Fields,
  made,
  madeCampaign,
  newIdentifiers,
  newPhone,
  paths,
} from './made.js';

const center = useCenter();

const newClient = async (changes: Fields = {}) => {
  const identifiers = newIdentifiers();
  await made(center, identifiers, changes);
  return identifiers;
};

/** The errors of 4.9, whose status is not shown: success or refusal, never a fault. */
function errorsOf(answer: Answer): Fields[] {
  expect(answer.status, answer.text).toBeLessThan(500);
  expect(Object.keys(answer.body as Fields)).toEqual(['errors']);
  return (answer.body as { errors: Fields[] }).errors;
}

describe('4.9 adds clients to a campaign', () => {
  it('answers 200 with an empty object', async () => {
    const { id } = await madeCampaign(center);
    await enqueued(center, id, [await newClient(), await newClient()]);
  });

  it('makes an application for each', async () => {
    const campaign = await madeCampaign(center);
    const client = await newClient();
    await enqueued(center, campaign.id, [client], { maxCallCount: 9 });
    expect(await applicationsOf(center, client)).toEqual([
      expect.objectContaining({ telemarketCampaignId: campaign.id, maxCallCount: 9 }),
    ]);
  });

  it('says who is there already', async () => {
    const { id } = await madeCampaign(center);
    const client = await newClient();
    await enqueued(center, id, [client]);
    expect(errorsOf(await enqueue(center, id, [client]))).toEqual([
      { clientIdentifiers: client, errorMessage: 'Client already exists' },
    ]);
    expect(await applicationsOf(center, client)).toHaveLength(1);
  });

  it('says so of the second of two in one request', async () => {
    const { id } = await madeCampaign(center);
    const client = await newClient();
    expect(errorsOf(await enqueue(center, id, [client, client]))).toEqual([
      { clientIdentifiers: client, errorMessage: 'Client already exists' },
    ]);
    expect(await applicationsOf(center, client)).toHaveLength(1);
  });

  it('takes a client into two campaigns', async () => {
    const client = await newClient();
    for (const { id } of [await madeCampaign(center), await madeCampaign(center)]) {
      await enqueued(center, id, [client]);
    }
    expect(await applicationsOf(center, client)).toHaveLength(2);
  });

  it('says who is in the blacklist, by any of the phones', async () => {
    const { id } = await madeCampaign(center);
    const phones = [newPhone(), '79990000666'].map((phoneNumber) => ({ phoneNumber, type: 'MOB' }));
    const client = await newClient({ phones });
    expect(errorsOf(await enqueue(center, id, [client]))).toEqual([
      { clientIdentifiers: client, errorMessage: 'Client is in blacklist' },
    ]);
    expect(await applicationsOf(center, client)).toEqual([]);
  });

  it('says whom it does not know', async () => {
    const { id } = await madeCampaign(center);
    const client = newIdentifiers();
    expect(errorsOf(await enqueue(center, id, [client]))).toEqual([
      { clientIdentifiers: client, errorMessage: 'No such client' },
    ]);
  });

  it('names only those that failed and takes the rest', async () => {
    const { id } = await madeCampaign(center);
    const [good, stranger, other] = [await newClient(), newIdentifiers(), await newClient()];
    const errors = errorsOf(await enqueue(center, id, [good, stranger, other]));
    expect(errors).toEqual([{ clientIdentifiers: stranger, errorMessage: 'No such client' }]);
    for (const one of [good, other]) expect(await applicationsOf(center, one)).toHaveLength(1);
  });

  it('echoes identifiers as they were sent', async () => {
    const { id } = await madeCampaign(center);
    const sent = { offerId: '987654', offerDomain: 'nobody.example' };
    expect(errorsOf(await enqueue(center, id, [sent]))).toMatchObject([
      { clientIdentifiers: sent },
    ]);
  });

  it('fails a client alone whose identifiers lack a field', async () => {
    const { id } = await madeCampaign(center);
    const good = await newClient();
    const errors = errorsOf(await enqueue(center, id, [{ offerId: 1 }, good]));
    expect(errors).toEqual([{ clientIdentifiers: { offerId: 1 }, errorMessage: someText }]);
    expect(await applicationsOf(center, good)).toHaveLength(1);
  });
});

describe('4.9 and phones that two clients share', () => {
  const pair = async () => {
    const phones = [{ phoneNumber: newPhone(), type: 'MOB' }];
    return [await newClient({ phones }), await newClient({ phones })] as const;
  };

  it.each([
    ['by default', {}],
    ['with true', { disableDuplicatePhonesValidation: true }],
  ])('takes both %s', async (_how, more) => {
    const { id } = await madeCampaign(center);
    const [first, second] = await pair();
    await enqueued(center, id, [first], more);
    await enqueued(center, id, [second], more);
  });

  it('refuses the second with false', async () => {
    const { id } = await madeCampaign(center);
    const [first, second] = await pair();
    const more = { disableDuplicatePhonesValidation: false };
    await enqueued(center, id, [first], more);
    expect(errorsOf(await enqueue(center, id, [second], more))).toEqual([
      { clientIdentifiers: second, errorMessage: someText },
    ]);
    expect(await applicationsOf(center, second)).toEqual([]);
  });

  it('refuses the second of one request with false', async () => {
    const { id } = await madeCampaign(center);
    const [first, second] = await pair();
    const more = { disableDuplicatePhonesValidation: false };
    expect(errorsOf(await enqueue(center, id, [first, second], more))).toMatchObject([
      { clientIdentifiers: second },
    ]);
  });

  it('checks within the campaign alone', async () => {
    const [first, second] = await pair();
    const more = { disableDuplicatePhonesValidation: false };
    await enqueued(center, (await madeCampaign(center)).id, [first], more);
    await enqueued(center, (await madeCampaign(center)).id, [second], more);
  });
});

describe('4.9 refuses whole requests', () => {
  it.each<[string, Fields]>([
    ['no maxCallCount', { maxCallCount: undefined }],
    ['maxCallCount 0', { maxCallCount: 0 }],
    ['maxCallCount as text', { maxCallCount: 'many' }],
    ['maxCallCount broken', { maxCallCount: 1.5 }],
    ['no clients', { clients: undefined }],
    ['clients as an object', { clients: {} }],
    ['a flag as text', { disableDuplicatePhonesValidation: 'maybe' }],
  ])('%s', async (_what, changes) => {
    const { id } = await madeCampaign(center);
    expectRefusal(await enqueue(center, id, [await newClient()], changes));
  });

  it('takes maxCallCount 1', async () => {
    const { id } = await madeCampaign(center);
    await enqueued(center, id, [await newClient()], { maxCallCount: 1 });
  });

  it('a campaign that is not there, or no integer', async () => {
    const client = await newClient();
    expectRefusal(await enqueue(center, 999_999, [client]));
    const body = { maxCallCount: 1, clients: [{ clientIdentifiers: client }] };
    expectRefusal(await center.send('POST', paths.enqueue('abc'), body));
  });
});
