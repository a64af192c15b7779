import { describe, expect, test } from 'vitest';
import type { EnqueueError } from '../../src/core/client.js';
import { OutcomeUnknownError, RefusedError } from '../../src/core/errors.js';
import { chunkOf } from '../kit/chunks.js';
import { CAMPAIGN, type Fate, type Lab, SECOND, openCards, openLab, twice } from './lab.js';

const TIMED_OUT = new OutcomeUnknownError('No answer in time.', 'addClients');
const CONFIRMED = 'Success (confirmed by lookup)';
const LOST = {
  'a time-out': TIMED_OUT,
  'a gateway that gave up': new OutcomeUnknownError('HTTP 504', 'addClients', 504),
  'a server error in another form': new OutcomeUnknownError('HTTP 500', 'addClients', 500),
  'an answer of another form': new OutcomeUnknownError('HTML', 'addClients', 200),
};

const ids = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
const outcomes = async (lab: Lab): Promise<string[]> => [
  ...new Set((await lab.rows()).map(({ outcome }) => outcome)),
];

describe.each(Object.entries(LOST))('a creation that is lost by %s', (_what, lost) => {
  test.each([2.5, 6, 30, 59])('and carried out %d s later is not sent twice', async (seconds) => {
    const lab = openLab();
    const fate: Fate = { lost, after: seconds * SECOND };
    const cards = openCards(lab, (nth) => (nth === 2 ? fate : undefined));
    const life = lab.start({ chunks: [chunkOf(ids(10))], delivery: cards.delivery });
    expect((await lab.end(life)).stopped).toBeUndefined();
    expect(twice(cards.sent)).toEqual([]);
    expect(twice(cards.created)).toEqual([]);
    expect(await outcomes(lab)).toEqual(['created']);
    expect((await lab.rows())[2]?.createResult).toBe(CONFIRMED);
  });

  test('and never carried out is sent again, after the deadline', async () => {
    const lab = openLab();
    const cards = openCards(lab, (nth) => (nth === 2 ? { lost } : undefined));
    await lab.end(lab.start({ chunks: [chunkOf(ids(10))], delivery: cards.delivery }));
    expect(cards.created.size).toBe(10);
    expect(twice(cards.sent)).toEqual([3, 4]);
    const [first = 0, second = 0] = cards.sent.get(3) ?? [];
    expect(second - first).toBeGreaterThanOrEqual(60 * SECOND);
  });
});

test('an explicit deadline counts, whatever it is', async () => {
  for (const serverDeadlineMs of [0, 500, 5 * SECOND, 600 * SECOND]) {
    const lab = openLab();
    const cards = openCards(lab, (nth) => (nth === 1 ? { lost: TIMED_OUT } : undefined));
    const settings = { serverDeadlineMs };
    await lab.end(lab.start({ chunks: [chunkOf(ids(2))], delivery: cards.delivery, settings }));
    const [first = 0, second = 0] = cards.sent.get(1) ?? [];
    expect(second - first).toBeGreaterThanOrEqual(serverDeadlineMs);
    expect(second - first).toBeLessThan(serverDeadlineMs + SECOND);
  }
});

test('a server error in the words of the contact center itself is settled at once', async () => {
  const lab = openLab();
  const refusal = new RefusedError('Internal error.', 'addClients', 500);
  const cards = openCards(lab, (nth) => (nth === 1 ? { lost: refusal } : undefined));
  await lab.end(lab.start({ chunks: [chunkOf(ids(2))], delivery: cards.delivery }));
  expect(cards.created.size).toBe(2);
  expect(lab.timeline.now()).toBeLessThan(SECOND);
});

test('what is confirmed early goes on to the campaign early, and so does what was answered', async () => {
  const lab = openLab();
  const cards = openCards(lab, () => undefined);
  const enqueued = new Map<number, number>();
  const addApplications = (_: number, body: Uint8Array): Promise<EnqueueError[]> => {
    const { clients } = JSON.parse(Buffer.from(body).toString()) as {
      clients: { clientIdentifiers: { offerId: number } }[];
    };
    for (const { clientIdentifiers } of clients)
      enqueued.set(clientIdentifiers.offerId, lab.timeline.now());
    return Promise.resolve([]);
  };
  // Of three clients, one is answered, one left out of the answer, and one is left out and was not created.
  let requests = 0;
  const addClients: typeof cards.delivery.addClients = async (body) => {
    if (requests++ > 0) return cards.delivery.addClients(body);
    const results = await cards.delivery.addClients(body);
    cards.created.delete(3);
    return results.slice(0, 1);
  };
  const end = await lab.end(
    lab.start({
      chunks: [chunkOf(ids(3))],
      delivery: { ...cards.delivery, addClients, addApplications },
      settings: { batchSize: 3, campaign: { id: CAMPAIGN, maxCallCount: 1 } },
    }),
  );
  expect(end.stopped).toBeUndefined();
  expect(enqueued.get(1)).toBeLessThan(SECOND);
  expect(enqueued.get(2)).toBeLessThan(3 * SECOND);
  expect(enqueued.get(3)).toBeGreaterThanOrEqual(60 * SECOND);
  expect(await outcomes(lab)).toEqual(['enqueued']);
});

