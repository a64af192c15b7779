import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, csv, installation, leads, openBench, until } from '../runs/harness.js';
import { type Running, startSubmitter } from '../runs/fleet/harness.js';
import { POSTGRES, type SharedPostgres, startPostgres, WITHOUT } from '../kit/postgres.js';
import { randomFrom, seedOf } from '../kit/random.js';
import { everythingOnce, isFull } from './harness.js';

/** PAUSE_ROUNDS: at how many random moments a process is stopped, over both ledgers. */
const ROUNDS = Number(process.env['PAUSE_ROUNDS'] ?? (isFull ? 200 : 4));
const ROWS = 200;
/** Far shorter than in use, so that a lease lapses while the test waits. */
const LEASE = { leaseMs: 2000, renewMs: 400 };
/** How long an import lasts about, of which the moment falls somewhere. */
const LASTS_MS = 1500;
const LONG_MS = 180_000;
const rounds = Array.from({ length: Math.ceil(ROUNDS / 2) }, (_, at) => at + 1);

let bench: Bench;
let file: string;
beforeEach(async () => {
  bench = await openBench();
  const named = installation(bench.center.url).replace(
    'headers: {',
    'headers: { X-Worker: "${WORKER}",',
  );
  await bench.write('center.yaml', named);
  file = await bench.write('leads.csv', csv(leads(ROWS)));
  bench.center.behave = () => ({ delay: 50 });
});
afterEach(() => bench.close());

const start = (name: string, ledger: string): Running =>
  startSubmitter(
    {
      ...{ files: [file], ledger, out: bench.at('run'), campaign: { id: 42 }, shared: false },
      ...{ mapping: bench.at('mapping.yaml'), installation: bench.at('center.yaml') },
      ...{ batchSize: 20, concurrency: 2, lease: LEASE },
    },
    { ...bench.environment, WORKER: name },
  );
const requestsOf = (name: string) =>
  bench.center.requests.filter(({ headers }) => headers['x-worker'] === name);

/** Stops an import at a random moment: mostly while it sends, one time in five from its very start. */
async function stopAtRandom({ child, ended }: Running, random: () => number): Promise<void> {
  if (random() < 0.8)
    await Promise.race([until(() => requestsOf('late').length > 1, 'it sends'), ended]);
  await Promise.race([sleep(random() * LASTS_MS), ended]);
  child.kill('SIGSTOP');
  // What the kernel had of it is passed on all the same.
  await sleep(500);
  await bench.center.quiet();
}

/** Starts the same import until it is not refused; resolves with how that ended. */
async function takeOver(ledger: string): Promise<Awaited<Running['ended']>> {
  for (let tries = 0; tries < 10; tries++) {
    const ended = await start('other', ledger).ended;
    if (ended.code !== 3) return ended;
  }
  throw new Error('The run cannot be taken over.');
}

describe.skipIf(POSTGRES === undefined)(
  `a paused process whose run is taken over${WITHOUT}`,
  () => {
    let server: SharedPostgres;
    beforeAll(async () => {
      server = await startPostgres();
    }, 60_000);
    afterAll(() => server.remove(), 60_000);

    it.each(rounds)(
      'sends nothing after its pause, and every row is there once (%i)',
      async () => {
        const random = randomFrom(seedOf('taken over'));
        const ledger = await server.database();
        const late = start('late', ledger);
        await stopAtRandom(late, random);
        const left = requestsOf('late').length;
        const other = await takeOver(ledger);
        late.child.kill('SIGCONT');
        const { code, stderr } = await late.ended;
        // One that had ended, or had not come to the run yet, learns that all is done.
        expect([0, 3], stderr).toContain(code);
        const after = requestsOf('late').slice(left);
        expect(after.filter(({ clients }) => clients > 0)).toEqual([]);
        everythingOnce(bench, bench.imported('run', other), ROWS);
      },
      LONG_MS,
    );
  },
);

describe('a paused process with runs in a file', () => {
  it.each(rounds)(
    'keeps its run, goes on after its pause, and every row is there once (%i)',
    async () => {
      const random = randomFrom(seedOf('kept'));
      const ledger = bench.at('run.db');
      const late = start('late', ledger);
      await stopAtRandom(late, random);
      const other = await start('other', ledger).ended;
      late.child.kill('SIGCONT');
      const ended = await late.ended;
      expect([0, 3], other.stderr).toContain(other.code);
      expect([0, 3], ended.stderr).toContain(ended.code);
      everythingOnce(bench, bench.imported('run', await start('last', ledger).ended), ROWS);
      const sent = new Set(
        bench.center.requests
          .filter(({ clients }) => clients > 0)
          .map(({ headers }) => headers['x-worker']),
      );
      expect(sent.size).toBe(1);
    },
    LONG_MS,
  );
});
