import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identifiersOf, identitiesOf, uuidOf, uuidTest } from '../../src/core/prepared.js';
import { classifyCreated, classifyEnqueued } from '../../src/delivery/attempt.js';
import { createBody, cutBatches, enqueueBody } from '../../src/delivery/batch.js';
import { chunkOf } from '../kit/chunks.js';

const bodyOf = (body: Uint8Array): { clients: { uuid: string }[] } =>
  JSON.parse(Buffer.from(body).toString()) as { clients: { uuid: string }[] };

test('batches hold every member once, within the limits, each with one client of a kind', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ id: fc.nat(20), uuid: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f') }), {
        maxLength: 60,
      }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 20, max: 400 }),
      fc.boolean(),
      (rows, clients, bytes, screened) => {
        const { clients: prepared } = chunkOf(rows);
        const members = [...prepared.at.keys()].filter((index) => index % 4 !== 3);
        const batches = cutBatches(prepared, members, { clients: () => clients, bytes }, screened);
        expect(batches.flat().toSorted((one, other) => one - other)).toEqual(members);
        for (const batch of batches) {
          const body = createBody(prepared, batch);
          const uuids = bodyOf(body).clients.map(({ uuid }) => uuid);
          expect(uuids).toEqual(batch.map((index) => uuidOf(prepared, index)));
          expect(new Set(uuids).size).toBe(batch.length);
          const ids = new Set(batch.map((index) => identifiersOf(prepared, index)));
          if (!screened) expect(ids.size).toBe(batch.length);
          expect(batch.length).toBeLessThanOrEqual(clients);
          if (batch.length > 1) expect(body.length).toBeLessThanOrEqual(bytes);
        }
        // Whoever has the same identifiers or uuid goes in the order of the rows.
        const order = batches.flatMap((batch, at) => batch.map((index) => ({ index, at })));
        for (const one of order)
          for (const other of order)
            if (
              one.index < other.index &&
              uuidOf(prepared, one.index) === uuidOf(prepared, other.index)
            )
              expect(one.at).toBeLessThan(other.at);
      },
    ),
  );
});

const someText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('', 'Имя', 'a"b', 'a\\b', '\ud800', 'uuid-1', 'line\nend'),
);

test('uuids and identifiers are those that were put in, whatever they hold', () => {
  const client = fc.record({ uuid: someText, id: fc.integer(), code: someText });
  fc.assert(
    fc.property(fc.array(client, { minLength: 1, maxLength: 9 }), someText, (clients, other) => {
      const identities = identitiesOf(
        ['id', 'code'],
        clients.map(({ uuid, id, code }) => ({ uuid, values: [id, code] })),
      );
      const isUuidOf = uuidTest({ identities }, [...clients.keys()]);
      for (const [index, { uuid, id, code }] of clients.entries()) {
        expect(uuidOf({ identities }, index)).toBe(uuid);
        expect(identifiersOf({ identities }, index)).toBe(JSON.stringify({ id, code }));
        for (const text of [other, uuid, `${uuid}x`, uuid.slice(1)])
          if (isUuidOf) expect(isUuidOf(index, text)).toBe(text === uuid);
      }
      const isPlain = (text: string): boolean =>
        JSON.stringify(text) === `"${text}"` && !/[^ -~]/.test(text);
      if (clients.every(({ uuid, code }) => isPlain(uuid) && isPlain(code)))
        expect(isUuidOf).toBeDefined();
    }),
  );
});

test('a client with the identifiers of an earlier one waits for the next batch, which is filled up', () => {
  const ids = [1, 1, 2, 2, 3, 1, 4, 5];
  const { clients } = chunkOf(ids.map((id, index) => ({ id, uuid: `uuid-${index}` })));
  const members = [...ids.keys()];
  const limits = { clients: () => 3, bytes: 1e6 };
  expect(cutBatches(clients, members, limits, false)).toEqual([
    [0, 2, 4],
    [1, 3, 6],
    [5, 7],
  ]);
  expect(cutBatches(clients, members, limits, true)).toEqual([
    [0, 1, 2],
    [3, 4, 5],
    [6, 7],
  ]);
});

test('the enqueue body names the clients by their identifiers', () => {
  const { clients } = chunkOf([{ id: 1 }, { id: 2 }, { id: 3 }]);
  const body = (campaign: Parameters<typeof enqueueBody>[2]): unknown =>
    JSON.parse(Buffer.from(enqueueBody(clients, [0, 2], campaign)).toString());
  const named = [{ clientIdentifiers: { offerId: 1 } }, { clientIdentifiers: { offerId: 3 } }];
  expect(body({ id: 7, maxCallCount: 3 })).toEqual({ maxCallCount: 3, clients: named });
  expect(body({ id: 7, maxCallCount: 1, disableDuplicatePhonesValidation: false })).toEqual({
    maxCallCount: 1,
    disableDuplicatePhonesValidation: false,
    clients: named,
  });
});

