/** Requests that are refused for one client, or for their size: few requests find out which, and all others go on. */
import { expect, it } from 'vitest';
import {
  type Imported,
  countOutcomes,
  identityOf,
  inOrder,
  lead,
  leads,
  useBench,
} from '../kit/bench.js';
import type { Operation, SeenRequest } from '../kit/contact-center.js';

const BATCH = 200;
/** As many requests as finding one bad row in a batch may take. */
const MOST = Math.floor(2 * Math.log2(BATCH) + 4);
const bench = useBench({
  after: (bench) => {
    inOrder(bench);
    expect(bench.center.repeated).toEqual([]);
  },
});

interface Poison {
  readonly operation: Operation;
  readonly status: number;
  readonly body: string;
  /** Number of the row's lead; each stands in a batch of its own. */
  readonly number: number;
}

const MESSAGE = '{"errorMessage":"Not this one."}';
const REFUSALS = [
  { status: 400, body: MESSAGE },
  { status: 413, body: 'Request Entity Too Large' },
  { status: 422, body: MESSAGE },
  { status: 500, body: MESSAGE },
  { status: 500, body: '<html>Internal Server Error</html>' },
];
const POISONS: readonly Poison[] = (['4.1', '4.9'] as const).flatMap((operation, half) =>
  REFUSALS.map((refusal, index) => ({
    ...{ operation, ...refusal },
    number: BATCH * (5 * half + index) + 1 + 37 * index,
  })),
);

/** Imports so many rows. Whatever is done with a client of these, is done to the whole of its request. */
async function importWith(
  poisons: readonly Poison[],
  rows: number,
  ...options: string[]
): Promise<Imported> {
  const byIdentity = new Map(poisons.map((one) => [identityOf(lead(one.number)), one]));
  if (poisons.length > 0)
    bench.center.behave = ({ operation, identities }) => {
      const bad = identities.map((id) => byIdentity.get(id)).find((one) => one !== undefined);
      return bad?.operation === operation ? { untouched: true, answer: bad } : undefined;
    };
  return bench.import('run', [await bench.list(rows)], ['--campaign', '42', ...options]);
}

/** Requests of the operation that carried clients of the batch in which the lead of this number stands. */
function ofItsBatch({ operation, number }: Poison): SeenRequest[] {
  const from = number - 1 - ((number - 1) % BATCH);
  const batch = new Set(
    leads(from + BATCH)
      .slice(from)
      .map(identityOf),
  );
  return bench.center.requests.filter(
    (request) => request.operation === operation && request.identities.some((id) => batch.has(id)),
  );
}

const creations = (): SeenRequest[] =>
  bench.center.requests.filter(({ operation }) => operation === '4.1');

it('one bad client in a batch fails alone, with the words of the contact center, in few requests', async () => {
  const rows = 12 * BATCH;
  const run = await importWith(POISONS, rows, '--batch-size', String(BATCH), '--concurrency', '10');
  expect(run.code, run.stderr).toBe(2);
  const report = run.report();
  expect(countOutcomes(report)).toEqual({ enqueued: rows - 10, failed: 5, enqueue_failed: 5 });
  for (const poison of POISONS) {
    const { outcome, createResult, enqueueResult } = report[poison.number - 1] ?? {};
    const [bad, words] =
      poison.operation === '4.1' ? ['failed', createResult] : ['enqueue_failed', enqueueResult];
    const told = poison.body === MESSAGE ? 'Not this one.' : String(poison.status);
    expect([poison, outcome, words]).toEqual([poison, bad, expect.stringContaining(told)]);
    expect([poison, ofItsBatch(poison).length <= MOST]).toEqual([poison, true]);
  }
});

it('one client that is too large by itself does not make the rest of the run small', async () => {
  const tooLarge = { operation: '4.1', status: 413, body: '', number: 300 } as const;
  const run = await importWith([tooLarge], 5000, '--concurrency', '1');
  expect(countOutcomes(run.report())).toEqual({ enqueued: 4999, failed: 1 });
  const ofBatch = new Set(ofItsBatch(tooLarge));
  expect(ofBatch.size).toBeLessThanOrEqual(MOST);
  const others = creations().filter((request) => !ofBatch.has(request));
  expect(others.length).toBeLessThanOrEqual(2 * (5000 / BATCH));
});

it('a 500 with a message is no proof that nothing was done: the batch is settled before it is sent again', async () => {
  let lost = 0;
  bench.center.behave = ({ operation, identities }) =>
    operation === '4.1' && identities.includes(identityOf(lead(300))) && lost++ === 0
      ? { answer: { status: 500, body: '{"errorMessage":"Commit timed out."}' } }
      : undefined;
  const run = await importWith([], 1000);
  expect(countOutcomes(run.report())).toEqual({ enqueued: 1000 });
  expect(run.code, run.stderr).toBe(0);
});

it('a body over the limit is halved until it goes, and the rest of the run keeps below it', async () => {
  const LIMIT = 40_000;
  bench.center.behave = ({ operation, bytes }) =>
    operation === '4.1' && bytes > LIMIT
      ? { untouched: true, answer: { status: 413, body: '' } }
      : undefined;
  const run = await importWith([], 6000, '--concurrency', '1');
  expect(run.code, run.stderr).toBe(0);
  expect(countOutcomes(run.report())).toEqual({ enqueued: 6000 });
  // Those of the chunk that was cut into batches before the limit was known.
  expect(creations().filter(({ bytes }) => bytes > LIMIT).length).toBeLessThanOrEqual(20);
  expect(creations().at(-1)?.bytes).toBeLessThanOrEqual(LIMIT);
  expect(creations().length).toBeLessThanOrEqual(200);
});
