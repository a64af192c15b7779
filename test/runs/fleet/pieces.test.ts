import { expect, test } from 'vitest';
import {
  type Fleet,
  Handover,
  type NumberedChunk,
  packChunks,
  unpackChunks,
} from '../../../src/fleet/fleet.js';
import type { Queries } from '../../../src/ledger/database.js';
import { LEASE_TIMES } from '../../../src/ledger/port.js';
import { createSeenKeys } from '../../../src/lists/seen.js';
import { chunkOf } from '../../kit/chunks.js';
import { identifiersOf, identitiesOf, sharedBytes, uuidOf } from '../../../src/core/prepared.js';
import fc from 'fast-check';

/** Rows in each chunk, and in a piece at least. */
const [CHUNK, PIECE] = [2, 4];

/** Hands chunks over that have one client each, and gives the pieces: the chunks in them, and whether they wait. */
async function handedOver(clients: readonly number[]): Promise<string[]> {
  const pieces: string[] = [];
  const queries: Queries = {
    rows: () => Promise.resolve([]),
    run: (text, values = []) => {
      const [chunks, waits] = [values[4], values[7]];
      if (text.includes('INSERT')) pieces.push(`${String(chunks)}${waits === true ? ' wait' : ''}`);
      return Promise.resolve(1);
    },
  };
  const connections = {
    ...{ name: 'none', ...queries, close: () => Promise.resolve() },
    transaction: <T>(work: (inside: Queries) => Promise<T>) => work(queries),
  };
  const fleet = { connections, times: LEASE_TIMES, close: () => Promise.resolve() };
  const tally = { rejected: 0, allowed: null, onStop: () => undefined };
  const work = {
    ...{ place: 1, lease: { run: 'r', epoch: 1 }, tally },
    ...{ handed: 0, chunks: 0, isCounted: true, stays: false },
  };
  const size = { rows: PIECE, bytes: Infinity };
  // No piece is said to be open, so that no job is made.
  const first = createSeenKeys();
  const handover = new Handover(fleet as unknown as Fleet, 'r', work, size, 0, first);
  for (const [number, client] of clients.entries())
    await handover.add({
      chunk: { ...chunkOf([{ id: client }, { id: client }], { first: number * CHUNK }), number },
      ...{ clients: CHUNK, keys: [Uint32Array.of(client, 0, 0)] },
    });
  await handover.close();
  first.close();
  return pieces;
}

test('rows of a client that follow each other are in one piece', async () => {
  expect(await handedOver([1, 2, 3, 4, 5])).toEqual(['2', '2', '1']);
  expect(await handedOver([1, 2, 2, 3, 4])).toEqual(['3', '2']);
});

test('a client of very many rows does not make a piece ever larger: the next one waits', async () => {
  expect(await handedOver([1, 1, 1, 1, 1, 2])).toEqual(['4', '2 wait']);
});

test('a piece with a later row of a client of another piece waits', async () => {
  expect(await handedOver([1, 2, 3, 1, 5, 6])).toEqual(['2', '2 wait', '2']);
});

const NAMES = ['offerId', 'offerDomain'];

/** Who the clients are stands in the records, as in an import, or beside them. */
function numbered(
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

test('gives back the clients of every chunk, without the keys of duplicates', async () => {
  const client = fc.record({
    uuid: fc.string({ unit: 'grapheme', minLength: 1 }),
    values: fc.tuple(fc.integer(), fc.string({ unit: 'grapheme' })),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.array(client, { maxLength: 5 }), fc.boolean()), { maxLength: 4 }),
      async (given) => {
        const chunks = given.map(([clients, ofRead], at) => numbered(at, clients, ofRead));
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
