import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POSTGRES, type SharedPostgres, startPostgres, WITHOUT } from '../kit/postgres.js';
import { openArrivals } from './harness.js';

describe.skipIf(POSTGRES === undefined)(`several watchers on one PostgreSQL${WITHOUT}`, () => {
  let server: SharedPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.remove());

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
