import { expect, test } from 'vitest';
import type { CenterPort, CreateResult } from '../../src/core/client.js';
import { duplicatesBy, NO_DUPLICATES, unchangedSince } from '../../src/core/duplicates.js';
import {
  type ContactCenterError,
  NotAuthorizedError,
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  StopRun,
  TryLaterError,
} from '../../src/core/errors.js';
import { canaryBefore, sentBefore } from '../../src/delivery/failures.js';
import { startRun } from '../../src/run/watch.js';
import { chunkOf } from '../kit/chunks.js';
import { type Lab, type Life, openLab, type Start } from './lab.js';

interface Sent {
  clients: { uuid: string; clientIdentifiers?: { offerId: number } }[];
}
const bodyOf = (body: Uint8Array): Sent => JSON.parse(Buffer.from(body).toString()) as Sent;
const uuidsIn = (body: Uint8Array): string[] => bodyOf(body).clients.map(({ uuid }) => uuid);
const success = (body: Uint8Array): CreateResult[] =>
  uuidsIn(body).map((uuid, at) => ({ uuid, result: 'Success', createdClientId: 100 + at }));

const CHUNKS = [
  chunkOf([{ id: 1 }, { id: 2 }, { rejected: 'bad' }, { id: 3 }]),
  chunkOf([{ id: 2 }, { skipped: 'filtered' }, { id: 4 }], { first: 4 }),
];
const ALL_WELL = 'enqueued enqueued rejected enqueued skipped skipped enqueued';

/** Begins an import; where nothing else is said, the contact center takes everything. */
function begin(
  lab: Lab,
  delivery: Partial<CenterPort>,
  { settings, ...more }: Partial<Start> = {},
) {
  return lab.start({
    chunks: CHUNKS,
    ...more,
    delivery: {
      addClients: (body) => Promise.resolve(success(body)),
      findClient: () => Promise.resolve(null),
      findCampaigns: () => Promise.resolve([]),
      ...delivery,
    },
    settings: {
      ...{ concurrency: 2, campaign: { id: 7, maxCallCount: 1 }, duplicates: duplicatesBy('sync') },
      ...settings,
    },
  });
}
const imported = (lab: Lab, delivery: Partial<CenterPort> = {}, more: Partial<Start> = {}) =>
  lab.end(begin(lab, delivery, more));
const refusing = (error: Error): Partial<CenterPort> => ({
  addClients: () => Promise.reject(error),
});
const ONE_AT_A_TIME: Partial<Start> = { settings: { concurrency: 1 } };

const outcomes = async (lab: Lab): Promise<string> =>
  (await lab.rows()).map(({ outcome }) => outcome).join(' ');

test('every row ends in one outcome', async () => {
  const lab = openLab();
  expect(await imported(lab)).toEqual({ requests: 6, retries: 0 });
  expect(await outcomes(lab)).toBe(ALL_WELL);
  expect((await lab.rows())[4]?.problems[0]?.message).toContain('row 3');
});

test('refusals of single clients and of whole requests are told row by row', async () => {
  const lab = openLab();
  const errors = [{ clientIdentifiers: { offerId: 1 }, errorMessage: 'Client is in blacklist' }];
  await imported(lab, {
    addClients: (body) =>
      uuidsIn(body).includes('uuid-4')
        ? Promise.reject(new RefusedError('Too much.', 'addClients', 400))
        : Promise.resolve(
            success(body).map((one) =>
              one.uuid === 'uuid-3' ? { uuid: one.uuid, result: 'No.' } : one,
            ),
          ),
    addApplications: () => Promise.resolve(errors),
  });
  expect(await outcomes(lab)).toBe(
    'enqueue_failed enqueued rejected failed skipped skipped failed',
  );
  const rows = await lab.rows();
  expect(rows[0]?.enqueueResult).toBe('Client is in blacklist');
  expect(rows[6]?.createResult).toBe('Too much.');
});

test.each([
  ['none', NO_DUPLICATES],
  ['phone', duplicatesBy('phone')],
])(
  'rows with the same identifiers do not share an error of 4.9 (duplicates: %s)',
  async (_, duplicates) => {
    const lab = openLab();
    const refused = [{ clientIdentifiers: { offerId: 1 }, errorMessage: 'Client already exists' }];
    let enqueued = 0;
    const addApplications: CenterPort['addApplications'] = (_campaign, body) => {
      const isNamed = bodyOf(body).clients.some((one) => one.clientIdentifiers?.offerId === 1);
      return Promise.resolve(isNamed && enqueued++ > 0 ? refused : []);
    };
    const rows = ['a', 'b', 'c'].map((uuid) => ({ id: uuid === 'c' ? 2 : 1, uuid, key: uuid }));
    const settings = { duplicates, batchSize: 200, concurrency: 1 };
    await imported(lab, { addApplications }, { chunks: [chunkOf(rows)], settings });
    expect(await outcomes(lab)).toBe('enqueued enqueue_failed enqueued');
  },
);

