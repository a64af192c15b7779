import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  type ContactCenterError,
  NotAuthorizedError,
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  TryLaterError,
} from '../../src/core/errors.js';
import type { CreateResult, CenterPort } from '../../src/core/center.js';
import { duplicatesBy, NO_DUPLICATES } from '../../src/core/duplicates.js';
import type { PreparedChunk } from '../../src/core/prepared.js';
import type { RunLedger } from '../../src/core/ledger.js';
import { openLedger } from '../../src/ledger/ledger.js';
import { createSeenKeys } from '../../src/lists/seen.js';
import type { ImportEnd } from '../../src/delivery/sending.js';
import type { ImportSettings } from '../kit/import-settings.js';
import { runImport } from '../../src/delivery/import.js';
import { chunkOf } from '../kit/chunks.js';

interface Sent {
  clients: { uuid: string; clientIdentifiers?: { offerId: number } }[];
}
const bodyOf = (body: Uint8Array): Sent => JSON.parse(Buffer.from(body).toString()) as Sent;
const success = (body: Uint8Array): CreateResult[] =>
  bodyOf(body).clients.map(({ uuid }, index) => ({
    uuid,
    result: 'Success',
    createdClientId: 100 + index,
  }));

const SETTINGS: ImportSettings = {
  concurrency: 2,
  batchSize: 2,
  bodyBytes: 1e6,
  pace: {},
  campaign: { id: 7, maxCallCount: 1 },
  duplicates: duplicatesBy('sync'),
  identifierNames: ['offerId'],
  inputs: ['leads.csv'],
};

const CHUNKS = [
  chunkOf([{ id: 1 }, { id: 2 }, { rejected: 'bad' }, { id: 3 }]),
  chunkOf([{ id: 2 }, { skipped: 'filtered' }, { id: 4 }], { first: 4 }),
];

async function* iterate(chunks: readonly PreparedChunk[]): AsyncGenerator<PreparedChunk> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

/** Time that passes only by sleeping. */
function testClock() {
  let now = 0;
  return {
    now: () => now,
    sleep: (ms: number) => {
      now += ms;
      return setImmediate();
    },
  };
}

function newRun(): { run: () => Promise<RunLedger> } {
  const opening = openLedger(':memory:');
  const identity = { inputs: [], content: '', mapping: '', installation: '', campaignId: 7 };
  return {
    run: async () => {
      const ledger = await opening;
      const opened = await ledger.openRun({ identity, settings: {}, out: () => '' });
      if (opened.kind !== 'open') throw new Error('the run is done');
      return opened.ledger;
    },
  };
}

async function importWith(
  delivery: Partial<CenterPort>,
  ledger: RunLedger,
  settings: Partial<ImportSettings> = {},
  signal = new AbortController().signal,
  chunks: readonly PreparedChunk[] = CHUNKS,
): Promise<ImportEnd> {
  const seen = createSeenKeys();
  return runImport({
    chunks: iterate(chunks),
    center: {
      addClients: (body) => Promise.resolve(success(body)),
      addApplications: () => Promise.resolve([]),
      findClient: () => Promise.resolve(null),
      findCampaigns: () => Promise.resolve([]),
      ...delivery,
    },
    ledger,
    seen,
    clock: testClock(),
    random: () => 0.5,
    signal,
    ...SETTINGS,
    ...settings,
  }).finally(() => {
    seen.close();
  });
}

const outcomes = async (ledger: RunLedger): Promise<string[]> =>
  Array.from(await ledger.rows(), (row) => row.outcome);

test('every row ends in one outcome', async () => {
  const run = await newRun().run();
  const end = await importWith({}, run);
  expect(end).toEqual({ requests: 6, retries: 0 });
  expect(await outcomes(run)).toEqual([
    'enqueued',
    'enqueued',
    'rejected',
    'enqueued',
    'skipped',
    'skipped',
    'enqueued',
  ]);
  expect([...(await run.rows())][4]?.problems[0]?.message).toContain('row 3');
});

