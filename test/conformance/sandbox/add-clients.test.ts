import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { client, CLIENTS, INSTALLATION, READ, startWorld, type World } from './harness.js';

const phone = (changes: Record<string, unknown>) => ({
  phones: [{ phoneNumber: '79160000001', type: 'MOB', ...changes }],
});
const fields = (changes: Record<string, unknown>) => ({
  fields: { offerId: 1, fullName: 'Name', ...changes },
});

/** What is changed of a right client, and the result. */
const JUDGED: readonly [Record<string, unknown>, string][] = [
  [{}, 'Success'],
  [{ uuid: undefined }, 'Field [uuid] is required.'],
  [{ uuid: ' ' }, 'Field [uuid] is required.'],
  [{ uuid: 7 }, 'Field [uuid] must be text.'],
  [{ clientRoleId: undefined }, 'Field [clientRoleId] is required.'],
  [{ clientRoleId: '1' }, 'Field [clientRoleId] must be an integer.'],
  [{ clientRoleId: 1.5 }, 'Field [clientRoleId] must be an integer.'],
  [{ clientRoleId: 3 }, 'Field [clientRoleId] must be one of 1, 2.'],
  [{ type: undefined }, 'Field [type] is required.'],
  [{ type: 'GOLD' }, 'Field [type] must be one of SIMPLE, VIP.'],
  [{ type: 'vip' }, 'Field [type] must be one of SIMPLE, VIP.'],
  [{ timeZone: undefined }, 'Field [timeZone] is required.'],
  [{ timeZone: '' }, 'Field [timeZone] is required.'],
  [{ timeZone: 3 }, 'Field [timeZone] must be text.'],
  [{ timeZone: 'x'.repeat(25) }, 'Success'],
  [{ timeZone: 'x'.repeat(26) }, 'Field [timeZone] must have at most 25 characters.'],
  [{ fields: undefined }, 'Field [fields] is required.'],
  [{ fields: [] }, 'Field [fields] must be an object.'],
  [{ fields: {} }, "Client doesn't have all syncronize identifier fields."],
  [fields({ offerId: null }), "Client doesn't have all syncronize identifier fields."],
  [fields({ offerId: '  ' }), "Client doesn't have all syncronize identifier fields."],
  [fields({ fullName: undefined }), 'Field [fullName] is required.'],
  [fields({ fullName: ' ' }), 'Field [fullName] is required.'],
  [fields({ fullName: null }), 'Field [fullName] is required.'],
  [fields({ offerId: 'abc' }), 'Field [offerId] must be a number.'],
  [fields({ offerId: true }), 'Field [offerId] must be a number.'],
  [fields({ offerId: '12345678901234567890' }), 'Field [offerId] must be a number.'],
  [fields({ offerId: '42' }), 'Success'],
  [fields({ score: -1.5 }), 'Success'],
  [fields({ fullName: { first: 'x' } }), 'Field [fullName] must be text.'],
  [fields({ fullName: 12 }), 'Success'],
  [fields({ segment: 'warm', stage: 'done' }), 'Success'],
  [fields({ segment: 'hot' }), 'Field [segment] must be one of cold, warm.'],
  [fields({ stage: 'old' }), 'Field [stage] must be one of new, done.'],
  [fields({ segment: '', score: null }), 'Success'],
  [fields({ nope: 1 }), 'Field [nope] is not in the card configuration.'],
  [fields({ constructor: 1 }), 'Field [constructor] is not in the card configuration.'],
  [{ phones: undefined }, 'Field [phones] is required.'],
  [{ phones: [] }, 'Field [phones] is required.'],
  [{ phones: {} }, 'Field [phones] must be an array.'],
  [{ phones: ['7916'] }, 'Field [phones[0]] must be an object.'],
  [phone({ phoneNumber: undefined }), 'Field [phones[0].phoneNumber] is required.'],
  [phone({ phoneNumber: ' ' }), 'Field [phones[0].phoneNumber] is required.'],
  [phone({ phoneNumber: 7916 }), 'Field [phones[0].phoneNumber] must be text.'],
  [phone({ type: undefined }), 'Field [phones[0].type] is required.'],
  [phone({ type: 'PAGER' }), 'Field [phones[0].type] must be one of MOB, HOME, WORK, FAX.'],
  [phone({ type: 'FAX', active: false, disabled: true }), 'Success'],
  [phone({ active: 'yes' }), 'Field [phones[0].active] must be true or false.'],
  [phone({ disabled: 1 }), 'Field [phones[0].disabled] must be true or false.'],
  [{ addresses: undefined }, 'Field [addresses] is required.'],
  [{ addresses: 'Here' }, 'Field [addresses] must be an array.'],
  [{ addresses: [{ address: 'Here', type: 'HOME' }] }, 'Success'],
  [{ addresses: [{ type: 'HOME' }] }, 'Field [addresses[0].address] is required.'],
  [
    { addresses: [{ address: 'A', type: 'MOB' }] },
    'Field [addresses[0].type] must be one of WORK, HOME.',
  ],
  [{ emails: undefined }, 'Field [emails] is required.'],
  [{ emails: null }, 'Field [emails] is required.'],
  [{ emails: [{ email: 'a@example.org', active: false }] }, 'Success'],
  [{ emails: [{}] }, 'Field [emails[0].email] is required.'],
  [
    { emails: [{ email: 'a@example.org', active: 0 }] },
    'Field [emails[0].active] must be true or false.',
  ],
];

