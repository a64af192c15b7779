import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { useBench, twice, until } from '../../kit/bench.js';
import type { Ended } from '../../kit/cardline.js';
import { withPostgres } from '../../kit/with-postgres.js';
import { type Machines, machinesOf } from './harness.js';

const ROWS = 300;
const BATCH = 50;
/** Longer than a command takes to start. */
const LEASE = { leaseMs: 6000, renewMs: 500 };

withPostgres('after a shared run', (server) => {
  const bench = useBench();
  let machines: Machines;
  let file: string;
  beforeEach(async () => {
    machines = machinesOf(bench, await server.ledger(), 100, LEASE);
    file = await bench.list(ROWS);
  }, 30_000);

  const run = (...args: readonly string[]): Promise<Ended> =>
    bench.run(...args, '--ledger', machines.ledger);
  const center = ['-i', 'center.yaml'];
  const idIn = ({ stdout }: Ended): string =>
    (JSON.parse(stdout) as { summary: { run: string } }).summary.run;

  it(
    'its rows are reported, compared, looked up again and taken back',
    { tags: 'depth', timeout: 120_000 },
    async () => {
      const submitted = await machines.submitHere('run', file);
      expect(submitted.code, submitted.stderr).toBe(0);
      const id = idIn(submitted);
      const report = await run('report', id, '--format', 'csv');
      expect(report.stdout.trim().split('\n')).toHaveLength(1 + ROWS);
      const resumed = await run('resume', id, ...center);
      expect(resumed.code, resumed.stderr).toBe(0);
      expect(bench.center.creations.size).toBe(ROWS);
      const compared = await run('reconcile', '--run', id, ...center, '--out', 'compared');
      expect(compared.code, compared.stderr).toBe(0);
      const undone = await run('undo', id, '--yes', ...center, '--out', 'undone');
      expect(undone.code, undone.stderr).toBe(0);
      expect(bench.center.cards.size).toBe(0);
      expect(twice(bench.center.creations)).toEqual([]);
    },
  );

  it('nobody sends rows anew that its workers have yet to send', async () => {
    const id = idIn(await machines.submitHere('run', file, { detach: true }));
    const again = ['import', file, '-m', 'mapping.yaml', ...center, '--campaign', '42', '--again'];
    const refused = await run(...again);
    expect([refused.code, bench.center.creations.size]).toEqual([64, 0]);
    const [, resume = ''] =
      /1 of its pieces are left.*"cardline (resume .+?)"/s.exec(refused.stderr) ?? [];
    const copied = await bench.run('ledger', 'copy', machines.ledger, 'copy.db');
    expect([copied.code, copied.stderr]).toEqual([
      64,
      expect.stringContaining('is shared by several'),
    ]);
    const resumed = await bench.run(...resume.split(/\s+/));
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.stdout).toContain(id);
    expect(bench.center.creations.size).toBe(ROWS);
    expect((await run(...again)).code).not.toBe(64);
  }, 120_000);

  it('another version does not replace the plan of pieces that are left', async () => {
    const id = idIn(await machines.submitHere('run', file, { detach: true }));
    await server.execute(
      new URL(machines.ledger).pathname.slice(1),
      `UPDATE cardline.shared SET plan = (plan::jsonb || '{"version": "cardline/0.0.9"}')::text`,
    );
    const refused = await run('resume', id, ...center);
    expect([refused.code, bench.center.creations.size]).toEqual([64, 0]);
    expect(refused.stderr).toMatch(/was handed over by cardline\/0\.0\.9, and this version/);
    const [, release = ''] = /"cardline (fleet --release .+?)"/s.exec(refused.stderr) ?? [];
    const released = await bench.run(...release.split(/\s+/));
    expect(released.code, released.stderr).toBe(0);
    const resumed = await run('resume', id, ...center, '--out', 'resumed');
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(bench.center.creations.size).toBe(ROWS);
  }, 120_000);

  it('a canary that did not pass is told of after the run was taken back', async () => {
    bench.center.behave = ({ operation }) =>
      operation === '4.1'
        ? {
            refuse: ({ fields }) =>
              (fields as { offerId: unknown }).offerId === 100_007 ? 'Refused.' : undefined,
          }
        : undefined;
    const options = { detach: true, batchSize: BATCH, canary: 20 };
    const id = idIn(await machines.submitHere('run', file, options));
    const { child, ended } = machines.workerWith({});
    let noted = '';
    child.stderr.on('data', (text: string) => (noted += text));
    await until(() => noted.includes('first rows failed'), 'the worker finds out');
    child.kill('SIGTERM');
    await ended;
    const released = await run('fleet', '--release', id);
    expect(released.code, released.stderr).toBe(0);
    const told = await run('resume', id, '--out', 'resumed');
    expect([told.code, told.stderr]).toEqual([3, expect.stringContaining('first rows failed')]);
    expect(bench.center.creations.size).toBe(19);
    const resumed = await run('resume', id, '--out', 'resumed');
    expect(resumed.code, resumed.stderr).toBe(2);
    expect(bench.center.creations.size).toBe(ROWS - 1);
  }, 120_000);

  it(
    'what nobody works on can be ended, and taken back',
    { tags: 'depth', timeout: 120_000 },
    async () => {
      bench.center.behave = ({ clients }) => (clients > 0 ? { delay: 2000 } : undefined);
      const options = { detach: true, batchSize: BATCH, concurrency: 1 };
      const id = idIn(await machines.submitHere('run', file, options));
      const { child, ended } = machines.workerWith({});
      await until(() => bench.center.cards.size > 0, 'the worker sends');
      const used = await run('fleet', '--release', id);
      expect([used.code, used.stdout]).toEqual([3, '']);
      child.kill('SIGKILL');
      await ended;
      bench.center.behave = () => undefined;
      await sleep(LEASE.leaseMs);
      const refused = await run('undo', id, '--yes', ...center);
      expect(refused.code).toBe(64);
      expect(refused.stderr).toMatch(/1 of its pieces are left.*fleet --release/s);
      const released = await run('fleet', '--release', id);
      expect(released.stderr + released.stdout).toBe(`Run ${id} is not shared any more.\n`);
      expect((await run('fleet', '--release', id)).code).toBe(64);
      const resumed = await run('resume', id, ...center, '--out', 'resumed');
      expect(resumed.code, resumed.stderr).toBe(0);
      expect(bench.center.cards.size).toBe(ROWS);
      expect(twice(bench.center.creations)).toEqual([]);
      const undone = await run('undo', id, '--yes', ...center, '--out', 'undone');
      // Whose answer was lost may have been there before, and is left as it is.
      expect(undone.code, undone.stderr).toBe(2);
      expect(bench.center.cards.size).toBe(BATCH);
    },
  );
});