test('refusals of single clients and of whole requests are told row by row', async () => {
  const run = await newRun().run();
  const errors = [{ clientIdentifiers: { offerId: 1 }, errorMessage: 'Client is in blacklist' }];
  await importWith(
    {
      addClients: (body) => {
        if (bodyOf(body).clients.some(({ uuid }) => uuid === 'uuid-4'))
          return Promise.reject(new RefusedError('Too much.', 'addClients', 400));
        return Promise.resolve(
          success(body).map((one) =>
            one.uuid === 'uuid-3' ? { uuid: one.uuid, result: 'No.' } : one,
          ),
        );
      },
      addApplications: () => Promise.resolve(errors),
    },
    run,
  );
  expect(await outcomes(run)).toEqual([
    'enqueue_failed',
    'enqueued',
    'rejected',
    'failed',
    'skipped',
    'skipped',
    'failed',
  ]);
  const rows = [...(await run.rows())];
  expect(rows[0]?.enqueueResult).toBe('Client is in blacklist');
  expect(rows[6]?.createResult).toBe('Too much.');
});

test.each([
  ['none', NO_DUPLICATES],
  ['phone', duplicatesBy('phone')],
])(
  'rows with the same identifiers do not share an error of 4.9 (duplicates: %s)',
  async (_, rule) => {
    const run = await newRun().run();
    const refused = [{ clientIdentifiers: { offerId: 1 }, errorMessage: 'Client already exists' }];
    let enqueued = 0;
    const rows = ['a', 'b', 'c'].map((uuid) => ({ id: uuid === 'c' ? 2 : 1, uuid, key: uuid }));
    await importWith(
      {
        addApplications: (_, body) => {
          const named = bodyOf(body).clients.filter((one) => one.clientIdentifiers?.offerId === 1);
          return Promise.resolve(named.length > 0 && enqueued++ > 0 ? refused : []);
        },
      },
      run,
      { duplicates: rule, batchSize: 200, concurrency: 1 },
      undefined,
      [chunkOf(rows)],
    );
    expect(await outcomes(run)).toEqual(['enqueued', 'enqueue_failed', 'enqueued']);
  },
);

test('what surely had no effect is sent again; what may have had one is not', async () => {
  const run = await newRun().run();
  const calls: string[] = [];
  const end = await importWith(
    {
      addClients: (body) => {
        const key = bodyOf(body)
          .clients.map(({ uuid }) => uuid)
          .join();
        calls.push(key);
        const times = calls.filter((call) => call === key).length;
        if (key === 'uuid-1,uuid-2' && times < 3)
          return Promise.reject(
            times === 1
              ? new NotSentError('refused', 'addClients')
              : new TryLaterError('busy', 'addClients', 503, 1000),
          );
        if (key === 'uuid-3')
          return Promise.reject(new OutcomeUnknownError('timed out', 'addClients'));
        return Promise.resolve(success(body));
      },
      findClient: (identifiers) =>
        Promise.resolve(identifiers === '{"offerId":3}' ? { id: 33 } : null),
    },
    run,
  );
  expect(calls.toSorted()).toEqual([
    'uuid-1,uuid-2',
    'uuid-1,uuid-2',
    'uuid-1,uuid-2',
    'uuid-3',
    'uuid-4',
  ]);
  expect(end.retries).toBe(2);
  expect((await outcomes(run)).filter((outcome) => outcome === 'enqueued')).toHaveLength(4);
  expect([...(await run.rows())][3]).toMatchObject({
    createdClientId: 33,
    createResult: 'Success (confirmed by lookup)',
  });
});

test('wrong credentials stop the run at once, and it can be continued', async () => {
  const { run } = newRun();
  let calls = 0;
  const end = await importWith(
    {
      addClients: () => {
        calls++;
        return Promise.reject(new NotAuthorizedError('no', 'addClients', 401));
      },
    },
    await run(),
    { concurrency: 1 },
  );
  expect(end.stopped?.message).toMatch(/credentials/);
  expect(calls).toBe(1);
  expect((await importWith({}, await run())).stopped).toBeUndefined();
  expect(await outcomes(await run())).toEqual([
    'enqueued',
    'enqueued',
    'rejected',
    'enqueued',
    'skipped',
    'skipped',
    'enqueued',
  ]);
});

