import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BLACKLISTED,
  client,
  identifiers,
  INSTALLATION,
  mobile,
  noClient,
  openWorld,
  refusal,
  startWorld,
  type World,
} from './world.js';
import { tablesIn } from '../../kit/tables.js';

const exists = (offerId: number) =>
  `Client with identifiers: [offerId=${offerId}, offerDomain=shop.example] already exists`;
const deleted = (offerId: number) =>
  `Client with identifiers: [offerId=${offerId}, offerDomain=shop.example] is deleted; recovery restores it`;
const resultOf = async (world: World, one: unknown, more = {}) =>
  (await world.add([one], more))[0]?.result;

type Changes = Readonly<Record<string, unknown>>;
const TABLE = tablesIn(import.meta.dirname, 'added-clients.yaml') as Record<
  string,
  readonly Changes[]
>;

describe('a client to add', () => {
  let world: World;
  let last = 0;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const entries = Object.entries(TABLE).flatMap(([result, all]) =>
    all.map((changes) => ({ result, changes })),
  );
  it.each(entries)('$changes: $result', async ({ changes, result }) => {
    const [first, second] = [++last, ++last];
    const right = client(first, changes);
    const { fields = right.fields } = changes;
    const one = Object.entries({ ...right, fields: Array.isArray(fields) ? fields : right.fields });
    const given = Object.fromEntries(one.filter(([name]) => changes[name] !== null));
    const [found, good] = await world.add([given, client(second)]);
    expect(found?.result).toBe(result);
    expect(typeof found?.createdClientId).toBe(result === 'Success' ? 'number' : 'undefined');
    expect(good?.result).toBe('Success');
    if (result === 'Success') return;
    expect(await refusal(world.card(first))).toBe(noClient(first));
  });

  it('keeps each value in the form of its field', async () => {
    const offerId = ++last;
    const fields = { offerId: String(offerId), fullName: 7, budget: '1.50' };
    await world.have(offerId, { fields });
    const kept = { offerId, fullName: '7', budget: 1.5, note: null };
    expect(await world.card(offerId)).toMatchObject(kept);
  });

  it('is told apart by every identifier, and the same by a number that came as text', async () => {
    const offerId = ++last;
    await world.have(offerId);
    await world.have(offerId, { fields: { offerDomain: 'other.example' } });
    const fields = { offerId: String(offerId) };
    expect(await resultOf(world, client(offerId, { fields }))).toBe(exists(offerId));
  });
});

it('where one text identifies a client, it keeps its zeros, any role is taken, and no phone is blocked', async () => {
  const contract = { type: 'TextField', sync: true, required: false } as const;
  const debt = { type: 'Number', sync: false, required: true } as const;
  const { clientRoles: _, ...rest } = INSTALLATION;
  const installation = { ...rest, card: { contract, debt }, sandbox: { blacklist: [] } };
  const world = await startWorld({ installation });
  const of = (fields: object, more = {}) => ({ ...client(1, more), uuid: 'u', fields });
  expect(await resultOf(world, of({ contract: '0042', debt: 0 }))).toBe('Success');
  const phones = mobile(BLACKLISTED);
  expect(await resultOf(world, of({ contract: '42', debt: 1 }, phones))).toBe('Success');
  const role = { clientRoleId: 77 };
  expect(await resultOf(world, of({ contract: 'C', debt: 1 }, role))).toBe('Success');
  expect(await resultOf(world, of({ contract: 'D' }))).toBe('Field [debt] is required.');
  const read = (by: string) =>
    world.center.readClient({ body: { clientSyncIdentifiers: { contract: by } } });
  expect(await read('0042')).toMatchObject({ clientFieldsToValues: { contract: '0042', id: 1 } });
  expect(await refusal(read('7'))).toBe('No clients with identifiers: [contract=7]');
  const campaigId = await world.haveCampaign();
  const clients = [{ clientIdentifiers: { contract: '42' } }];
  const body = { maxCallCount: 1, clients };
  expect(await world.center.addApplications({ params: { campaigId }, body })).toEqual({});
});

