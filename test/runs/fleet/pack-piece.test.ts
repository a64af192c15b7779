import fc from 'fast-check';
import { expect, it } from 'vitest';
import { identifiersOf, identitiesOf, uuidOf, sharedBytes } from '../../../src/core/prepared.js';
import { type NumberedChunk, packChunks, unpackChunks } from '../../../src/fleet/fleet.js';

const NAMES = ['offerId', 'offerDomain'];

/** Who the clients are stands in the records, as in an import, or beside them. */
function chunkOf(
  number: number,
  clients: readonly { uuid: string; values: readonly (string | number)[] }[],
  ofRead: boolean,
): NumberedChunk {
  const identities = identitiesOf(NAMES, clients);
  const read = sharedBytes(identities.texts.length);
  read.set(identities.texts);
  const payload = Buffer.from(clients.map(({ uuid }) => JSON.stringify({ uuid })).join(','));
  return {
    ...{ number, input: 0, sheet: 'ä', first: number * 10, count: clients.length + 1 },
    ...{ rejected: 1, skipped: 0, progress: 0.5, read },
    clients: {
      at: Uint32Array.from(clients, (_, at) => at + 1),
      rows: Uint32Array.from(clients, (_, at) => 4_000_000_000 + at),
      identities: { ...identities, texts: ofRead ? read : identities.texts },
      derivedUuids: ofRead,
      payload,
      ends: Uint32Array.from(clients, (_, at) => at),
      keys: Uint32Array.from([1, 2, 3]),
      keyEnds: Uint32Array.from(clients, () => 1),
      ...(ofRead
        ? {
            callable: {
              numbers: Float64Array.from(clients, (_, at) => 79_161_234_567 + at),
              ends: Uint32Array.from(clients, (_, at) => at + 1),
            },
          }
        : {}),
    },
    ...{ problems: [], remarks: [], evidence: [], kept: [], shown: [] },
  };
}

it('gives back the clients of every chunk, without the keys of duplicates', async () => {
  const client = fc.record({
    uuid: fc.string({ unit: 'grapheme', minLength: 1 }),
    values: fc.tuple(fc.integer(), fc.string({ unit: 'grapheme' })),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.array(client, { maxLength: 5 }), fc.boolean()), { maxLength: 4 }),
      async (given) => {
        const chunks = given.map(([clients, ofRead], at) => chunkOf(at, clients, ofRead));
        const unpacked = await unpackChunks(await packChunks(chunks));
        expect(unpacked.length).toBe(chunks.length);
        for (const [place, chunk] of chunks.entries()) {
          const { clients, read, ...rest } = unpacked[place]!;
          const { clients: own, read: ownRead, ...ownRest } = chunk;
          expect(rest).toEqual(ownRest);
          expect([...read]).toEqual([...ownRead]);
          expect(clients.callable).toEqual(own.callable);
          for (const name of ['at', 'rows', 'ends', 'payload'] as const)
            expect([...clients[name]]).toEqual([...own[name]]);
          for (const index of own.at.keys()) {
            expect(uuidOf(clients, index)).toBe(uuidOf(own, index));
            expect(identifiersOf(clients, index)).toBe(identifiersOf(own, index));
          }
          expect([clients.keys.length, clients.keyEnds.length]).toEqual([0, own.at.length]);
        }
      },
    ),
    { numRuns: 50 },
  );
});
