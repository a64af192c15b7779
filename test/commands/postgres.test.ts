import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_POOLER, startPooler, WITHOUT_POOLER } from '../kit/pgbouncer.js';
import {
  PASSWORD,
  POSTGRES,
  type SharedPostgres,
  startPostgres,
  WITHOUT,
} from '../kit/postgres.js';
import { words } from '../kit/words.js';
import { csv, leads, twice, useBench } from '../kit/bench.js';
import { leadsFrom, useFolder } from './folder.js';

let server: SharedPostgres;
beforeAll(async () => {
  if (POSTGRES !== undefined) server = await startPostgres();
}, 60_000);
afterAll(() => {
  if (POSTGRES !== undefined) server.remove();
}, 60_000);

describe.skipIf(POSTGRES === undefined)(`--ledger postgres://…${WITHOUT}`, () => {
  const {
    at,
    read,
    run: inFolder,
  } = useFolder({
    'leads.csv': `${leadsFrom(1, 2)}x,79160000003\n`,
    'many.csv': leadsFrom(1000, 1039),
    'bad.csv': `${leadsFrom(2000, 2019)}x,1\ny,1\n`,
  });
  let ledger: string;
  beforeAll(async () => {
    ledger = await server.database();
  }, 60_000);
  const run: typeof inFolder = (...line) => inFolder`${words(...line)} --ledger ${ledger}`;
  const sandbox = words`-m mapping.yaml -i center.yaml --sandbox`;

  it('imports, lists, reports and takes back, as with a ledger in a file', async () => {
    const first = await run`import leads.csv ${sandbox} --yes --out ${at('out')}`;
    expect(first.code, first.stderr).toBe(2);
    expect((await read('out/report.csv')).split('\n')).toHaveLength(5);
    const again = await run`import leads.csv ${sandbox} --yes`;
    expect(again.stdout + again.stderr).toMatch(/already/);
    const runs = await run`runs --json`;
    const [found] = JSON.parse(runs.stdout) as { run: string; state: string; rows: number }[];
    expect(found).toMatchObject({ state: 'finished', rows: 3 });
    const report = await run`report ${found!.run} --format csv`;
    expect(report.stdout).toBe(await read('out/report.csv'));
    const undo = await run`undo ${found!.run} --yes`;
    expect(undo.stdout, undo.stderr).toMatch(/undone/);
    const nothing = await run`resume`;
    expect(nothing.stderr).toMatch(/nothing to resume/);
    const doctor = await run`doctor -i center.yaml --json`;
    const { checks } = JSON.parse(doctor.stdout) as { checks: { check: string; text: string }[] };
    const { text } = checks.find(({ check }) => check === 'ledger') ?? {};
    expect(text?.replace(/\d+(?=, not in use)/, 'N')).toBe(`${ledger}: version N, not in use`);
    for (const { stdout, stderr } of [first, again, runs, report, undo, nothing, doctor])
      expect(stdout + stderr).not.toContain(PASSWORD);
  }, 120_000);

  it('goes on with a run that was stopped, and compares what it did', async () => {
    const stopped = await run`import bad.csv ${sandbox} --yes --max-failures 1`;
    expect(stopped.code, stopped.stderr).toBe(3);
    const resumed = await run`resume --max-failures 9`;
    expect(resumed.code, resumed.stderr).toBe(2);
    expect((await run`import many.csv ${sandbox} --yes`).code).toBe(0);
    const compared = await run`reconcile many.csv ${sandbox} --json`;
    expect(compared.code, compared.stderr).toBe(0);
    expect(JSON.parse(compared.stdout)).toMatchObject({ rows: 40 });
  }, 120_000);

  it('is refused where the database is not there, before anything is begun', async () => {
    const nowhere = Object.assign(new URL(ledger), { pathname: '/nowhere' }).href;
    const refused = await inFolder`import leads.csv ${sandbox} --again --ledger ${nowhere}`;
    expect(refused.code).toBe(64);
    expect(refused.stderr).toMatch(/no such database/);
  }, 60_000);
});

describe.skipIf(!HAS_POOLER)(`a ledger behind a connection pooler${WITHOUT_POOLER}`, () => {
  const ROWS = 120;
  let ledger: string;
  const bench = useBench({ limits: '{ concurrency: 6, requestsPerSecond: 40 }', once: true });
  beforeAll(async () => {
    ledger = await server.database();
  }, 60_000);

  it('that gives each transaction a connection takes imports of two processes at once', async () => {
    const pooler = await startPooler(server.port, 'transaction');
    const all = leads(2 * ROWS);
    const imported = async (at: number) => {
      const part = csv(all.slice(at * ROWS, (at + 1) * ROWS));
      const options = ['--ledger', pooler.by(ledger), '--batch-size', '4'];
      return bench.import(`part-${at}`, [await bench.write(`part-${at}.csv`, part)], options);
    };
    for (const run of await Promise.all([0, 1].map(imported))) expect(run.code, run.stderr).toBe(0);
    expect(bench.center.creations.size).toBe(2 * ROWS);
    expect(twice(bench.center.creations)).toEqual([]);
    const again = await imported(0);
    expect(again.stdout + again.stderr).toMatch(/already/);
    pooler.remove();
  }, 60_000);

  it('that gives each statement another one is refused, and the pooler named', async () => {
    const pooler = await startPooler(server.port, 'statement');
    const file = await bench.write('refused.csv', csv(leads(2 * ROWS + 1).slice(2 * ROWS)));
    const before = bench.center.requests.length;
    const run = await bench.import('refused', [file], ['--ledger', pooler.by(ledger)]);
    pooler.remove();
    expect(run.code).toBe(3);
    expect(run.stderr).toMatch(/connection pooler.*pool_mode = transaction/);
    expect(run.stdout + run.stderr + readFileSync(file, 'utf8')).not.toContain(PASSWORD);
    expect(bench.center.requests.length).toBe(before);
  }, 60_000);
});
