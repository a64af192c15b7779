import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Bench, countOutcomes, csv, leads, openBench, twice } from './harness.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

it('rejects whose cards exist are only added to the campaign when they are imported again', async () => {
  const file = await bench.write('leads.csv', csv(leads(30)));
  const campaign = ['--campaign', '42'];
  bench.center.behave = ({ operation }) =>
    operation === '4.9' ? { refuse: () => 'Client is in blacklist' } : undefined;
  const first = await bench.import('run', [file], campaign);
  expect(countOutcomes(first.report())).toEqual({ enqueue_failed: 30 });
  bench.center.behave = () => undefined;
  const ledger = ['--ledger', first.ledger, '--out', bench.at('again')];
  const second = await bench.import(
    'again',
    [join(first.out, 'rejects.csv')],
    [...campaign, ...ledger],
  );
  expect(second.code, second.stderr).toBe(0);
  expect(countOutcomes(second.report())).toEqual({ enqueued: 30 });
  expect(twice(bench.center.creations)).toEqual([]);
});
