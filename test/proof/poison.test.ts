import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type Bench,
  countOutcomes,
  csv,
  identityIn,
  identityOf,
  lead,
  leads,
  openBench,
  twice,
} from '../app/harness.js';
import type { Operation, SeenRequest } from '../helpers/contact-center.js';

const BATCH = 200;
/** As many requests as finding one bad row in a batch may take. */
const MOST = Math.floor(2 * Math.log2(BATCH) + 4);
/** The row stands in the second of fifteen batches. */
const POISON = identityOf(lead(300));

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

const REFUSALS: readonly (readonly [status: number, body: string])[] = [
  [400, '{"errorMessage":"Not this one."}'],
  [413, 'Request Entity Too Large'],
  [422, '{"errorMessage":"Not this one."}'],
  [500, '{"errorMessage":"Not this one."}'],
  [500, '<html>Internal Server Error</html>'],
];

/** Requests that carried clients of the batch of the poison row. */
const ofItsBatch = (operation: Operation): SeenRequest[] => {
  const batch = new Set(leads(400).slice(200).map(identityOf));
  return bench.center.requests.filter(
    (request) => request.operation === operation && request.identities.some((id) => batch.has(id)),
  );
};

async function importPoisoned(operation: Operation, status: number, body: string) {
  bench.center.behave = (request) =>
    request.operation === operation && request.identities.includes(POISON)
      ? { untouched: true, answer: { status, body } }
      : undefined;
  const file = await bench.write('leads.csv', csv(leads(3000)));
  const run = await bench.import('run', [file], ['--campaign', '42', '--concurrency', '1']);
  expect(run.code, run.stderr).toBe(2);
  const bad = run.report().filter(({ outcome }) => outcome !== 'enqueued');
  expect(bad.map(identityIn)).toEqual([POISON]);
  return { run, bad: bad[0] };
}

it.each(REFUSALS)('a client for which 4.1 answers %d with %s fails alone', async (status, body) => {
  const { run, bad } = await importPoisoned('4.1', status, body);
  expect(countOutcomes(run.report())).toEqual({ enqueued: 2999, failed: 1 });
  expect(bad?.['createResult']).toContain(body.startsWith('{') ? 'Not this one.' : String(status));
  expect(ofItsBatch('4.1').length).toBeLessThanOrEqual(MOST);
  // The other batches are created as they are: one bad client does not make the rest of the run small.
  const others = bench.center.requests.filter(
    (request) => request.operation === '4.1' && !ofItsBatch('4.1').includes(request),
  );
  expect(others).toHaveLength(14);
});

it.each(REFUSALS)('a client for which 4.9 answers %d with %s fails alone', async (status, body) => {
  const { run, bad } = await importPoisoned('4.9', status, body);
  expect(countOutcomes(run.report())).toEqual({ enqueued: 2999, enqueue_failed: 1 });
  expect(bad?.['enqueueResult']).toContain(body.startsWith('{') ? 'Not this one.' : String(status));
  expect(ofItsBatch('4.9').length).toBeLessThanOrEqual(MOST);
});

it('a 500 with a message is no proof that nothing was done: the batch is settled before it is sent again', async () => {
  let lost = 0;
  bench.center.behave = ({ operation, identities }) =>
    operation === '4.1' && identities.includes(POISON) && lost++ === 0
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
