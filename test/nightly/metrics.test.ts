import { readFile, rename } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lead, leads } from '../runs/harness.js';
import { freePort } from '../kit/free-port.js';
import { HAS_PROMTOOL, promtoolOn, WITHOUT_PROMTOOL } from '../kit/promtool.js';
import { samplesIn } from './metrics/samples.js';
import { type Arrivals, openArrivals } from './harness.js';

let arrivals: Arrivals;
beforeEach(async () => {
  arrivals = await openArrivals();
});
afterEach(() => arrivals.close());

const ready = 'ready: { stableFor: 0s }';
const written = (): Promise<string> => readFile(arrivals.at('cardline.prom'), 'utf8');

it('of a watcher are served while it watches, by pickup, and hold no name of a file', async () => {
  const port = await freePort();
  const metrics = `metrics: { listen: '127.0.0.1:${port}', file: cardline.prom }`;
  await arrivals.pickup(ready, metrics);
  const { child, ended } = arrivals.startWatch();
  const scrape = async (): Promise<Record<string, number>> => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined);
    return samplesIn((await answer?.text()) ?? '');
  };
  const scraped = async (key: string, value: number): Promise<Record<string, number>> => {
    for (let left = 300; left > 0; left--) {
      const samples = await scrape();
      if (samples[key] === value) return samples;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${key} did not become ${value}.`);
  };
  await scraped('cardline_pickup_up{pickup="vendor"}', 1);
  await arrivals.arrive('leads-secret.csv', [...leads(5), lead(9, { Mobile: 'none' })]);
  const after = await scraped('cardline_pickup_files_total{pickup="vendor",shelf="bad"}', 1);
  expect(after).toMatchObject({
    'cardline_rows_total{pickup="vendor",outcome="enqueued"}': 5,
    'cardline_rows_total{pickup="vendor",outcome="rejected"}': 1,
    'cardline_runs_total{pickup="vendor",result="bad"}': 1,
    'cardline_pickup_files_waiting{pickup="vendor"}': 0,
    'cardline_pickup_lag_seconds{pickup="vendor"}': 0,
    'cardline_pickup_late{pickup="vendor"}': 0,
  });
  await rename(arrivals.at('in'), arrivals.at('elsewhere'));
  await scraped('cardline_pickup_up{pickup="vendor"}', 0);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
  const text = await written();
  expect(samplesIn(text)['cardline_pickup_files_total{pickup="vendor",shelf="bad"}']).toBe(1);
  expect(text).not.toContain('secret');
});

it.skipIf(!HAS_PROMTOOL)(`give promtool nothing to say${WITHOUT_PROMTOOL}`, async () => {
  const notify = `notify: [{ to: webhook, url: 'http://127.0.0.1:9/hook', on: [finished] }]`;
  await arrivals.pickup(ready, `${notify}\nmetrics: { file: cardline.prom }`);
  await arrivals.arrive('leads-1.csv', leads(3));
  await arrivals.watch();
  await arrivals.arrive('leads-2.csv', [lead(7)]);
  await arrivals.watch();
  const text = await written();
  expect(promtoolOn(text)).toBe('');
  const samples = samplesIn(text);
  expect(samples['cardline_rows_total{pickup="vendor",outcome="enqueued"}']).toBe(4);
  expect(samples['cardline_last_run_rows{pickup="vendor",outcome="enqueued"}']).toBe(1);
  expect(
    samples['cardline_notices_total{kind="finished",result="not_taken"}'],
  ).toBeGreaterThanOrEqual(1);
});

it('lines of the log carry the run and the pickup', async () => {
  await arrivals.arrive('leads-1.csv', leads(1));
  await arrivals.watch();
  const summary = JSON.parse(
    await readFile(arrivals.in('done/leads-1.csv.summary.json'), 'utf8'),
  ) as {
    run: string;
  };
  const log = await readFile(arrivals.at(`runs/${summary.run}/run.log`), 'utf8');
  const lines = log.trim().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ run: summary.run, pickup: 'vendor' });
});
