import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leads, twice, until } from '../app/harness.js';
import { POSTGRES, type SharedPostgres, startPostgres, WITHOUT } from '../helpers/postgres.js';
import { openArrivals } from './harness.js';

describe.skipIf(POSTGRES === undefined)(`several watchers on one PostgreSQL${WITHOUT}`, () => {
  let server: SharedPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.remove());

  it('share the work, also when they are killed, and take nothing twice', async () => {
    const arrivals = await openArrivals();
    const address = await server.database();
    const pickup = await readFile(arrivals.at('pickup.yaml'), 'utf8');
    await arrivals.write(
      'pickup.yaml',
      pickup.replace('ledger: cardline.db', `ledger: ${address}`),
    );
    const rows = leads(120);
    for (let file = 0; file < 4; file++)
      await arrivals.arrive(`leads-${file}.csv`, rows.slice(file * 30, file * 30 + 30));
    const both = [arrivals.startWatch(['--once']), arrivals.startWatch(['--once'])];
    await until(() => arrivals.center.creations.size > 0, 'the first rows are sent');
    both[0]?.child.kill('SIGKILL');
    await Promise.all(both.map(({ ended }) => ended));
    const last = await Promise.all([arrivals.watch(), arrivals.watch()]);
    expect(
      last.map(({ code }) => code),
      last[0].stderr,
    ).toEqual([0, 0]);
    expect(arrivals.center.creations.size).toBe(120);
    expect(twice(arrivals.center.creations)).toEqual([]);
    const done = (await arrivals.names('done')).filter((name) => /^leads-\d\.csv$/.test(name));
    expect(done).toHaveLength(4);
    expect(await arrivals.names()).toEqual(['done']);
    const name = new URL(address).pathname.slice(1);
    const query = 'SELECT count(*)::int AS files FROM cardline.watch_taken';
    expect(await server.execute(name, query)).toEqual([{ files: 4 }]);
    await arrivals.close();
  }, 120_000);
});
