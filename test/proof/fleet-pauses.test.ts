import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, csv, installation, leads, openBench, until } from '../runs/harness.js';
import { startCable } from '../runs/fleet/cable.js';
import { type Machines, machinesOf, type Running } from '../runs/fleet/harness.js';
import { POSTGRES, type PostgresServer, startOwnPostgres, WITHOUT } from '../kit/postgres.js';
import { randomFrom, seedOf } from '../kit/random.js';
import { everythingOnce, isFull } from './harness.js';

/** FLEET_ROUNDS: how often each phase is tried. */
const ROUNDS = Number(process.env['FLEET_ROUNDS'] ?? (isFull ? 34 : 1));
const ROWS = 600;
/** FLEET_PAUSE_MS: how long a worker is away. 60,000 goes with the lease that is in use. */
const PAUSE_MS = Number(process.env['FLEET_PAUSE_MS'] ?? 6000);
/** Far shorter than the pause. */
const LEASE =
  PAUSE_MS >= 60_000 ? { leaseMs: 30_000, renewMs: 5000 } : { leaseMs: 2000, renewMs: 400 };
/** How long a test may take. */
const LONGEST_MS = 120_000 + 2 * PAUSE_MS + 2 * LEASE.leaseMs;

/** At which point of a request a worker is paused. */
const PHASES = isFull
  ? (['any', 'request under way', 'carried out'] as const)
  : (['request under way'] as const);

describe.skipIf(POSTGRES === undefined)(`a worker that others take for dead${WITHOUT}`, () => {
  let server: PostgresServer;
  let bench: Bench;
  let machines: Machines;
  let database: string;
  beforeAll(async () => {
    server = await startOwnPostgres();
  }, 60_000);
  afterAll(() => server.remove(), 60_000);
  beforeEach(async () => {
    bench = await openBench();
    const named = installation(bench.center.url).replace(
      'headers: {',
      'headers: { X-Worker: "${WORKER}",',
    );
    await bench.write('center.yaml', named);
    database = await server.database();
    // All rows are one piece: whoever lost it has nothing else to do.
    machines = machinesOf(bench, database, 1_000_000, LEASE);
    bench.center.behave = () => ({ delay: 150 });
  }, 60_000);
  afterEach(() => bench.close());

  const OPTIONS = { detach: true, batchSize: 20, concurrency: 3 };
  const handOver = async (): Promise<string> => {
    const file = await bench.write('leads.csv', csv(leads(ROWS)));
    const ended = await machines.submit('run', file, OPTIONS, { WORKER: 'submitter' }).ended;
    expect(ended.code, ended.stderr).toBe(0);
    return file;
  };
  const worker = (name: string, ledger = database): Running =>
    machines.workerWith({ WORKER: name }, ledger);
  const requestsOf = (name: string) =>
    bench.center.requests.filter(({ headers }) => headers['x-worker'] === name);
  const sends = (name: string, k = 1) =>
    until(() => requestsOf(name).filter(({ clients }) => clients > 0).length >= k, `${name} sends`);

  /** Ends the run by the worker that is left, and looks at all that was sent. */
  const endsOnce = async (file: string, late: Running, other: Running): Promise<void> => {
    await until(() => bench.center.cards.size === ROWS, 'all clients are there');
    const waiting = { ...OPTIONS, detach: false };
    const ended = await machines.submit('run', file, waiting, { WORKER: 'submitter' }).ended;
    for (const { child } of [late, other]) child.kill('SIGTERM');
    for (const { ended: end } of [late, other]) expect((await end).code).toBe(0);
    everythingOnce(bench, machines.imported('run', ended), ROWS);
  };

  it.each(PHASES.flatMap((phase) => Array.from({ length: ROUNDS }, () => phase)))(
    'begins no request and records nothing after it was stopped in the phase: %s',
    async (phase) => {
      const random = randomFrom(seedOf('pauses'));
      const file = await handOver();
      const late = worker('late');
      await sends('late', 1 + Math.floor(random() * 5));
      if (phase === 'any') await sleep(random() * 400);
      if (phase === 'carried out')
        await new Promise<void>((resolve) => {
          bench.center.onCarriedOut = () => resolve();
        });
      late.child.kill('SIGSTOP');
      const other = worker('other');
      // What the kernel had of it is passed on all the same.
      await sleep(500);
      const before = requestsOf('late').length;
      await sleep(PAUSE_MS);
      await sends('other');
      late.child.kill('SIGCONT');
      await endsOnce(file, late, other);
      expect(requestsOf('late').slice(before)).toEqual([]);
      expect((await late.ended).stderr).toMatch(/is for others now/);
    },
    LONGEST_MS,
  );

  it(
    'sends nothing while the database cannot be reached, and takes part again afterwards',
    async () => {
      const cable = await startCable(server.port);
      const address = new URL(database);
      address.port = String(cable.port);
      const file = await handOver();
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
      await endsOnce(file, late, other);
      const { stderr } = await late.ended;
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
      const file = await handOver();
      const late = worker('late');
      await sends('late', 3);
      server.stop('immediate');
      await sleep(2000);
      const before = bench.center.requests.length;
      await sleep(2000);
      expect(bench.center.requests.length).toBe(before);
      server.start();
      const other = worker('other');
      await endsOnce(file, late, other);
      expect((await late.ended).stderr).toMatch(/Nothing new is sent until it answers/);
      expect((await late.ended).stderr).toMatch(/The ledger answers again/);
      const impatient = machines.workerWith({ WORKER: 'late' }, database, { giveUpAfterMs: 1000 });
      await sleep(1500);
      server.stop('immediate');
      const { code, stderr } = await impatient.ended;
      server.start();
      expect([code, stderr]).toEqual([3, expect.stringMatching(/no server answers|was lost/)]);
    },
    LONGEST_MS,
  );
});
