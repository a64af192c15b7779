import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BLACKLISTED,
  client,
  INSTALLATION,
  mobile,
  noClient,
  openWorld,
  refusal,
  startWorld,
  type World,
} from './world.js';
import { tablesIn } from '../../kit/tables.js';

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
