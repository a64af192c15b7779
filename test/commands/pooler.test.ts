import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, csv, leads, openBench, twice } from '../runs/harness.js';
import { type Pooler, HAS_POOLER, startPooler, WITHOUT_POOLER } from '../kit/pgbouncer.js';
import { PASSWORD, type SharedPostgres, startPostgres } from '../kit/postgres.js';

const ROWS = 120;

describe.skipIf(!HAS_POOLER)(`a ledger behind a connection pooler${WITHOUT_POOLER}`, () => {
  let server: SharedPostgres;
  let ledger: string;
  let bench: Bench;
  const poolers: Pooler[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    ledger = await server.database();
    bench = await openBench('{ concurrency: 6, requestsPerSecond: 40 }');
  }, 60_000);
  afterAll(async () => {
    for (const pooler of poolers) pooler.remove();
    await bench.close();
    server.remove();
  }, 60_000);

  it('that gives each transaction a connection takes imports of two processes at once', async () => {
    const pooler = await startPooler(server.port, 'transaction');
    poolers.push(pooler);
    const all = leads(2 * ROWS);
    const runs = await Promise.all(
      [0, 1].map(async (at) => {
        const file = await bench.write(
          `part-${at}.csv`,
          csv(all.slice(at * ROWS, (at + 1) * ROWS)),
        );
        const options = ['--ledger', pooler.by(ledger), '--batch-size', '4'];
        return bench.import(`part-${at}`, [file], options);
      }),
    );
    for (const run of runs) expect(run.code, run.stderr).toBe(0);
    expect(bench.center.creations.size).toBe(2 * ROWS);
    expect(twice(bench.center.creations)).toEqual([]);
    const again = await bench.import(
      'part-0',
      [bench.at('part-0.csv')],
      [...['--ledger', pooler.by(ledger)]],
    );
    expect(again.stdout + again.stderr).toMatch(/already/);
  }, 60_000);

  it('that gives each statement another one is refused, and the pooler named', async () => {
    const pooler = await startPooler(server.port, 'statement');
    poolers.push(pooler);
    const file = await bench.write('refused.csv', csv(leads(2 * ROWS + 1).slice(2 * ROWS)));
    const before = bench.center.requests.length;
    const run = await bench.import('refused', [file], ['--ledger', pooler.by(ledger)]);
    expect(run.code).toBe(3);
    expect(run.stderr).toMatch(/connection pooler.*pool_mode = transaction/);
    expect(run.stdout + run.stderr + readFileSync(file, 'utf8')).not.toContain(PASSWORD);
    expect(bench.center.requests.length).toBe(before);
  }, 60_000);
});
