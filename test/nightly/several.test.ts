import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leads, twice, until } from '../runs/harness.js';
import { POSTGRES, type SharedPostgres, startPostgres, WITHOUT } from '../kit/postgres.js';
import { openArrivals } from './harness.js';

describe.skipIf(POSTGRES === undefined)(`several watchers on one PostgreSQL${WITHOUT}`, () => {
  let server: SharedPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.remove());

  it(
    'share the work, also when they are killed, and take nothing twice',
    { tags: 'depth', timeout: 120_000 },
    async () => {
      const arrivals = await openArrivals();
      const address = await server.database();
      await arrivals.edit('cardline.db', address);
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
    },
  );

  it('send the digest of a day once, whoever of them is the first', async () => {
    const arrivals = await openArrivals();
    const notify = `notify: [{ to: webhook, url: '${arrivals.hooks.address}/x' }]`;
    await arrivals.pickup(undefined, `${notify}\ndigest: { at: '00:00 UTC' }`);
    await arrivals.edit('cardline.db', await server.database());
    const all = await Promise.all([arrivals.watch(), arrivals.watch(), arrivals.watch()]);
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(arrivals.notices().map(({ kind }) => kind)).toEqual(['digest']);
    await arrivals.close();
  }, 120_000);
});