describe('a client to add', () => {
  it.each(JUDGED)('%j: %s', async (changes, result) => {
    const world = await startWorld();
    const { status, json } = await world.addClients(client(1, changes), client(2));
    expect(status).toBe(201);
    const [first, second] = json.createResult;
    expect(first?.result).toBe(result);
    expect('createdClientId' in first!).toBe(result === 'Success');
    expect(second).toMatchObject({ uuid: 'u-2', result: 'Success' });
  });

  it('may be anything but an object, and fails alone', async () => {
    const world = await startWorld();
    const { json } = await world.addClients(null, 'x', [], client(1));
    expect(json.createResult.map(({ result }) => result)).toEqual([
      'A client must be an object.',
      'A client must be an object.',
      'A client must be an object.',
      'Success',
    ]);
  });

  it('may have any role where the installation names none', async () => {
    const { clientRoles: _, ...installation } = INSTALLATION;
    const world = await startWorld({ installation });
    const { json } = await world.addClients(client(1, { clientRoleId: 77 }));
    expect(json.createResult[0]?.result).toBe('Success');
  });

  it('must have every one of several identifiers', async () => {
    const card = {
      a: { type: 'TextField', sync: true, required: false },
      b: { type: 'Number', sync: true, required: false },
    } as const;
    const world = await startWorld({ installation: { ...INSTALLATION, card } });
    const of = (uuid: string, values: object) => client(1, { uuid, fields: values });
    const { json } = await world.addClients(
      of('1', { a: 'x', b: 1 }),
      of('2', { a: 'x', b: 2 }),
      of('3', { a: 'x' }),
      of('4', { b: '1', a: 'x' }),
    );
    expect(json.createResult.map(({ result }) => result)).toEqual([
      'Success',
      'Success',
      "Client doesn't have all syncronize identifier fields.",
      'Client with identifiers: [a=x, b=1] already exists',
    ]);
    const read = await world.call('POST', READ, { clientSyncIdentifiers: { b: 3, a: 'x' } });
    expect(read.json).toEqual({ errorMessage: 'No clients with identifiers: [a=x, b=3]' });
  });

  it('keeps each value in the form of its field', async () => {
    const world = await startWorld();
    await world.addClients(client(1, { fields: { offerId: '42', fullName: 7, score: '1.50' } }));
    expect(await world.card(42)).toMatchObject({
      offerId: 42,
      fullName: '7',
      score: 1.5,
      note: null,
    });
  });

  it('is found after its identifiers were changed, by the new ones alone', async () => {
    const world = await startWorld();
    await world.haveClients(1, 2);
    await world.call('PUT', CLIENTS, {
      syncIdentifiers: { offerId: 1 },
      fieldsToUpdate: { offerId: 5, note: 'n' },
    });
    expect(await world.card(5)).toMatchObject({ id: 1, note: 'n', fullName: 'Name 1' });
    await world.call('PUT', '/api/v1/clients/1/syncIdentifiers/exec.do', {
      clientSyncIdentifiers: { offerId: 6 },
    });
    expect(await world.card(6)).toMatchObject({ id: 1, note: 'n' });
    const { json } = await world.addClients(client(1), client(5), client(6));
    expect(json.createResult.map(({ result }) => result)).toEqual([
      'Success',
      'Success',
      'Client with identifiers: [offerId=6] already exists',
    ]);
  });
});

