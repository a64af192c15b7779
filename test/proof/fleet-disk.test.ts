import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csv, leads, openBench, until } from '../runs/harness.js';
import { machinesOf } from '../runs/fleet/harness.js';
import { POSTGRES, type PostgresServer, startOwnPostgres, WITHOUT } from '../kit/postgres.js';
import { canMount, mountDisk, resizeDisk, unmountDisk } from '../kit/small-disk.js';
import { everythingOnce } from './harness.js';

const ROWS = 3000;
const DISK_BYTES = 400 * 1024 ** 2;
const REASON = canMount ? WITHOUT : ' (skipped: no file system can be mounted here)';

const usedBytes = (folder: string): number =>
  Number(execFileSync('df', ['--output=used', '-B1', folder], { encoding: 'utf8' }).split('\n')[1]);

describe.skipIf(POSTGRES === undefined || !canMount)(`a database on a full disk${REASON}`, () => {
  const disk = mkdtempSync(join(tmpdir(), 'cardline-disk-'));
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
    const bench = await openBench();
    try {
      const machines = machinesOf(bench, await server.database(), 500, {
        leaseMs: 2000,
        renewMs: 400,
      });
      bench.center.behave = () => ({ delay: 50 });
      const file = await bench.write('leads.csv', csv(leads(ROWS)));
      const options = { batchSize: 5, concurrency: 3 };
      const submitted = await machines.submit('run', file, { ...options, detach: true }).ended;
      expect(submitted.code, submitted.stderr).toBe(0);
      const workers = [machines.worker(), machines.worker()];
      await until(() => bench.center.cards.size > ROWS / 10, 'workers send');
      await resizeDisk(disk, usedBytes(disk));
      // Until the room in files that are there is used up.
      let before = -1;
      for (let left = 60; left > 0 && before !== bench.center.requests.length; left--) {
        before = bench.center.requests.length;
        await sleep(1000);
      }
      expect(bench.center.requests.length).toBe(before);
      expect(bench.center.cards.size).toBeLessThan(ROWS);
      await resizeDisk(disk, DISK_BYTES);
      const end = await machines.submit('run', file, options).ended;
      for (const { child } of workers) child.kill('SIGTERM');
      for (const { ended } of workers) {
        const { code, stderr } = await ended;
        expect(stderr).toMatch(/disk of the server is full|connection to the server was lost/);
        expect(code, stderr).toBe(0);
      }
      everythingOnce(bench, machines.imported('run', end), ROWS);
    } finally {
      await bench.close();
    }
  }, 240_000);
});
