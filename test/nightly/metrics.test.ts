import { spawnSync } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carriedOver, Metrics, METRICS } from '../../src/metrics/open-metrics.js';
import { csv, lead, leads, until, useOpened } from '../kit/bench.js';
import { openArrivals } from './harness.js';

/** A port of this machine at which nobody listened a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const PROGRAM = 'promtool';

/** Whether Prometheus' own checker of metrics is installed. */
const HAS_PROMTOOL = spawnSync(PROGRAM, ['--version']).status === 0;

/** Said where tests need it. */
const WITHOUT_PROMTOOL = HAS_PROMTOOL ? '' : ' (skipped: promtool is not installed)';

/** What it has to say of metrics; empty where nothing. @throws Error where it is not installed */
function promtoolOn(text: string): string {
  const { status, stdout, stderr } = spawnSync(PROGRAM, ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  if (status === null) throw new Error('promtool is not installed.');
  return status === 0 ? `${stdout}${stderr}` : `${status}: ${stdout}${stderr}`;
}

const arrivals = useOpened(() => openArrivals());

const read = (): Promise<string> => readFile(arrivals.at('cardline.prom'), 'utf8');

/** Values of a text of metrics, by name and labels as they stand there. */
const samplesIn = (text: string): Record<string, number> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
  );

/** The sum of all samples that begin so. */
const sumIn = (text: string, beginning: string): number =>
  Object.entries(samplesIn(text))
    .filter(([key]) => key.startsWith(beginning))
    .reduce((sum, [, value]) => sum + value, 0);

