import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  PASSWORD,
  POSTGRES,
  type SharedPostgres,
  startPostgres,
  WITHOUT,
} from '../../kit/postgres.js';
import { openPageBench, type PageBench } from '../harness.js';
import { recordRuns } from '../past-runs.js';

describe.skipIf(POSTGRES === undefined)(`runs in PostgreSQL${WITHOUT}`, () => {
  let server: SharedPostgres;
  let bench: PageBench;
  let ledger: string;
  beforeAll(async () => {
    server = await startPostgres();
    ledger = await server.database();
    bench = await openPageBench({ ledger });
  }, 60_000);
  afterAll(async () => {
    await bench.close();
    server.remove();
  }, 60_000);

  it('are listed, found and shown by the page', async () => {
    expect(await bench.api('GET /api/runs')).toMatchObject({ total: 0, all: 0, runs: [] });
    const [first = '', second = ''] = await recordRuns(ledger, [
      { file: '/a/one.csv', rows: ['created', 'rejected'], state: 'broken_off' },
      { file: '/a/two.csv', rows: ['created'], campaign: 'Winter' },
    ]);
    const all = await bench.api('GET /api/runs?limit=1');
    expect(all).toMatchObject({ total: 2, all: 2, runs: [{ run: second, files: ['two.csv'] }] });
    const found = await bench.api('GET /api/runs?text=winter&state=finished');
    expect(found).toMatchObject({ total: 1, runs: [{ run: second }] });
    expect(await bench.api(`GET /api/runs/${first}/counts`)).toMatchObject({ rows: 2 });
    expect(await bench.api(`GET /api/runs/${first}/result`)).toMatchObject({ rows: 2 });
    const rejected = await bench.api(`GET /api/runs/${first}/rows?outcome=rejected`);
    expect(rejected).toMatchObject({ total: 1, rows: [{ outcome: 'rejected' }] });
    const { text } = await bench.ask(`/api/runs/${first}/compared/${second}`, {
      headers: { 'x-cardline-session': await bench.session() },
    });
    expect(text).toContain('"done":true');
    expect(JSON.stringify([all, found, text])).not.toContain(PASSWORD);
  }, 60_000);
});
