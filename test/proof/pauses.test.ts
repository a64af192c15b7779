/**
 * Workers that are paused, or cut off from their ledger, for longer than their lease (imports that are: `runs/run/lost-lease`):
 * they begin no request and record nothing once another one has their work, and every row is there once.
 *
 * FLEET_ROUNDS: how often a worker is paused, in each phase. FLEET_PAUSE_MS: for how long; 60,000 goes with the lease that is
 * in use.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { installation, until, useBench } from '../kit/bench.js';
import { randomFrom, seedOf } from '../kit/random.js';
import { withOwnPostgres } from '../kit/with-postgres.js';
import { startCable } from '../runs/fleet/cable.js';
import { type Machines, machinesOf, type Running } from '../runs/fleet/harness.js';
import { everythingOnce, isFull } from './harness.js';

const bench = useBench({
  prepare: () =>
    bench.write(
      'center.yaml',
      installation(bench.center.url).replace('headers: {', 'headers: { X-Worker: "${WORKER}",'),
    ),
});

const requestsOf = (name: string) =>
  bench.center.requests.filter(({ headers }) => headers['x-worker'] === name);
const sendingsOf = (name: string) => requestsOf(name).filter(({ clients }) => clients > 0);

/** Far shorter than in use, so that a lease lapses while a test waits. */
const SHORT = { leaseMs: 2000, renewMs: 400 };

/** What the kernel had of a process that was stopped is passed on all the same, within this time. */
const PASSED_ON_MS = 500;

withOwnPostgres('a worker that others take for dead', (server) => {
  const ROUNDS = Number(process.env['FLEET_ROUNDS'] ?? (isFull ? 34 : 1));
  const ROWS = 600;
  const PAUSE_MS = Number(process.env['FLEET_PAUSE_MS'] ?? 6000);
  const LEASE = PAUSE_MS >= 60_000 ? { leaseMs: 30_000, renewMs: 5000 } : SHORT;
  const LONGEST_MS = 120_000 + 2 * PAUSE_MS + 2 * LEASE.leaseMs;
  /** At which point of a request a worker is paused. */
  const PHASES = isFull ? ['any', 'request under way', 'carried out'] : ['request under way'];
  const OPTIONS = { batchSize: 20, concurrency: 3 };

  let machines: Machines;
  let database: string;
  let file: string;
  beforeEach(async () => {
    database = await server.database();
    // All rows are one piece: whoever lost it has nothing else to do.
    machines = machinesOf(bench, database, 1_000_000, LEASE);
    bench.center.behave = () => ({ delay: 150 });
    file = await bench.list(ROWS);
    const { code, stderr } = await submit(true);
    expect(code, stderr).toBe(0);
  }, 60_000);

  const submit = (detach: boolean) =>
    machines.submit('run', file, { ...OPTIONS, detach }, { WORKER: 'submitter' }).ended;
  const worker = (name: string, ledger = database, options = {}): Running =>
    machines.workerWith({ WORKER: name }, ledger, options);
  const sends = (name: string, k = 1) => until(() => sendingsOf(name).length >= k, `${name} sends`);

  /** Ends the run by the worker that is left, and looks at all that was sent. */
  const endsOnce = async (late: Running, other: Running): Promise<string> => {
    await until(() => bench.center.cards.size === ROWS, 'all clients are there');
    const ended = await submit(false);
    for (const { child } of [late, other]) child.kill('SIGTERM');
    for (const { ended: end } of [late, other]) expect((await end).code).toBe(0);
    everythingOnce(bench, machines.imported('run', ended), ROWS);
    return (await late.ended).stderr;
  };

  it.each(PHASES.flatMap((phase) => Array.from({ length: ROUNDS }, () => phase)))(
    'begins no request and records nothing after it was stopped in the phase: %s',
    async (phase) => {
      const random = randomFrom(seedOf('pauses'));
      const late = worker('late');
      await sends('late', 1 + Math.floor(random() * 5));
      if (phase === 'any') await sleep(random() * 400);
      if (phase === 'carried out')
        await new Promise<void>((resolve) => {
          bench.center.onCarriedOut = () => resolve();
        });
      late.child.kill('SIGSTOP');
      const other = worker('other');
      await sleep(PASSED_ON_MS);
      const before = requestsOf('late').length;
      await sleep(PAUSE_MS);
      await sends('other');
      late.child.kill('SIGCONT');
      expect(await endsOnce(late, other)).toMatch(/is for others now/);
      expect(requestsOf('late').slice(before)).toEqual([]);
    },
    LONGEST_MS,
  );

  it(
    'sends nothing while the database cannot be reached, and takes part again afterwards',
    async () => {
      const cable = await startCable(server.port);
      const address = new URL(database);
      address.port = String(cable.port);
      const late = worker('late', address.href);
      await sends('late', 3);
      cable.isCut = true;
      const other = worker('other');
      // What is on its way, and what had been put on record before.
      await sleep(LEASE.leaseMs);
      const before = requestsOf('late').length;
      await sleep(PAUSE_MS);
      expect(requestsOf('late').length).toBe(before);
      cable.isCut = false;
      const stderr = await endsOnce(late, other);
      expect(stderr).toMatch(/Nothing new is sent until it answers/);
      // After a long pause it asks so seldom that the run may be over before.
      if (PAUSE_MS < 60_000) expect(stderr).toMatch(/The ledger answers again after \d+ s/);
      await cable.close();
    },
    LONGEST_MS,
  );

  // It takes half a minute.
  it.runIf(isFull)(
    'goes on by itself when the database was killed and started again, and gives up in the end',
    async () => {
      const late = worker('late');
      await sends('late', 3);
      server.stop('immediate');
      await sleep(2000);
      const before = bench.center.requests.length;
      await sleep(2000);
      expect(bench.center.requests.length).toBe(before);
      server.start();
      const told = await endsOnce(late, worker('other'));
      expect(told).toMatch(/Nothing new is sent until it answers/);
      expect(told).toMatch(/The ledger answers again/);
      const impatient = worker('late', database, { giveUpAfterMs: 1000 });
      await sleep(1500);
      server.stop('immediate');
      const { code, stderr } = await impatient.ended;
      server.start();
      expect([code, stderr]).toEqual([3, expect.stringMatching(/no server answers|was lost/)]);
    },
    LONGEST_MS,
  );
});
