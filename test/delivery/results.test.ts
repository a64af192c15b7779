import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classifyCreated } from '../../src/delivery/attempt.js';
import { classifyEnqueued } from '../../src/delivery/attempt.js';
import { chunkOf } from '../kit/chunks.js';

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
      if (foreign && first) first.uuid = all.find((_, index) => !members.includes(index)) ?? 'none';
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
      expect(verdict.created).toEqual(foreign ? [] : MEMBERS.filter((index) => surely(index + 1)));
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
