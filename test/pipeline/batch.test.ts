import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBody, cutBatches, enqueueBody } from '../../src/pipeline/batch.js';
import { chunkOf } from '../helpers/chunks.js';

test('batches hold every member once, in order, within the limits, with each uuid once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ id: fc.nat(1e6), uuid: fc.constantFrom('a', 'b', 'c', 'd', 'e') }), {
        maxLength: 60,
      }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 20, max: 400 }),
      (rows, clients, bytes) => {
        const { clients: prepared } = chunkOf(rows);
        const members = [...prepared.at.keys()].filter((index) => index % 4 !== 3);
        const batches = cutBatches(prepared, members, { clients, bytes });
        expect(batches.flat()).toEqual(members);
        for (const batch of batches) {
          const body = createBody(prepared, batch);
          const sent = JSON.parse(Buffer.from(body).toString()) as { clients: { uuid: string }[] };
          const uuids = sent.clients.map(({ uuid }) => uuid);
          expect(uuids).toEqual(batch.map((index) => prepared.uuids[index]));
          expect(new Set(uuids).size).toBe(batch.length);
          expect(batch.length).toBeLessThanOrEqual(clients);
          if (batch.length > 1) expect(body.length).toBeLessThanOrEqual(bytes);
        }
      },
    ),
  );
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
