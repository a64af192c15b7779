/** Machines that share a run: under faults and kills, and on a database whose disk is full. Every row is there once. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until, useBench } from '../kit/bench.js';
import type { Ended } from '../kit/cardline.js';
import { POSTGRES, type PostgresServer, startOwnPostgres, WITHOUT } from '../kit/postgres.js';
import { randomFrom, seedOf } from '../kit/random.js';
import { canMount, mountDisk, resizeDisk, unmountDisk } from '../kit/small-disk.js';
import { withPostgres } from '../kit/with-postgres.js';
import { machinesOf, type Running } from '../runs/fleet/harness.js';
import { everythingOnce, faultPlan, isFull } from './harness.js';

const bench = useBench();

/** FLEET_ROUNDS: how often, each time with another seed. */
const ROUNDS = Number(process.env['FLEET_ROUNDS'] ?? (isFull ? 20 : 1));
const [ROWS, PIECE] = isFull ? [50_000, 5000] : [3000, 1000];
const WORKERS = 3;

withPostgres('machines that share a run', (server) => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    `send ${ROWS} rows to a center with faults, one of ${WORKERS} killed every 2 s: each once (round %i)`,
    async (round) => {
      const random = randomFrom(seedOf('fleet') + round);
      // A lease is shorter than in use, so that more is tried in a round.
      const lease = { leaseMs: 3000, renewMs: 500 };
      const machines = machinesOf(bench, await server.database(), PIECE, lease);
      const file = await bench.list(ROWS);
      bench.center.behave = faultPlan(randomFrom(Math.floor(random() * 2 ** 31)));
      const workers = Array.from({ length: WORKERS }, () => machines.worker());
      const over = new AbortController();
      const killing = killOnAndOn(workers, () => machines.worker(), random, over.signal);
      // The submitter is killed while it hands over, while it waits, and before its report.
      for (const moment of [1500 + random() * 2500, 1500 + random() * 6000]) {
        const { child, ended } = machines.submit('run', file);
        await Promise.race([sleep(moment), ended]);
        child.kill('SIGKILL');
        await ended;
      }
      const { ended, tries } = await endOf(() => machines.submit('run', file));
      over.abort();
      const kills = await killing;
      for (const { child } of workers) child.kill('SIGTERM');
      for (const { ended: end } of workers) {
        const { code, stderr } = await end;
        // One that has just been started does not listen yet.
        if (stderr !== '') expect(code, stderr).toBe(0);
      }
      const requests = bench.center.requests.length;
      console.log(JSON.stringify({ round, rows: ROWS, kills, requests, tries }));
      everythingOnce(bench, machines.imported('run', ended), ROWS);
    },
    isFull ? 900_000 : 300_000,
  );
});

/** Every two seconds one of them is killed, and another one takes its place. Resolves with how many were. */
async function killOnAndOn(
  workers: Running[],
  another: () => Running,
  random: () => number,
  signal: AbortSignal,
): Promise<number> {
  for (let kills = 0; ; kills++) {
    await sleep(2000);
    if (signal.aborted) return kills;
    const at = Math.floor(random() * workers.length);
    workers[at]?.child.kill('SIGKILL');
    await workers[at]?.ended;
    workers[at] = another();
  }
}

/**
 * A start may fall into a fault, and says that it can be repeated. Of some rows it may not be known what became of them,
 * which is no false claim: the same command asks for them again.
 */
async function endOf(start: () => Running): Promise<{ ended: Ended; tries: number }> {
  for (let tries = 1; tries <= 20; tries++) {
    const ended = await start().ended;
    if (ended.code !== 3 && !/"unknown":[1-9]/.test(ended.stdout)) return { ended, tries };
  }
  throw new Error('The import does not come to an end.');
}

const REASON = canMount ? WITHOUT : ' (skipped: no file system can be mounted here)';
describe.skipIf(POSTGRES === undefined || !canMount)(`a database on a full disk${REASON}`, () => {
  const MANY = 3000;
  const DISK_BYTES = 400 * 1024 ** 2;
  const disk = mkdtempSync(join(tmpdir(), 'cardline-disk-'));
  const usedBytes = (): number => {
    const table = execFileSync('df', ['--output=used', '-B1', disk], { encoding: 'utf8' });
    return Number(table.split('\n')[1]);
  };
  let server: PostgresServer;
  beforeAll(async () => {
    await mountDisk(disk, DISK_BYTES);
    chmodSync(disk, 0o755);
    server = await startOwnPostgres(disk);
  }, 60_000);
  afterAll(async () => {
    server.remove();
    await unmountDisk(disk);
    rmSync(disk, { recursive: true, force: true });
  }, 60_000);

  it('workers send nothing new, say why, and go on by themselves when there is room', async () => {
    const lease = { leaseMs: 2000, renewMs: 400 };
    const machines = machinesOf(bench, await server.database(), 500, lease);
    bench.center.behave = () => ({ delay: 50 });
    const file = await bench.list(MANY);
    const options = { batchSize: 5, concurrency: 3 };
    const submitted = await machines.submit('run', file, { ...options, detach: true }).ended;
    expect(submitted.code, submitted.stderr).toBe(0);
    const workers = [machines.worker(), machines.worker()];
    await until(() => bench.center.cards.size > MANY / 10, 'workers send');
    await resizeDisk(disk, usedBytes());
    // Until the room in files that are there is used up.
    let before = -1;
    for (let left = 60; left > 0 && before !== bench.center.requests.length; left--) {
      before = bench.center.requests.length;
      await sleep(1000);
    }
    expect(bench.center.requests.length).toBe(before);
    expect(bench.center.cards.size).toBeLessThan(MANY);
    await resizeDisk(disk, DISK_BYTES);
    const end = await machines.submit('run', file, options).ended;
    for (const { child } of workers) child.kill('SIGTERM');
    for (const { ended } of workers) {
      const { code, stderr } = await ended;
      expect(stderr).toMatch(/disk of the server is full|connection to the server was lost/);
      expect(code, stderr).toBe(0);
    }
    everythingOnce(bench, machines.imported('run', end), MANY);
  }, 240_000);
});