test('a contact center that cannot be reached ends the run with nothing lost', async () => {
  const { run } = newRun();
  const end = await importWith(
    { addClients: () => Promise.reject(new NotSentError('connection refused', 'addClients')) },
    await run(),
  );
  expect(end.stopped?.exitCode).toBe(3);
  await importWith({}, await run());
  expect((await outcomes(await run())).filter((outcome) => outcome === 'enqueued')).toHaveLength(4);
});

test('an interrupted run sends nothing more, and its continuation sends each client once', async () => {
  const { run } = newRun();
  const stop = new AbortController();
  const sent: string[] = [];
  const delivery: Partial<CenterPort> = {
    addClients: (body) => {
      sent.push(...bodyOf(body).clients.map(({ uuid }) => uuid));
      stop.abort();
      return Promise.resolve(success(body));
    },
  };
  const end = await importWith(delivery, await run(), { concurrency: 1 }, stop.signal);
  expect(end.stopped?.exitCode).toBe(3);
  expect(sent).toEqual(['uuid-1', 'uuid-2']);
  const rest = await importWith(delivery, await run());
  expect(rest.stopped).toBeUndefined();
  expect(sent.toSorted()).toEqual(['uuid-1', 'uuid-2', 'uuid-3', 'uuid-4']);
  expect((await outcomes(await run())).filter((outcome) => outcome === 'enqueued')).toHaveLength(4);
});

test('a run whose input has changed is not continued', async () => {
  const { run } = newRun();
  const stop = new AbortController();
  const delivery = {
    addClients: (body: Uint8Array) => {
      stop.abort();
      return Promise.resolve(success(body));
    },
  };
  await importWith(delivery, await run(), { concurrency: 1 }, stop.signal);
  const seen = createSeenKeys();
  const end = await runImport({
    chunks: iterate([chunkOf([{ id: 5 }])]),
    center: {
      addClients: (body) => Promise.resolve(success(body)),
      addApplications: () => Promise.resolve([]),
      findClient: () => Promise.resolve(null),
      findCampaigns: () => Promise.resolve([]),
    },
    ledger: await run(),
    seen,
    clock: testClock(),
    random: () => 0,
    signal: new AbortController().signal,
    ...SETTINGS,
  });
  seen.close();
  expect(end.stopped?.exitCode).toBe(64);
  expect(end.requests).toBe(0);
});

const SEEN = { status: 404, words: '"Not Found"', location: null };

test.each<[what: string, error: ContactCenterError, unknown: number]>([
  [
    'that says nothing was done',
    new RefusedError('HTTP 404', 'addClients', 404, { seen: SEEN }),
    0,
  ],
  ['that may follow a deed', new OutcomeUnknownError('?', 'addClients', 200, { seen: SEEN }), 3],
])('a first answer of somebody else %s stops the run', async (_what, error, unknown) => {
  const run = await newRun().run();
  const end = await importWith({ addClients: () => Promise.reject(error) }, run);
  expect(end.stopped?.message).toMatch(/no contact center.*HTTP 404 and "Not Found"/);
  expect(end.requests).toBe(2);
  expect((await outcomes(run)).filter((outcome) => outcome === 'unknown')).toHaveLength(unknown);
});

test('after an answer of its own, the same is the fate of single clients', async () => {
  const run = await newRun().run();
  let requests = 0;
  const error = new RefusedError('HTTP 404', 'addClients', 404, { seen: SEEN });
  const end = await importWith(
    {
      addClients: (body) =>
        ++requests === 2 ? Promise.reject(error) : Promise.resolve(success(body)),
    },
    run,
    { concurrency: 1 },
  );
  expect(end.stopped).toBeUndefined();
  expect((await outcomes(run)).filter((outcome) => outcome === 'failed')).not.toEqual([]);
});