describe('what an answer means', () => {
  const { clients } = chunkOf([{ id: 1 }, { id: 2 }, { rejected: 'x' }, { id: 3 }]);
  const MEMBERS = [0, 1, 2];

  test('results are matched by uuid, whatever their order', () => {
    const answers = [
      { uuid: 'uuid-1', result: 'Success', createdClientId: 11 },
      { uuid: 'uuid-2', result: 'Field [fullName] is required.' },
      { uuid: 'uuid-3', result: 'Success', createdClientId: 13 },
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(answers, { minLength: 3 }), (shuffled) => {
        expect(classifyCreated(clients, MEMBERS, shuffled)).toEqual({
          results: [
            [0, 11],
            [1, null, 'Field [fullName] is required.'],
            [3, 13],
          ],
          unknown: [],
          created: [0, 2],
        });
      }),
    );
  });

  test('an answer in the order of its batch is judged as any other, whatever the uuids and the order', () => {
    const uuids = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(uuids, fc.infiniteStream(fc.nat()), fc.boolean(), (all, order, foreign) => {
        const { clients: named } = chunkOf(all.map((uuid, id) => ({ id, uuid })));
        const keys = [...order.take(all.length)];
        const members = [...keys.keys()]
          .toSorted((one, other) => (keys[one] ?? 0) - (keys[other] ?? 0))
          .slice(0, 1 + ((keys[0] ?? 0) % all.length));
        const answer = members.map((index) => ({ uuid: all[index] ?? '', result: 'Success' }));
        const [first] = answer;
        // One that was not asked for stands where another one should.
        if (foreign && first)
          first.uuid = all.find((_, index) => !members.includes(index)) ?? 'none';
        const inOrder = classifyCreated(named, members, answer);
        expect(inOrder).toEqual(classifyCreated(named, members, answer.toReversed()));
        expect(inOrder.created).toEqual(foreign ? [] : members);
      }),
    );
  });

  test('every member is a result or unknown, whatever the answer holds', () => {
    const uuid = fc.constantFrom('uuid-1', 'uuid-2', 'uuid-3', 'uuid-9');
    const result = fc.constantFrom('Success', 'No.', '');
    fc.assert(
      fc.property(fc.array(fc.record({ uuid, result }), { maxLength: 6 }), (answer) => {
        const verdict = classifyCreated(clients, MEMBERS, answer);
        expect(verdict.results.length + verdict.unknown.length).toBe(MEMBERS.length);
        const surely = (id: number): boolean => {
          const own = answer.filter((one) => one.uuid === `uuid-${id}`);
          return own.length === 1 && own[0]?.result === 'Success';
        };
        const foreign = answer.some((one) => one.uuid === 'uuid-9');
        expect(verdict.created).toEqual(
          foreign ? [] : MEMBERS.filter((index) => surely(index + 1)),
        );
      }),
    );
  });

  test('a client that the answer names twice is unknown, however alike, and the others are not', () => {
    const success = { uuid: 'uuid-1', result: 'Success', createdClientId: 11 };
    const others = [
      { uuid: 'uuid-2', result: 'No.' },
      { uuid: 'uuid-3', result: 'Success', createdClientId: 13 },
    ];
    const verdict = {
      results: [
        [1, null, 'No.'],
        [3, 13],
      ],
      unknown: [0],
      created: [2],
    };
    for (const again of [
      success,
      { ...success, createdClientId: 12 },
      { uuid: 'uuid-1', result: '' },
    ])
      expect(classifyCreated(clients, MEMBERS, [success, ...others, again])).toEqual(verdict);
  });

  test('an error of 4.9 meets its client by identifiers, also when a number came back as text', () => {
    const errors = [
      { clientIdentifiers: { offerId: '2', extra: 1 }, errorMessage: 'No such client' },
    ];
    expect(classifyEnqueued(clients, MEMBERS, errors, ['offerId'])).toEqual({
      results: [[0], [1, 'No such client'], [3]],
      foreign: false,
    });
  });

  test('an error about a client that was not sent makes the answer doubtful', () => {
    const errors = [{ clientIdentifiers: { offerId: 99 }, errorMessage: 'No such client' }];
    expect(classifyEnqueued(clients, MEMBERS, errors, ['offerId']).foreign).toBe(true);
  });
});