test('what surely had no effect is sent again; what may have had one is not', async () => {
  const lab = openLab();
  const calls: string[] = [];
  const end = await imported(lab, {
    addClients: (body) => {
      const key = uuidsIn(body).join();
      calls.push(key);
      const times = calls.filter((call) => call === key).length;
      if (key === 'uuid-1,uuid-2' && times === 1)
        return Promise.reject(new NotSentError('refused', 'addClients'));
      if (key === 'uuid-1,uuid-2' && times === 2)
        return Promise.reject(new TryLaterError('busy', 'addClients', 503, 1000));
      if (key === 'uuid-3')
        return Promise.reject(new OutcomeUnknownError('timed out', 'addClients'));
      return Promise.resolve(success(body));
    },
    findClient: (identifiers) =>
      Promise.resolve(identifiers === '{"offerId":3}' ? { id: 33 } : null),
  });
  expect(calls.toSorted()).toEqual([...Array<string>(3).fill('uuid-1,uuid-2'), 'uuid-3', 'uuid-4']);
  expect(end.retries).toBe(2);
  expect(await outcomes(lab)).toBe(ALL_WELL);
  expect((await lab.rows())[3]).toMatchObject({
    ...{ createdClientId: 33, createResult: 'Success (confirmed by lookup)' },
  });
});

test('wrong credentials stop the run at once, and it can be continued', async () => {
  const lab = openLab();
  const end = await imported(
    lab,
    refusing(new NotAuthorizedError('no', 'addClients', 401)),
    ONE_AT_A_TIME,
  );
  expect(end.stopped?.message).toMatch(/credentials/);
  expect(end.requests).toBe(1);
  expect((await imported(lab)).stopped).toBeUndefined();
  expect(await outcomes(lab)).toBe(ALL_WELL);
});

test('a contact center that cannot be reached ends the run with nothing lost', async () => {
  const lab = openLab();
  const end = await imported(lab, refusing(new NotSentError('connection refused', 'addClients')));
  expect(end.stopped?.exitCode).toBe(3);
  await imported(lab);
  expect(await outcomes(lab)).toBe(ALL_WELL);
});

/** An import that is asked to end while its first request is under way, and what it has sent. */
async function interrupted(lab: Lab) {
  const sent: string[] = [];
  const delivery: Partial<CenterPort> = {
    addClients: (body) => {
      sent.push(...uuidsIn(body));
      life?.stop();
      return Promise.resolve(success(body));
    },
  };
  let life: Life | undefined = begin(lab, delivery, ONE_AT_A_TIME);
  expect((await lab.end(life)).stopped?.exitCode).toBe(3);
  expect(sent).toEqual(['uuid-1', 'uuid-2']);
  life = undefined;
  return { sent, delivery };
}

test('an interrupted run sends nothing more, and its continuation sends each client once', async () => {
  const lab = openLab();
  const { sent, delivery } = await interrupted(lab);
  expect((await imported(lab, delivery)).stopped).toBeUndefined();
  expect(sent.toSorted()).toEqual(['uuid-1', 'uuid-2', 'uuid-3', 'uuid-4']);
  expect(await outcomes(lab)).toBe(ALL_WELL);
});

test('a run whose input has changed is not continued', async () => {
  const lab = openLab();
  await interrupted(lab);
  const end = await imported(lab, {}, { chunks: [chunkOf([{ id: 5 }])] });
  expect([end.stopped?.exitCode, end.requests]).toEqual([64, 0]);
});

test('a body that is too large is halved until it goes, and the rest of the run keeps below it', async () => {
  const lab = openLab();
  const [LIMIT, ROWS] = [500, 400];
  const sizes: number[] = [];
  const addClients: CenterPort['addClients'] = (body) => {
    sizes.push(body.length);
    const tooLarge = new RefusedError('HTTP 413', 'addClients', 413);
    return body.length > LIMIT ? Promise.reject(tooLarge) : Promise.resolve(success(body));
  };
  const chunks = Array.from({ length: ROWS / 50 }, (_, at) => {
    const rows = Array.from({ length: 50 }, (_row, index) => ({ id: at * 50 + index + 1 }));
    return chunkOf(rows, { first: at * 50 });
  });
  await imported(lab, { addClients }, { chunks, settings: { batchSize: 25, concurrency: 1 } });
  expect(await outcomes(lab)).toBe(Array<string>(ROWS).fill('enqueued').join(' '));
  // Those of the chunk that was cut into batches before the limit was known.
  expect(sizes.filter((size) => size > LIMIT).length).toBeLessThan(20);
});