describe('a second creation', () => {
  const results = async (world: World, body: unknown) => {
    const { status, json } = await world.call('POST', CLIENTS, body);
    expect(status).toBe(201);
    return json.createResult;
  };

  it('of the same identifiers fails for that client alone', async () => {
    const world = await startWorld();
    expect(
      await results(world, { clients: [client(1), client(1, { uuid: 'again' }), client(2)] }),
    ).toEqual([
      { uuid: 'u-1', result: 'Success', createdClientId: 1 },
      { uuid: 'again', result: 'Client with identifiers: [offerId=1] already exists' },
      { uuid: 'u-2', result: 'Success', createdClientId: 2 },
    ]);
    expect(await results(world, { clients: [client(1)], recovery: true })).toEqual([
      { uuid: 'u-1', result: 'Client with identifiers: [offerId=1] already exists' },
    ]);
  });

  it('of the same uuid in one request fails for that client alone', async () => {
    const world = await startWorld();
    expect(await results(world, { clients: [client(1), client(2, { uuid: 'u-1' })] })).toEqual([
      { uuid: 'u-1', result: 'Success', createdClientId: 1 },
      { uuid: 'u-1', result: 'Field [uuid] must be unique within one request.' },
    ]);
    expect(await results(world, { clients: [client(2, { uuid: 'u-1' })] })).toMatchObject([
      { result: 'Success' },
    ]);
  });

  it('of a deleted client needs recovery, which restores the card with what is given now', async () => {
    const world = await startWorld();
    await world.haveClients(1);
    await world.haveCampaign();
    await world.enqueue(1, 1);
    await world.call('DELETE', CLIENTS, { syncIdentifiers: { offerId: 1 } });
    const refused = [
      {
        uuid: 'u-1',
        result: 'Client with identifiers: [offerId=1] is deleted; recovery restores it',
      },
    ];
    expect(await results(world, { clients: [client(1)] })).toEqual(refused);
    expect(await results(world, { clients: [client(1)], recovery: false })).toEqual(refused);
    const now = client(1, {
      type: 'VIP',
      timeZone: 'Asia/Omsk',
      fields: { offerId: 1, fullName: 'New', note: 'n' },
      ...phone({ phoneNumber: '555' }),
    });
    expect(await results(world, { clients: [now], recovery: true })).toEqual([
      { uuid: 'u-1', result: 'Success', createdClientId: 1 },
    ]);
    expect(await world.card(1)).toMatchObject({
      id: 1,
      fullName: 'New',
      note: 'n',
      clientType: 'VIP',
      timeZone: 'Asia/Omsk',
    });
    expect(await world.applications(1)).toMatchObject([{ id: 1, nextPhoneNumber: '555' }]);
  });

  it('takes true or false alone for recovery', async () => {
    const world = await startWorld();
    const { status } = await world.call('POST', CLIENTS, { clients: [client(1)], recovery: 'yes' });
    expect(status).toBe(400);
  });
});

describe('counts', () => {
  const anyClient = fc.record({
    offerId: fc.integer({ min: 1, max: 12 }),
    changes: fc.constantFrom<Record<string, unknown>>(
      {},
      {},
      {},
      { type: 'x' },
      { phones: [] },
      { fields: {} },
    ),
  });

  it('add up in 4.1 and 4.9, whatever is sent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyClient, { maxLength: 12 }), { maxLength: 4 }),
        async (requests) => {
          const world = await startWorld();
          await world.haveCampaign();
          const added = new Map<number, number>();
          for (const request of requests) {
            const clients = request.map(({ offerId, changes }, i) =>
              client(offerId, { uuid: `${i}`, ...changes }),
            );
            const { json } = await world.addClients(...clients);
            const all = json.createResult;
            expect(all.map(({ uuid }) => uuid)).toEqual(clients.map(({ uuid }) => uuid));
            for (const [i, { result, createdClientId }] of all.entries()) {
              expect(createdClientId === undefined).toBe(result !== 'Success');
              if (createdClientId === undefined) continue;
              expect(added.has(request[i]!.offerId)).toBe(false);
              added.set(request[i]!.offerId, createdClientId);
            }
            const answer = await world.enqueue(1, ...request.map(({ offerId }) => offerId));
            expect(answer.status).toBe(answer.json.errors ? 400 : 200);
          }
          for (const [offerId, id] of added) {
            expect(await world.card(offerId)).toMatchObject({ id });
            expect(await world.applications(offerId)).toHaveLength(1);
          }
          await world.close();
        },
      ),
      { numRuns: 25 },
    );
  });

  it('of failures in 4.9 are the clients that are not there or were there before', async () => {
    const offers = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 });
    const world = await startWorld();
    await world.haveClients(1, 2, 3, 4, 5);
    let campaign = 0;
    await fc.assert(
      fc.asyncProperty(offers, async (offerIds) => {
        await world.haveCampaign();
        campaign += 1;
        const { json } = await world.enqueue(campaign, ...offerIds);
        const fresh = new Set(offerIds.filter((offerId) => offerId <= 5));
        expect(json.errors?.length ?? 0).toBe(offerIds.length - fresh.size);
      }),
      { numRuns: 40 },
    );
  });
});
