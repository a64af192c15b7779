import { expect, it } from 'vitest';
import { expectOk, expectRefusal, oneIdentifier, useCenter } from './center.js';
import {
  applicationsOf,
  cardOf,
  create,
  enqueued,
  type Fields,
  fresh,
  judged,
  madeCampaign,
  paths,
  payload as full,
} from './made.js';

const center = useCenter(oneIdentifier);
const payload = (contract: unknown, changes: Fields = {}): Fields => ({
  ...full({}, changes),
  fields: { contract, debt: 5, ...(changes['fields'] as Fields | undefined) },
});
const newContract = () => `C-${fresh()}`;

it('goes through the whole life of a client', async () => {
  const contract = newContract();
  const [one] = await create(center, [payload(contract)]);
  expect(one?.result).toBe('Success');
  expect(await cardOf(center, { contract })).toMatchObject({ contract, debt: 5 });
  const campaign = await madeCampaign(center);
  await enqueued(center, campaign.id, [{ contract }]);
  expect(await applicationsOf(center, { contract })).toHaveLength(1);
  expectOk(await center.send('DELETE', paths.clients, { syncIdentifiers: { contract } }));
  expectRefusal(
    await center.send('POST', paths.lookup, { clientSyncIdentifiers: { contract } }),
    /^No clients with identifiers: \[.*C-\d+.*\]$/,
  );
});

it('takes any integer role where the installation names none', async () => {
  expect(await judged(center, payload(newContract(), { clientRoleId: 77 }))).toBe('Success');
  expect(await judged(center, payload(newContract(), { clientRoleId: 'x' }))).not.toBe('Success');
});

it('has nobody in the blacklist', async () => {
  const contract = newContract();
  const phones = [{ phoneNumber: '79990000666', type: 'MOB' }];
  expect(await judged(center, payload(contract, { phones }))).toBe('Success');
  await enqueued(center, (await madeCampaign(center)).id, [{ contract }]);
});

it('requires its own fields, a Number too', async () => {
  const client = payload(newContract(), { fields: { debt: undefined } });
  expect(await judged(center, client)).toBe('Field [debt] is required.');
  expect(await judged(center, payload(newContract(), { fields: { debt: 0 } }))).toBe('Success');
});

it('lacks its identifier', async () => {
  expect(await judged(center, payload(undefined))).toBe(
    "Client doesn't have all syncronize identifier fields.",
  );
});

it('keeps leading zeros of a text identifier', async () => {
  expect(await judged(center, payload('0042'))).toBe('Success');
  expect(await judged(center, payload('42'))).toBe('Success');
  expect(await cardOf(center, { contract: '0042' })).toMatchObject({ contract: '0042' });
});