describe('while hundreds of lost batches wait', () => {
  const ROWS = 1200;
  const isLost = (nth: number): boolean => nth <= 400 && nth % 2 === 1;

  test('all other rows go on, and the person is told once what the end waits for', async () => {
    const lab = openLab();
    const cards = openCards(lab, (nth) => (isLost(nth) ? { lost: TIMED_OUT } : undefined));
    const life = lab.start({ chunks: [chunkOf(ids(ROWS))], delivery: cards.delivery });
    await lab.pass(30 * SECOND);
    expect(cards.created.size).toBe(ROWS - 400);
    await lab.end(life);
    expect(cards.created.size).toBe(ROWS);
    expect(twice(cards.created)).toEqual([]);
    const waiting = lab.told.filter((message) => message.startsWith('Waiting'));
    expect(waiting).toHaveLength(1);
    expect(waiting[0]).toMatch(
      /^Waiting up to \d+ s: .* 400 clients whose answers were lost; .*serverDeadlineMs/,
    );
  });

  test('Ctrl-C ends the run at once, and the same command settles what is unknown', async () => {
    const lab = openLab();
    // What is on its way when the run ends is carried out when the next one has begun.
    const fate: Fate = { lost: TIMED_OUT, after: 55 * SECOND };
    const cards = openCards(lab, (nth) => (isLost(nth) ? fate : undefined));
    const start = { chunks: [chunkOf(ids(ROWS))], delivery: cards.delivery };
    const life = lab.start(start);
    await lab.pass(40 * SECOND);
    life.stop();
    const before = lab.timeline.now();
    expect((await lab.end(life)).stopped?.message).toMatch(/Interrupted/);
    expect(lab.timeline.now() - before).toBeLessThan(SECOND);
    expect((await lab.rows()).filter(({ outcome }) => outcome === 'unknown')).toHaveLength(400);
    expect((await lab.end(lab.start(start))).stopped).toBeUndefined();
    expect(twice(cards.sent)).toEqual([]);
    expect(await outcomes(lab)).toEqual(['created']);
  });
});

test('one client that is waited for is told as one', async () => {
  const lab = openLab();
  const cards = openCards(lab, (nth) => (nth === 1 ? { lost: TIMED_OUT } : undefined));
  await lab.end(lab.start({ chunks: [chunkOf(ids(1))], delivery: cards.delivery }));
  expect(lab.told.at(-1)).toBe(
    'Waiting up to 58 s: the contact center may still be working on 1 client whose answer was lost; it is sent again only then. transport.serverDeadlineMs sets this time.',
  );
});

test('after a kill, what was on its way is not sent again before the deadline', async () => {
  const lab = openLab();
  const cards = openCards(lab, (nth) =>
    nth === 1 ? { lost: TIMED_OUT, after: 50 * SECOND } : undefined,
  );
  const start = { chunks: [chunkOf(ids(2))], delivery: cards.delivery };
  const life = lab.start(start);
  await lab.pass(5);
  life.kill();
  await lab.end(lab.start(start));
  expect(twice(cards.sent)).toEqual([]);
  expect(await outcomes(lab)).toEqual(['created']);
});

describe('a call application', () => {
  /** `fates` of the requests of 4.9, which carry one client each. */
  async function enqueues(
    fates: readonly (Fate | undefined)[],
    { disableDuplicatePhonesValidation = true, isPhoneTaken = false } = {},
  ) {
    const campaign = { id: CAMPAIGN, maxCallCount: 1, disableDuplicatePhonesValidation };
    const lab = openLab();
    const cards = openCards(lab, () => undefined);
    let requests = 0;
    let lookups = 0;
    let isThere = false;
    await lab.end(
      lab.start({
        chunks: [chunkOf(ids(1))],
        delivery: {
          ...cards.delivery,
          addApplications: () =>
            lab.meet(fates[requests++], () => {
              const errorMessage = 'Client already exists';
              const isRefused = isThere || isPhoneTaken;
              isThere ||= !isPhoneTaken;
              return isRefused ? [{ clientIdentifiers: { offerId: 1 }, errorMessage }] : [];
            }),
          findCampaigns: () => lab.meet(undefined, () => (lookups++, isThere ? [CAMPAIGN] : [])),
        },
        settings: { campaign },
      }),
    );
    await lab.pass(100 * SECOND);
    return { lab, isThere, row: (await lab.rows())[0], requests, lookups };
  }

  test('is soon asked for again, without looking: a client is added once', async () => {
    const { lab, row, requests, lookups } = await enqueues([{ lost: TIMED_OUT }]);
    expect([row?.outcome, requests, lookups]).toEqual(['enqueued', 2, 0]);
    expect(await lab.rows()).toHaveLength(1);
  });

  test.each([
    [false, 'enqueued', CONFIRMED],
    [true, 'enqueue_failed', 'Client already exists'],
  ])(
    'that is there already is looked up where phones are checked, which another client may have (%s)',
    async (isPhoneTaken, ...told) => {
      const checked = { disableDuplicatePhonesValidation: false, isPhoneTaken };
      const { row, requests, lookups } = await enqueues([{ lost: TIMED_OUT, after: 0 }], checked);
      expect([row?.outcome, row?.enqueueResult]).toEqual(told);
      expect([requests, lookups]).toEqual([2, 1]);
    },
  );

  const bare = new OutcomeUnknownError('HTTP 500', 'addApplications', 500);
  const refusal = new RefusedError('Nobody is added now.', 'addApplications', 400);

  test.each<[string, readonly Fate[]]>([
    ['server errors', [{ lost: bare, after: 40 * SECOND }, { lost: bare }]],
    ['a refusal', [{ lost: TIMED_OUT, after: 40 * SECOND }, { lost: refusal }]],
  ])('is not called refused after %s while an earlier request may add it', async (_what, fates) => {
    const { row, isThere } = await enqueues(fates);
    expect(isThere).toBe(true);
    expect([row?.outcome, row?.enqueueResult]).toEqual(['enqueued', CONFIRMED]);
  });
});
