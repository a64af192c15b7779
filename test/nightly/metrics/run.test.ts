import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { METRICS } from '../../../src/metrics/table.js';
import { type Bench, csv, lead, leads, openBench, until } from '../../runs/harness.js';
import { freePort } from '../../kit/free-port.js';
import { HAS_PROMTOOL, promtoolOn, WITHOUT_PROMTOOL } from '../../kit/promtool.js';
import { samplesIn, sumIn } from './samples.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const CAMPAIGN = ['--campaign', '42'];
const read = (): Promise<string> => readFile(bench.at('cardline.prom'), 'utf8');
const options = (): string[] => [...CAMPAIGN, '--metrics-file', bench.at('cardline.prom')];

describe('the file of metrics', () => {
  it('has what the summary has, adds up over runs, and can be read by others', async () => {
    const first = await bench.write('first.csv', csv([...leads(40), lead(50, { Mobile: 'none' })]));
    const ended = await bench.import('first', [first], options());
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
    expect((await stat(bench.at('cardline.prom'))).mode & 0o777).toBe(0o644);

    const second = await bench.write('second.csv', csv([lead(60)]));
    await bench.import('second', [second], options());
    const later = samplesIn(await read());
    expect(later['cardline_rows_total{outcome="enqueued"}']).toBe(41);
    expect(later['cardline_last_run_rows{outcome="enqueued"}']).toBe(1);
    expect(later['cardline_runs_total{result="finished"}']).toBe(1);
    const success = later['cardline_last_success_timestamp_seconds'] ?? 0;
    expect(Math.abs(success - Date.now() / 1000)).toBeLessThan(60);

    // The time of the last success outlasts a run without one.
    await bench.import('third', [bench.at('nowhere.csv')], options());
    const failed = samplesIn(await read());
    expect(failed['cardline_last_success_timestamp_seconds']).toBe(success);
    expect(failed['cardline_runs_total{result="failed"}']).toBe(1);
    expect(await readdir(bench.at('.'))).not.toContainEqual(expect.stringContaining('.part'));
  });

  it('counts each row once when a run is continued', async () => {
    const file = await bench.write('leads.csv', csv(leads(300)));
    bench.center.behave = ({ operation, number }) =>
      operation === '4.1' && number === 4
        ? { untouched: true, answer: { status: 401, body: '{}' } }
        : undefined;
    const slow = [...options(), '--batch-size', '50', '--concurrency', '1'];
    const { code } = await bench.import('run', [file], slow);
    expect(code).toBe(3);
    const part = sumIn(await read(), 'cardline_rows_total');
    expect(part).toBeGreaterThan(0);
    expect(part).toBeLessThan(300);
    bench.center.behave = () => undefined;
    expect((await bench.import('run', [file], slow)).code).toBe(0);
    expect(sumIn(await read(), 'cardline_rows_total')).toBe(300);
  });

  it('is refused before anything is sent where it cannot be written', async () => {
    const file = await bench.write('leads.csv', csv(leads(2)));
    await mkdir(bench.at('cardline.prom'));
    const { code, stderr } = await bench.import('run', [file], options());
    expect(code).toBe(64);
    expect(stderr).toMatch(/--metrics-file: .* is a folder, not a file\. Give another path/);
    expect(bench.center.requests).toEqual([]);
  });

  it('replaces nothing but metrics, whatever of the run it is', async () => {
    const file = await bench.write('leads.csv', csv(leads(2)));
    const other = await bench.write('other.csv', csv(leads(3)));
    expect((await bench.import('run', [file], CAMPAIGN)).code).toBe(0);
    const asked = bench.center.requests.length;
    const ledger = await readFile(bench.at('run.db'));
    for (const path of [file, bench.at('run.db'), bench.at('run/report.csv')]) {
      const before = await readFile(path);
      const refused = await bench.import('run', [other], [...CAMPAIGN, '--metrics-file', path]);
      expect(refused.code, path).toBe(64);
      expect(refused.stderr).toMatch(/^--metrics-file: \S+ (holds no metrics|is the ledger)/);
      expect(await readFile(path)).toEqual(before);
    }
    expect(await readFile(bench.at('run.db'))).toEqual(ledger);
    expect(bench.center.requests).toHaveLength(asked);

    // A path at which there is nothing yet, and which the run itself then writes.
    await mkdir(bench.at('late'));
    const late = [...CAMPAIGN, '--metrics-file', bench.at('late/report.csv')];
    const ended = await bench.import('late', [other], late);
    expect(ended.stderr).toMatch(/metrics cannot be written to \S+ \(it holds no metrics/);
    expect(ended.report()).toHaveLength(3);
  });

  it.skipIf(!HAS_PROMTOOL)(`gives promtool nothing to say${WITHOUT_PROMTOOL}`, async () => {
    const file = await bench.write('leads.csv', csv(leads(20)));
    await bench.import('run', [file], options());
    await bench.import('again', [file], options());
    expect(promtoolOn(await read())).toBe('');
  });

  it('has names and labels of the table alone', async () => {
    const file = await bench.write('leads.csv', csv(leads(3)));
    await bench.import('run', [file], options());
    const table = Object.keys(METRICS);
    for (const line of Object.keys(samplesIn(await read()))) {
      const name = (/^\w+/.exec(line) ?? [''])[0].replace(/_(bucket|sum|count)$/, '');
      expect(table).toContain(name);
      const known = new Set<string>(METRICS[name as keyof typeof METRICS].labels);
      for (const [, label = ''] of line.matchAll(/[{,](\w+)="/g))
        expect(known.has(label) || label === 'le', line).toBe(true);
    }
  });
});

describe('metrics over HTTP', () => {
  it('show a run under way', async () => {
    const port = await freePort();
    const file = await bench.write('leads.csv', csv(leads(60)));
    let answer: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => (answer = resolve));
    bench.center.behave = ({ operation }) => (operation === '4.1' ? { hold } : undefined);
    const listen = [...CAMPAIGN, '--metrics-listen', `127.0.0.1:${port}`];
    const running = bench.start('run', [file], listen);
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    await until(() => bench.center.requests.some(({ clients }) => clients > 0), 'clients are sent');
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
    const file = await bench.write('leads.csv', csv(leads(1)));
    const taken = new URL(bench.center.url).port;
    for (const listen of [`127.0.0.1:${taken}`, 'here']) {
      const { code, stderr } = await bench.import('run', [file], ['--metrics-listen', listen]);
      expect(code, stderr).toBe(64);
      expect(stderr).toContain(listen);
    }
    expect(bench.center.creations.size).toBe(0);
  });
});
