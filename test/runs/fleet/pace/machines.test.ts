import { monitorEventLoopDelay } from 'node:perf_hooks';
import { beforeAll, expect, it } from 'vitest';
import { NoLedgerError } from '../../../../src/core/errors.js';
import type { Beat } from '../../../../src/fleet/permits.js';
import { openPace } from '../../../../src/fleet/pace.js';
import { csv, leads, useBench, twice } from '../../../kit/bench.js';
import { withOwnPostgres } from '../../../kit/with-postgres.js';

const REQUESTS = 20;
const PLACES = 2;
const LIMITS = `{ requestsPerSecond: ${REQUESTS}, concurrency: ${PLACES} }`;
const MACHINES = 3;
const ROWS = 20;

const beat = (id: string, change: Partial<Beat> = {}): Beat => ({
  ...{ id, group: id, weight: 1, leaseMs: 4000, leaves: false, held: {}, returned: {} },
  limits: { requestsPerSecond: 100, concurrency: 7 },
  want: { requests: 1e9, clients: 1e9, places: 1e9 },
  need: { requests: 1, clients: 1, places: 1 },
  ...{ answers: 0, refused: 0, retryAfterMs: 0 },
  ...change,
});

withOwnPostgres('with a ledger in PostgreSQL', (server) => {
  const bench = useBench({ limits: LIMITS, once: true });
  let ledger: string;
  beforeAll(async () => {
    ledger = await server.ledger();
  });

  it('reports that come at once are granted no more than there is', async () => {
    const rows = Array.from({ length: 6 }, () => openPace(ledger, 'http://center'));
    const answers = await Promise.all(rows.map((row, at) => row.beat(beat(`m${at}`))));
    const sum = (resource: 'requests' | 'places'): number =>
      answers.reduce((all, { held }) => all + (held[resource] ?? 0), 0);
    expect([sum('requests'), sum('places')]).toEqual([100, 7]);
    const [first] = rows;
    await first?.beat(beat('m0', { leaves: true }));
    await Promise.all(rows.map((row) => row.close()));
  });

  it('goes on after the server was away, and says at once what is wrong with an address', async () => {
    const row = openPace(ledger, 'http://other');
    await row.beat(beat('one'));
    server.stop('immediate');
    await expect(row.beat(beat('one'))).rejects.toThrow(
      /cannot be used|no server answers|was lost/,
    );
    server.start();
    const answer = await row.beat(beat('one', { held: { requests: 100, places: 7 } }));
    expect(answer.held).toMatchObject({ requests: 100, places: 7 });
    await row.close();
    const wrong = openPace(ledger.replace(/[^/]+$/, 'none'), 'http://other');
    await expect(wrong.beat(beat('one'))).rejects.toThrow(NoLedgerError);
    await wrong.close();
  }, 30_000);

  it('imports of several processes keep within the limits together', async () => {
    bench.center.behave = () => ({ delay: 30 });
    const all = leads(MACHINES * ROWS);
    const lag = monitorEventLoopDelay({ resolution: 5 });
    lag.enable();
    const runs = await Promise.all(
      Array.from({ length: MACHINES }, async (_, at) => {
        const name = `part-${at}`;
        const file = await bench.write(`${name}.csv`, csv(all.slice(at * ROWS, (at + 1) * ROWS)));
        return bench.import(name, [file], ['--batch-size', '1', '--ledger', ledger]);
      }),
    );
    lag.disable();
    for (const run of runs) expect(run.code, run.stderr).toBe(0);
    const { requests, creations } = bench.center;
    expect(creations.size).toBe(MACHINES * ROWS);
    expect(twice(creations)).toEqual([]);
    expect(bench.center.mostInFlight()).toBeLessThanOrEqual(PLACES);
    // The stand-in notes a request when its process comes to it.
    const second = 1000 - lag.max / 1e6;
    for (const { at } of requests)
      expect(
        requests.filter((one) => one.at >= at && one.at < at + second).length,
      ).toBeLessThanOrEqual(REQUESTS);
  }, 60_000);
});