test('a client that is too large alone makes no smaller requests of others', async () => {
  const lab = openLab();
  let requests = 0;
  const addClients: CenterPort['addClients'] = (body) =>
    ++requests === 1
      ? Promise.reject(new RefusedError('HTTP 413', 'addClients', 413))
      : Promise.resolve(success(body));
  const chunks = Array.from({ length: 9 }, (_, at) => {
    const rows = Array.from({ length: at === 0 ? 1 : 25 }, (_row, index) => ({
      id: at * 25 + index,
    }));
    return chunkOf(rows, { first: at === 0 ? 0 : at * 25 - 24 });
  });
  await imported(lab, { addClients }, { chunks, settings: { batchSize: 25, concurrency: 1 } });
  expect(await outcomes(lab)).toMatch(/^failed( enqueued){200}$/);
  expect(requests).toBe(9);
});

const SEEN = { status: 404, words: '"Not Found"', location: null };
const NOT_FOUND = new RefusedError('HTTP 404', 'addClients', 404, { seen: SEEN });

test.each<[what: string, error: ContactCenterError, unknown: number]>([
  ['that says nothing was done', NOT_FOUND, 0],
  ['that may follow a deed', new OutcomeUnknownError('?', 'addClients', 200, { seen: SEEN }), 3],
])('a first answer of somebody else %s stops the run', async (_what, error, unknown) => {
  const lab = openLab();
  const end = await imported(lab, refusing(error));
  expect(end.stopped?.message).toMatch(/no contact center.*HTTP 404 and "Not Found"/);
  expect(end.requests).toBe(2);
  expect((await lab.rows()).filter(({ outcome }) => outcome === 'unknown')).toHaveLength(unknown);
});

test('after an answer of its own, the same is the fate of single clients', async () => {
  const lab = openLab();
  let requests = 0;
  const addClients: CenterPort['addClients'] = (body) =>
    ++requests === 2 ? Promise.reject(NOT_FOUND) : Promise.resolve(success(body));
  expect((await imported(lab, { addClients }, ONE_AT_A_TIME)).stopped).toBeUndefined();
  expect(await outcomes(lab)).toContain(' failed ');
});

test('rows for which nothing was sent are no part of a canary', () => {
  const asBefore = unchangedSince({ run: 'r', what: 'sent', on: '2026-11-20' });
  const rows = [
    { outcome: 'unchanged', problems: [asBefore] },
    { outcome: 'skipped', problems: [] },
    { outcome: 'unchanged', problems: [] },
    { outcome: 'failed', problems: [] },
    { outcome: 'updated', problems: [] },
  ] as const;
  expect(sentBefore(rows, 2)).toEqual(['unchanged', 'failed']);
  expect(sentBefore(rows.slice(0, 2), 2)).toEqual([]);
});

/** A ledger that has so many rows that failed. */
const ledgerWith = (failed: number, brokeOff = true) =>
  ({
    ...{ continued: true, brokeOff },
    rows: () => Promise.resolve(Array(failed).fill({ outcome: 'failed', problems: [] })),
  }) as never;

test('a canary that was sent as a whole is decided on, where the process that sent it died', async () => {
  expect(await canaryBefore(ledgerWith(3), 3)).toMatchObject({ isUndecided: true });
  expect(await canaryBefore(ledgerWith(3, false), 3)).toMatchObject({ isUndecided: false });
  expect(await canaryBefore(ledgerWith(2), 3)).toMatchObject({ isUndecided: false });
  const { outcomes: sent, isUndecided } = await canaryBefore(ledgerWith(4), 3);
  expect([sent.length, isUndecided]).toEqual([3, false]);
});

test('a canary of a run that is watched is decided on alike', async () => {
  const run = startRun(async ({ watcher }) => {
    const before = await canaryBefore(watcher.watched(ledgerWith(1)), 1);
    throw new StopRun(`undecided: ${before.isUndecided}`);
  });
  await expect(run.result).rejects.toThrow('undecided: true');
});
