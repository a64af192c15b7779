import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PreparedChunk } from '../../src/core/prepared.js';
import {
  type RunMode,
  type ListsPort,
  type NumberCheck,
  SuppressedTally,
} from '../../src/core/outcome.js';
import { isCheckedAgain, listedAmong } from '../../src/delivery/attempt.js';
import { chunkOf } from '../kit/chunks.js';
import { CAMPAIGN, type Lab, openCards, openLab } from './lab.js';

const HOUR = 3_600_000;

/** Client `id` has the phones that are given at its place. */
function withPhones(phones: readonly (readonly number[])[]): PreparedChunk {
  const chunk = chunkOf(phones.map((_, index) => ({ id: index + 1 })));
  let end = 0;
  const callable = {
    numbers: Float64Array.from(phones.flat()),
    ends: Uint32Array.from(phones, (each) => (end += each.length)),
  };
  return { ...chunk, clients: { ...chunk.clients, callable } };
}

const listing =
  (scope: 'phone' | 'row', ...numbers: readonly number[]): NumberCheck['check'] =>
  (number) =>
    numbers.includes(number) ? { names: ['own'], scope } : null;

test('a run looks again at lists only when it has gone on for more than an hour', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(5 * HOUR), (began, passed) => {
      expect(isCheckedAgain(began, began + passed)).toBe(passed > HOUR);
    }),
  );
});

describe('a client that has come onto a list', () => {
  const { clients } = withPhones([[1, 2], [3], []]);
  const held = (mode: RunMode, check: NumberCheck['check']): number[] =>
    listedAmong(clients, [0, 1, 2], { check }, mode).map(([index]) => index);

  test('is held for any of its phones where the run made or changed its card', () => {
    for (const mode of ['create', 'upsert'] as const) {
      expect(held(mode, listing('phone', 2))).toEqual([0]);
      expect(held(mode, listing('phone', 1, 2, 3))).toEqual([0, 1]);
      expect(held(mode, listing('phone'))).toEqual([]);
    }
  });

  test('is held for all of its phones where the card was there before, or where the row counts', () => {
    expect(held('enqueue', listing('phone', 2))).toEqual([]);
    expect(held('enqueue', listing('phone', 1, 2))).toEqual([0]);
    expect(held('enqueue', listing('row', 2))).toEqual([0]);
  });
});

describe('an import of which the second client comes onto a list', () => {
  const chunk = withPhones([[101], [102], [103]]);

  async function importFor(hours: number, mode: 'create' | 'enqueue') {
    const lab: Lab = openLab();
    const cards = openCards(lab, () => undefined);
    const sent: number[] = [];
    const asked: number[] = [];
    const lists: ListsPort = {
      current: () => {
        asked.push(lab.timeline.now());
        return Promise.resolve({ check: listing('phone', 102) });
      },
    };
    const wait = (): Promise<void> =>
      new Promise((resolve) => void lab.timeline.after(hours * HOUR, resolve));
    const life = lab.start({
      chunks: [chunk],
      lists,
      delivery: {
        addClients: async (body) => {
          await wait();
          return cards.delivery.addClients(body);
        },
        addApplications: (_campaign, body) => {
          const { clients } = JSON.parse(Buffer.from(body).toString()) as {
            clients: { clientIdentifiers: { offerId: number } }[];
          };
          sent.push(...clients.map(({ clientIdentifiers }) => clientIdentifiers.offerId));
          return Promise.resolve([]);
        },
      },
      settings: { batchSize: 3, mode, campaign: { id: CAMPAIGN, maxCallCount: 1 } },
      ...(mode === 'enqueue' ? { pause: pauseFor(wait) } : {}),
    });
    const end = await lab.end(life);
    expect(end.stopped).toBeUndefined();
    return { sent, asked, rows: await Promise.resolve(lab.rows()) };
  }

  /** Holds the run back once, before anything is sent. */
  function pauseFor(wait: () => Promise<void>) {
    let isPaused = true;
    return {
      get isPaused() {
        return isPaused;
      },
      untilContinued: async () => {
        await wait();
        isPaused = false;
      },
      pausedMs: () => 0,
    };
  }

  test('does not ask for an hour', async () => {
    const { sent, asked, rows } = await importFor(0.9, 'create');
    expect([sent, asked]).toEqual([[1, 2, 3], []]);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['enqueued', 'enqueued', 'enqueued']);
  });

  test('says of its card that it was not added to the campaign', async () => {
    const { sent, rows } = await importFor(1.1, 'create');
    expect(sent).toEqual([1, 3]);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['enqueued', 'enqueue_failed', 'enqueued']);
    expect(rows[1]).toMatchObject({
      createResult: 'Success',
      enqueueResult: expect.stringContaining('it has come onto the list "own"') as string,
      heldBy: ['own'],
    });
    const tally = new SuppressedTally();
    for (const row of rows) tally.addRow(row);
    expect(tally.list()).toEqual([{ list: 'own', rows: 1, phones: 0 }]);
  });

  test('skips it where it is added to the campaign alone', async () => {
    const { sent, rows } = await importFor(1.1, 'enqueue');
    expect(sent).toEqual([1, 3]);
    expect(rows[1]).toMatchObject({
      outcome: 'skipped',
      problems: [{ code: 'suppressed', lists: ['own'] }],
    });
  });
});
