import { describe, expect, it } from 'vitest';
import { type Answer, expectOk, expectRefusal, useCenter } from './center.js';
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
const unknown = /^No clients with identifiers: \[.+\]$/;

/** The six operations, with a body that is right for each, and what breaks it. */
const operations = [
  {
    name: '4.3 adds a phone',
    method: 'POST',
    path: '/api/v1/clients/phones/exec.do',
    body: { phoneNumber: '79005550001', type: 'FAX' },
    wrong: [{ phoneNumber: undefined }, { phoneNumber: 7 }, { type: 'PAGER' }, { type: undefined }],
  },
  {
    name: '4.4 changes the status of a phone',
    method: 'PUT',
    path: '/api/v1/clients/phones/statuses/exec.do',
    body: { phoneNumber: '79001112233', active: false },
    wrong: [{ phoneNumber: undefined }, { active: 'no' }, { active: undefined }],
  },
  {
    name: '4.5 adds an e-mail',
    method: 'POST',
    path: '/api/v1/clients/emails/exec.do',
    body: { emailAddress: 'new@shop.example' },
    wrong: [{ emailAddress: undefined }, { emailAddress: 7 }],
  },
  {
    name: '4.6 changes the status of an e-mail',
    method: 'PUT',
    path: '/api/v1/clients/emails/statuses/exec.do',
    body: { emailAddress: 'ann@shop.example', active: true },
    wrong: [{ emailAddress: undefined }, { active: 1 }, { active: undefined }],
  },
  {
    name: '4.6a adds an address',
    method: 'POST',
    path: '/api/v1/clients/addresses/exec.do',
    body: { clientAddress: '3 Main St', type: 'WORK' },
    wrong: [{ clientAddress: undefined }, { type: 'MOB' }, { type: undefined }],
  },
  {
    name: '4.6b changes the status of an address',
    method: 'PUT',
    path: '/api/v1/clients/addresses/statuses/exec.do',
    body: { clientAddress: '1 Main St', active: false },
    wrong: [{ clientAddress: undefined }, { active: 'true' }, { active: undefined }],
  },
];

const contactData = {
  phones: [{ phoneNumber: '79001112233', type: 'MOB' }],
  emails: [{ email: 'ann@shop.example' }],
  addresses: [{ address: '1 Main St', type: 'HOME' }],
};

describe.each(operations)('$name', ({ method, path, body, wrong }) => {
  const call = (clientSyncIdentifiers: Fields, changes: Fields = {}): Promise<Answer> =>
    center.send(method, path, { clientSyncIdentifiers, ...body, ...changes });

  it('acknowledges with 200', async () => {
    const identifiers = newIdentifiers();
    await made(center, identifiers, contactData);
    expectOk(await call(identifiers));
  });

  it('says that no client matches', async () => {
    expectRefusal(await call(newIdentifiers()), unknown);
  });

  it('refuses identifiers that lack a field', async () => {
    const { offerId } = newIdentifiers();
    expectRefusal(await call({ offerId }));
    expectRefusal(await call({ offerId, offerDomain: '' }));
  });

  it('refuses a body that breaks the rules', async () => {
    const identifiers = newIdentifiers();
    await made(center, identifiers, contactData);
    for (const changes of wrong) expectRefusal(await call(identifiers, changes));
  });
});

it.each(operations.filter(({ method }) => method === 'PUT'))(
  '$name only where the card has it',
  async ({ method, path, body }) => {
    const clientSyncIdentifiers = newIdentifiers();
    await made(center, clientSyncIdentifiers, {
      phones: [{ phoneNumber: '79001112299', type: 'MOB' }],
    });
    expectRefusal(await center.send(method, path, { clientSyncIdentifiers, ...body }));
  },
);

describe('phones that were added count', () => {
  const addPhone = (clientSyncIdentifiers: Fields, phoneNumber: string) =>
    center.send('POST', '/api/v1/clients/phones/exec.do', {
      clientSyncIdentifiers,
      phoneNumber,
      type: 'MOB',
    });

  it('for the blacklist', async () => {
    const identifiers = newIdentifiers();
    await made(center, identifiers);
    const campaign = await madeCampaign(center);
    expectOk(await addPhone(identifiers, '79990000666'));
    const { body } = await enqueue(center, campaign.id, [identifiers]);
    expect(body).toMatchObject({ errors: [{ errorMessage: 'Client is in blacklist' }] });
  });

  it('for the filter on phones', async () => {
    const identifiers = newIdentifiers();
    await made(center, identifiers);
    const campaign = await madeCampaign(center);
    await enqueued(center, campaign.id, [identifiers]);
    const phone = newPhone();
    expectOk(await addPhone(identifiers, phone));
    const criteria = [{ key: 'phones.phoneNumber', operator: '=', value: phone }];
    expectOk(await center.send('PUT', paths.removeByFilter(campaign.id), { criteria }));
    expect(await applicationsOf(center, identifiers)).toEqual([]);
  });
});

it('calls the first phone that is active', async () => {
  const identifiers = newIdentifiers();
  const [first, second] = [newPhone(), newPhone()];
  const phones = [first, second].map((phoneNumber) => ({ phoneNumber, type: 'MOB' }));
  await made(center, identifiers, { phones });
  const body = { clientSyncIdentifiers: identifiers, phoneNumber: first, active: false };
  expectOk(await center.send('PUT', '/api/v1/clients/phones/statuses/exec.do', body));
  const campaign = await madeCampaign(center, { dialOnlyActivePhoneNumbers: true });
  await enqueued(center, campaign.id, [identifiers]);
  const [application] = await applicationsOf(center, identifiers);
  expect(application).toMatchObject({ nextPhoneNumber: second });
});
