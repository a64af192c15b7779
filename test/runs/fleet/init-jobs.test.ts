import { expect, it } from 'vitest';
import { initNamedLedger } from '../../../src/setup/ledger.js';
import { useBench } from '../../kit/bench.js';
import { cardline } from '../../kit/cardline.js';
import { PASSWORD } from '../../kit/postgres.js';
import { withPostgres } from '../../kit/with-postgres.js';
import { machinesOf } from './harness.js';

withPostgres('a role that may not make tables', (server) => {
  const bench = useBench({ once: true });

  it('shares runs once an administrator has executed what is printed', async () => {
    const url = new URL(await server.database());
    const database = url.pathname.slice(1);
    await server.execute(database, `CREATE ROLE plain_${database} LOGIN PASSWORD '${PASSWORD}'`);
    url.username = `plain_${database}`;
    const plain = url.href;
    const file = await bench.list(3);
    const machines = machinesOf(bench, plain);
    const early = await machines.submitHere('early', file);
    expect([early.code, early.stderr]).toEqual([64, expect.stringMatching(/cardline ledger init/)]);
    const asked = await initNamedLedger(plain, false);
    if (asked.kind !== 'sql') throw new Error('The role may do without.');
    await server.execute(database, asked.sql);
    expect(await initNamedLedger(plain, false)).toMatchObject({ kind: 'ready' });
    const ended = await machines.submitHere('run', file);
    expect(ended.code, ended.stderr).toBe(0);
    expect(bench.center.creations.size).toBe(3);
    // What was made for the run is gone again.
    const [left] = await server.execute(
      database,
      "SELECT count(*)::int AS tables FROM pg_class WHERE relispartition AND relkind = 'r'",
    );
    expect(left).toEqual({ tables: 0 });
    // Printed once more, nothing is made twice, and it does no harm.
    const again = await initNamedLedger(plain, true);
    if (again.kind !== 'sql') throw new Error('Nothing is printed.');
    expect(again.sql).not.toMatch(/CREATE (TABLE|SCHEMA|FUNCTION)/);
    await server.execute(database, again.sql);
    expect((await cardline(['ledger', 'init', '--ledger', plain])).code).toBe(0);
  }, 60_000);

  it('is not needed: who may make tables gets both kinds at once', async () => {
    const ledger = await server.database();
    expect(await initNamedLedger(ledger, false)).toMatchObject({ kind: 'ready' });
    const printed = await initNamedLedger(ledger, true);
    expect(printed.kind).toBe('sql');
  });
});