describe('a card', () => {
  it('keeps what is not changed', async () => {
    const world = await startWorld();
    await world.have(1, { fields: { note: 'old', segment: 'cold' } });
    await world.change(1, { note: 'new', budget: 5 });
    const now = { fullName: 'Name 1', note: 'new', budget: 5, segment: 'cold' };
    expect(await world.card(1)).toMatchObject(now);
  });

  it('is found by its new identifiers alone, and the old ones are free', async () => {
    const world = await startWorld();
    await world.have(1);
    await world.have(2);
    await world.change(1, { offerId: 5, note: 'n' });
    expect(await world.card(5)).toMatchObject({ id: 1, note: 'n', fullName: 'Name 1' });
    await world.rename(1, identifiers(6));
    expect(await world.card(6)).toMatchObject({ id: 1, note: 'n' });
    const results = await world.add([client(1), client(5), client(6)]);
    expect(results.map(({ result }) => result)).toEqual(['Success', 'Success', exists(6)]);
  });

  it('that is deleted is hidden from every operation, and others are not', async () => {
    const world = await startWorld();
    const id = await world.have(1);
    await world.have(2);
    const campaign = await world.haveCampaign();
    await world.enqueue(campaign, [1]);
    await world.delete(1);
    expect(await refusal(world.card(1))).toBe(noClient(1));
    expect(await refusal(world.applications(1))).toBe(noClient(1));
    expect(await refusal(world.rename(id, identifiers(9)))).toBe(
      `No clients with identifiers: [id=${id}]`,
    );
    expect(await world.enqueue(campaign, [1])).toEqual([[1, 'No such client']]);
    expect(await world.card(2)).toMatchObject({ fullName: 'Name 2' });
  });

  it('that is deleted needs recovery, which keeps what is not given anew', async () => {
    const world = await startWorld();
    await world.have(1, { fields: { note: 'kept', segment: 'cold' } });
    await world.enqueue(await world.haveCampaign(), [1]);
    await world.delete(1);
    const now = client(1, {
      ...{ type: 'VIP', timeZone: 'Asia/Omsk', fields: { segment: 'warm' } },
      ...mobile('555'),
    });
    expect(await resultOf(world, now)).toBe(deleted(1));
    expect(await resultOf(world, now, { recovery: false })).toBe(deleted(1));
    const incomplete = client(1, { fields: { fullName: '' } });
    const lacking = 'Field [fullName] is required.';
    expect(await resultOf(world, incomplete, { recovery: true })).toBe(lacking);
    expect(await refusal(world.card(1))).toBe(noClient(1));
    expect(await world.add([now], { recovery: true })).toEqual([
      { uuid: 'u-1', result: 'Success', createdClientId: 1 },
    ]);
    expect(await world.card(1)).toMatchObject({
      ...{ id: 1, note: 'kept', segment: 'warm', clientType: 'VIP', timeZone: 'Asia/Omsk' },
    });
    expect(await world.applications(1)).toMatchObject([{ id: 1, nextPhoneNumber: '555' }]);
    await world.filter(1, { key: 'phones.phoneNumber', operator: '=', value: '79160000001' });
    expect(await world.applications(1)).toEqual([]);
  });

  it('that is not deleted is made once, with recovery too', async () => {
    const world = await startWorld();
    const recovery = true;
    expect(await resultOf(world, client(1), { recovery })).toBe('Success');
    expect(await resultOf(world, client(1), { recovery })).toBe(exists(1));
    const again = client(2, { uuid: 'u-1' });
    expect(await resultOf(world, again), 'a uuid counts within its request').toBe('Success');
  });
});

describe('contact data that is added', () => {
  const addPhone = (world: World, phoneNumber: string) =>
    world.center.addPhone({
      body: { clientSyncIdentifiers: identifiers(1), phoneNumber, type: 'MOB' },
    });

  it('counts for the blacklist, and for filters', async () => {
    const world = await startWorld();
    await world.have(1);
    const [one, other] = [await world.haveCampaign(), await world.haveCampaign()];
    await world.enqueue(one, [1]);
    await addPhone(world, BLACKLISTED);
    expect(await world.enqueue(other, [1])).toEqual([[1, 'Client is in blacklist']]);
    await world.filter(one, { key: 'phones.phoneNumber', operator: '=', value: BLACKLISTED });
    expect(await world.applications(1)).toEqual([]);
  });

  it('and switched off or on decides which phone is called: the first active one', async () => {
    const world = await startWorld();
    await world.have(1);
    await world.enqueue(await world.haveCampaign(), [1]);
    await addPhone(world, '555');
    const next = async () => (await world.applications(1))[0]?.nextPhoneNumber;
    const switched = (active: boolean) => {
      const by = { clientSyncIdentifiers: identifiers(1), phoneNumber: '79160000001' };
      return world.center.setPhoneStatus({ body: { ...by, active } });
    };
    expect(await next()).toBe('79160000001');
    await switched(false);
    expect(await next()).toBe('555');
    await switched(true);
    expect(await next()).toBe('79160000001');
  });
});

it('results and errors add up in 4.1 and 4.9, whatever is sent', async () => {
  const changes = fc.constantFrom<Record<string, unknown>>(
    ...[{}, {}, {}, { type: 'x' }, { phones: [] }, { fields: { fullName: '' } }],
  );
  const anyClient = fc.record({ offerId: fc.integer({ min: 1, max: 12 }), changes });
  const requests = fc.array(fc.array(anyClient, { maxLength: 12 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(requests, async (all) => {
      const world = await openWorld();
      const campaign = await world.haveCampaign();
      const added = new Map<number, number>();
      for (const request of all) {
        const clients = request.map((one, at) =>
          client(one.offerId, { uuid: `${at}`, ...one.changes }),
        );
        const results = await world.add(clients);
        expect(results.map(({ uuid }) => uuid)).toEqual(clients.map(({ uuid }) => uuid));
        for (const [at, { result, createdClientId }] of results.entries()) {
          expect(createdClientId === undefined).toBe(result !== 'Success');
          if (createdClientId === undefined) continue;
          expect(added.has(request[at]!.offerId)).toBe(false);
          added.set(request[at]!.offerId, createdClientId);
        }
        const offerIds = request.map(({ offerId }) => offerId);
        const there = async (offerId: number) => (await world.applications(offerId)).length;
        const before = await Promise.all([...added.keys()].map(there));
        const errors = await world.enqueue(campaign, offerIds);
        const after = await Promise.all([...added.keys()].map(there));
        const count = (counts: number[]) => counts.reduce((sum, one) => sum + one, 0);
        expect(errors).toHaveLength(offerIds.length - (count(after) - count(before)));
      }
      for (const [offerId, id] of added) {
        expect(await world.card(offerId)).toMatchObject({ id });
        expect(await world.applications(offerId)).toHaveLength(1);
      }
      await world.close();
    }),
    { numRuns: 20 },
  );
});