/** Names and labels are those of the table. */
function expectOfTable(text: string): void {
  const table = Object.keys(METRICS);
  for (const line of Object.keys(samplesIn(text))) {
    const name = (/^\w+/.exec(line) ?? [''])[0].replace(/_(bucket|sum|count)$/, '');
    expect(table).toContain(name);
    const known = new Set<string>(METRICS[name as keyof typeof METRICS].labels);
    for (const [, label = ''] of line.matchAll(/[{,](\w+)="/g))
      expect(known.has(label) || label === 'le', line).toBe(true);
  }
}

const CAMPAIGN = ['--campaign', '42'];
const options = (): string[] => [...CAMPAIGN, '--metrics-file', arrivals.at('cardline.prom')];

describe('the file of metrics', () => {
  it('has what the summary has, adds up over runs, and can be read by others', async () => {
    const first = await arrivals.write(
      'first.csv',
      csv([...leads(40), lead(50, { Mobile: 'none' })]),
    );
    const ended = await arrivals.import('first', [first], options());
    expect(ended.code).toBe(2);
    const text = await read();
    const { requests, outcomes } = ended.summary();
    for (const [outcome, rows] of Object.entries(outcomes)) {
      expect(samplesIn(text)[`cardline_rows_total{outcome="${outcome}"}`]).toBe(rows);
      expect(samplesIn(text)[`cardline_last_run_rows{outcome="${outcome}"}`]).toBe(rows);
    }
    expect(sumIn(text, 'cardline_requests_total')).toBe(requests);
    expect(sumIn(text, 'cardline_request_duration_seconds_count')).toBe(requests);
    expect(samplesIn(text)).toMatchObject({
      'cardline_runs_total{result="bad"}': 1,
      cardline_run_active: 0,
      cardline_requests_in_flight: 0,
      cardline_rows_waiting: 0,
    });
    expect(text).not.toMatch(/^cardline_last_success/m);
    expectOfTable(text);
    expect((await stat(arrivals.at('cardline.prom'))).mode & 0o777).toBe(0o644);

    const second = await arrivals.write('second.csv', csv([lead(60)]));
    await arrivals.import('second', [second], options());
    const later = samplesIn(await read());
    expect(later['cardline_rows_total{outcome="enqueued"}']).toBe(41);
    expect(later['cardline_last_run_rows{outcome="enqueued"}']).toBe(1);
    expect(later['cardline_runs_total{result="finished"}']).toBe(1);
    const success = later['cardline_last_success_timestamp_seconds'] ?? 0;
    expect(Math.abs(success - Date.now() / 1000)).toBeLessThan(60);

    // The time of the last success outlasts a run without one.
    await arrivals.import('third', [arrivals.at('nowhere.csv')], options());
    const failed = samplesIn(await read());
    expect(failed['cardline_last_success_timestamp_seconds']).toBe(success);
    expect(failed['cardline_runs_total{result="failed"}']).toBe(1);
    expect(await readdir(arrivals.at('.'))).not.toContainEqual(expect.stringContaining('.part'));
  });

  it('counts each row once when a run is continued', async () => {
    const file = await arrivals.write('leads.csv', csv(leads(300)));
    arrivals.center.behave = ({ operation, number }) =>
      operation === '4.1' && number === 4
        ? { untouched: true, answer: { status: 401, body: '{}' } }
        : undefined;
    const slow = [...options(), '--batch-size', '50', '--concurrency', '1'];
    const { code } = await arrivals.import('run', [file], slow);
    expect(code).toBe(3);
    const part = sumIn(await read(), 'cardline_rows_total');
    expect(part).toBeGreaterThan(0);
    expect(part).toBeLessThan(300);
    arrivals.center.behave = () => undefined;
    expect((await arrivals.import('run', [file], slow)).code).toBe(0);
    expect(sumIn(await read(), 'cardline_rows_total')).toBe(300);
  });

  it('is refused before anything is sent where it cannot be written', async () => {
    const file = await arrivals.write('leads.csv', csv(leads(2)));
    await mkdir(arrivals.at('cardline.prom'));
    const { code, stderr } = await arrivals.import('run', [file], options());
    expect(code).toBe(64);
    expect(stderr).toMatch(/--metrics-file: .* is a folder, not a file\. Give another path/);
    expect(arrivals.center.requests).toEqual([]);
  });

  it('replaces nothing but metrics, whatever of the run it is', async () => {
    const file = await arrivals.write('leads.csv', csv(leads(2)));
    const other = await arrivals.write('other.csv', csv(leads(3)));
    expect((await arrivals.import('run', [file], CAMPAIGN)).code).toBe(0);
    const asked = arrivals.center.requests.length;
    const ledger = await readFile(arrivals.at('run.db'));
    for (const path of [file, arrivals.at('run.db'), arrivals.at('run/report.csv')]) {
      const before = await readFile(path);
      const refused = await arrivals.import('run', [other], [...CAMPAIGN, '--metrics-file', path]);
      expect(refused.code, path).toBe(64);
      expect(refused.stderr).toMatch(/^--metrics-file: \S+ (holds no metrics|is the ledger)/);
      expect(await readFile(path)).toEqual(before);
    }
    expect(await readFile(arrivals.at('run.db'))).toEqual(ledger);
    expect(arrivals.center.requests).toHaveLength(asked);

    // A path at which there is nothing yet, and which the run itself then writes.
    await mkdir(arrivals.at('late'));
    const late = [...CAMPAIGN, '--metrics-file', arrivals.at('late/report.csv')];
    const ended = await arrivals.import('late', [other], late);
    expect(ended.stderr).toMatch(/metrics cannot be written to \S+ \(it holds no metrics/);
    expect(ended.report()).toHaveLength(3);
  });
});

describe('metrics over HTTP', () => {
  it('show a run under way', async () => {
    const port = await freePort();
    const file = await arrivals.write('leads.csv', csv(leads(60)));
    let answer: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => (answer = resolve));
    arrivals.center.behave = ({ operation }) => (operation === '4.1' ? { hold } : undefined);
    const listen = [...CAMPAIGN, '--metrics-listen', `127.0.0.1:${port}`];
    const running = arrivals.start('run', [file], listen);
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    await until(
      () => arrivals.center.requests.some(({ clients }) => clients > 0),
      'clients are sent',
    );
    const text = await (await get('/metrics')).text();
    expect(samplesIn(text)['cardline_requests_in_flight']).toBeGreaterThan(0);
    expect(samplesIn(text)).toMatchObject({ cardline_run_active: 1, cardline_breaker_open: 0 });
    const health = await get('/healthz');
    expect([health.status, await health.text()]).toEqual([200, 'ok\n']);
    expect((await get('/other')).status).toBe(404);
    answer();
    expect((await running.ended).code).toBe(0);
    await expect(get('/metrics')).rejects.toThrow();
  });

  it('are refused where the address is taken or none', async () => {
    const file = await arrivals.write('leads.csv', csv(leads(1)));
    const taken = new URL(arrivals.center.url).port;
    for (const listen of [`127.0.0.1:${taken}`, 'here']) {
      const { code, stderr } = await arrivals.import('run', [file], ['--metrics-listen', listen]);
      expect(code, stderr).toBe(64);
      expect(stderr).toContain(listen);
    }
    expect(arrivals.center.creations.size).toBe(0);
  });
});

describe('metrics of a watcher', () => {
  it('of a watcher are served while it watches, by pickup, and hold no name of a file', async () => {
    const port = await freePort();
    const metrics = `metrics: { listen: '127.0.0.1:${port}', file: cardline.prom }`;
    await arrivals.pickup(undefined, metrics);
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
    const text = await read();
    expect(samplesIn(text)['cardline_pickup_files_total{pickup="vendor",shelf="bad"}']).toBe(1);
    expect(text).not.toContain('secret');
  });

  it.skipIf(!HAS_PROMTOOL)(`give promtool nothing to say${WITHOUT_PROMTOOL}`, async () => {
    const notify = `notify: [{ to: webhook, url: 'http://127.0.0.1:9/hook', on: [finished] }]`;
    await arrivals.pickup(undefined, `${notify}\nmetrics: { file: cardline.prom }`);
    await arrivals.arrive('leads-1.csv', leads(3));
    await arrivals.watch();
    await arrivals.arrive('leads-2.csv', [lead(7)]);
    await arrivals.watch();
    const text = await read();
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
});

/** The metrics of a process that saw these requests, by status. */
async function textOf(statuses: readonly number[], lastSuccess: number | null): Promise<string> {
  const metrics = new Metrics('run');
  metrics.begin({});
  const labels = { operation: 'createClients' };
  for (const status of statuses) {
    metrics.add('cardline_requests_total', { ...labels, status: String(status) });
    metrics.observe('cardline_request_duration_seconds', labels, status / 1000);
  }
  metrics.set('cardline_requests_in_flight', {}, statuses.length);
  if (lastSuccess !== null) metrics.set('cardline_last_success_timestamp_seconds', {}, lastSuccess);
  return metrics.text();
}

const processes = fc.array(
  fc.record({
    statuses: fc.array(fc.constantFrom(200, 400, 503), { maxLength: 8 }),
    lastSuccess: fc.option(fc.nat(2_000_000_000)),
  }),
  { minLength: 1, maxLength: 4 },
);

it('counts over all processes that shared a file, and keeps the last success', async () => {
  await fc.assert(
    fc.asyncProperty(processes, async (all) => {
      let file = '';
      for (const { statuses, lastSuccess } of all)
        file = carriedOver(await textOf(statuses, lastSuccess), file);
      const every = all.flatMap(({ statuses }) => statuses);
      const success = all.map(({ lastSuccess }) => lastSuccess).findLast((one) => one !== null);
      const expected = samplesIn(await textOf(every, success ?? null));
      const last = all.at(-1)?.statuses.length ?? 0;
      const inFlight = { cardline_requests_in_flight: last };
      const read = samplesIn(file);
      const sum = 'cardline_request_duration_seconds_sum{operation="createClients"}';
      if (every.length > 0) expect(read[sum]).toBeCloseTo(expected[sum] ?? 0);
      expect({ ...read, [sum]: 0 }).toEqual({ ...expected, ...inFlight, [sum]: 0 });
    }),
    { numRuns: 50 },
  );
});

it('takes nothing from a file that is something else', async () => {
  const text = await textOf([200], 1);
  expect(carriedOver(text, '')).toBe(text);
  expect(carriedOver(text, 'other_total 7\ncardline_rows_total many\n{"a": 1}')).toBe(text);
});
