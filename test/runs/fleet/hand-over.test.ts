import { expect, test } from 'vitest';
import { type Fleet, type ChunkOrder, Handover } from '../../../src/fleet/fleet.js';
import type { Queries } from '../../../src/ledger/database.js';
import { LEASE_TIMES } from '../../../src/ledger/port.js';
import { chunkOf } from '../../kit/chunks.js';

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
    ...{ handed: 0, chunks: 0, pieces: null, isCounted: true, stays: false },
  };
  const size = { rows: PIECE, bytes: Infinity };
  // No piece is said to be open, so that no job is made.
  const handover = new Handover(fleet as unknown as Fleet, 'r', work, size, 0);
  const first = new Map<number, number>();
  const orderOf = (client: number): ChunkOrder => ({
    find: (piece) => {
      const found = first.get(client);
      return { inEarlier: found !== undefined && found < piece, inCurrent: found === piece };
    },
    add: (piece) => {
      if (!first.has(client)) first.set(client, piece);
    },
  });
  for (const [number, client] of clients.entries())
    await handover.add({
      chunk: { ...chunkOf([{ id: client }, { id: client }], { first: number * CHUNK }), number },
      ...{ clients: CHUNK, order: orderOf(client) },
    });
  await handover.close();
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
