import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type Bench,
  countOutcomes,
  csv,
  identityOf,
  lead,
  leads,
  openBench,
  twice,
} from '../runs/harness.js';
import type { Operation, SeenRequest } from '../kit/contact-center.js';

const BATCH = 200;
/** As many requests as finding one bad row in a batch may take. */
const MOST = Math.floor(2 * Math.log2(BATCH) + 4);
let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  expect(bench.center.violations).toEqual([]);
  expect(twice(bench.center.creations)).toEqual([]);
  expect(bench.center.repeated).toEqual([]);
  await bench.close();
});

interface Poison {
  readonly operation: Operation;
  readonly status: number;
  readonly body: string;
  /** Number of the row's lead; each stands in a batch of its own. */
  readonly number: number;
}

const MESSAGE = '{"errorMessage":"Not this one."}';
const REFUSALS: readonly (readonly [status: number, body: string])[] = [
  [400, MESSAGE],
  [413, 'Request Entity Too Large'],
  [422, MESSAGE],
  [500, MESSAGE],
  [500, '<html>Internal Server Error</html>'],
];
const POISONS: readonly Poison[] = (['4.1', '4.9'] as const).flatMap((operation, half) =>
  REFUSALS.map(([status, body], index) => ({
    operation,
    status,
    body,
    number: BATCH * (5 * half + index) + 1 + 37 * index,
  })),
);

/** Whatever the contact center does with a client that is in the request, it does to the whole of it. */
function poison(poisons: readonly Poison[]): void {
  const byIdentity = new Map(poisons.map((one) => [identityOf(lead(one.number)), one]));
  bench.center.behave = ({ operation, identities }) => {
    const bad = identities.map((id) => byIdentity.get(id)).find((one) => one !== undefined);
    return bad?.operation === operation
      ? { untouched: true, answer: { status: bad.status, body: bad.body } }
      : undefined;
  };
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

it('one bad client in a batch fails alone, with the words of the contact center, in few requests', async () => {
  poison(POISONS);
  const rows = 12 * BATCH;
  const file = await bench.write('leads.csv', csv(leads(rows)));
  const run = await bench.import(
    'run',
    [file],
    ['--campaign', '42', '--batch-size', String(BATCH), '--concurrency', '10'],
  );
  expect(run.code, run.stderr).toBe(2);
  const report = run.report();
  const results = POISONS.map((one) => {
    const { outcome, createResult = '', enqueueResult = '' } = report[one.number - 1] ?? {};
    const words = one.operation === '4.1' ? createResult : enqueueResult;
    const requests = ofItsBatch(one).length;
    console.log(`${one.operation} ${one.status} ${one.body}: ${requests} of ${MOST} requests`);
    return {
      ...one,
      outcome,
      told: words.includes(one.body === MESSAGE ? 'Not this one.' : String(one.status)),
      few: requests <= MOST,
    };
  });
  expect(results).toEqual(
    POISONS.map((one) => ({
      ...one,
      outcome: one.operation === '4.1' ? 'failed' : 'enqueue_failed',
      told: true,
      few: true,
    })),
  );
  expect(countOutcomes(report)).toEqual({ enqueued: rows - 10, failed: 5, enqueue_failed: 5 });
});

it('one client that is too large by itself does not make the rest of the run small', async () => {
  const tooLarge = { operation: '4.1', status: 413, body: '', number: 300 } as const;
  poison([tooLarge]);
  const file = await bench.write('leads.csv', csv(leads(5000)));
  const run = await bench.import('run', [file], ['--campaign', '42', '--concurrency', '1']);
  expect(countOutcomes(run.report())).toEqual({ enqueued: 4999, failed: 1 });
  const ofBatch = new Set(ofItsBatch(tooLarge));
  expect(ofBatch.size).toBeLessThanOrEqual(MOST);
  const others = bench.center.requests.filter(
    (request) => request.operation === '4.1' && !ofBatch.has(request),
  );
  expect(others.length).toBeLessThanOrEqual(2 * (5000 / BATCH));
});

it('a 500 with a message is no proof that nothing was done: the batch is settled before it is sent again', async () => {
  let lost = 0;
  bench.center.behave = ({ operation, identities }) =>
    operation === '4.1' && identities.includes(identityOf(lead(300))) && lost++ === 0
      ? { answer: { status: 500, body: '{"errorMessage":"Commit timed out."}' } }
      : undefined;
  const file = await bench.write('leads.csv', csv(leads(1000)));
  const run = await bench.import('run', [file], ['--campaign', '42']);
  expect(countOutcomes(run.report())).toEqual({ enqueued: 1000 });
  expect(run.code, run.stderr).toBe(0);
});

it('a body over the limit is halved until it goes, and the rest of the run keeps below it', async () => {
  const LIMIT = 40_000;
  bench.center.behave = ({ operation, bytes }) =>
    operation === '4.1' && bytes > LIMIT
      ? { untouched: true, answer: { status: 413, body: '' } }
      : undefined;
  const file = await bench.write('leads.csv', csv(leads(6000)));
  const run = await bench.import('run', [file], ['--campaign', '42', '--concurrency', '1']);
  expect(run.code, run.stderr).toBe(0);
  expect(countOutcomes(run.report())).toEqual({ enqueued: 6000 });
  const refused = bench.center.requests.filter(
    ({ operation, bytes }) => operation === '4.1' && bytes > LIMIT,
  );
  // Those of the chunk that was cut into batches before the limit was known.
  expect(refused.length).toBeLessThanOrEqual(20);
  const sent = bench.center.requests.filter(({ operation }) => operation === '4.1');
  expect(sent.at(-1)?.bytes).toBeLessThanOrEqual(LIMIT);
  expect(sent.length).toBeLessThanOrEqual(200);
});
