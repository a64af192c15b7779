import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdir, open, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startCardline } from '../kit/cardline.js';
import { canMount, mountDisk, resizeDisk, unmountDisk } from '../kit/small-disk.js';
import { type Bench, type Imported, csv, leads, openBench, until } from '../runs/harness.js';
import { everythingOnce } from './harness.js';

const ROWS = 1200;
const OPTIONS = ['--campaign', '42', '--batch-size', '50', '--concurrency', '1'];
const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

let bench: Bench;
let file: string;
const mounts: string[] = [];
beforeEach(async () => {
  bench = await openBench();
  file = await bench.write('leads.csv', csv(leads(ROWS)));
});
afterEach(async () => {
  for (const folder of mounts.splice(0)) await unmountDisk(folder);
  await bench.close();
});

/** The command ended with code 3 and plain words about the ledger. */
function stoppedByLedger(ended: Imported, words: RegExp): void {
  expect(ended.code, ended.stderr).toBe(3);
  expect(ended.stderr).toMatch(words);
  expect(ended.stderr).not.toMatch(/\n\s+at /);
}

const continued = async (options: readonly string[] = []): Promise<Imported> => {
  const again = await bench.import('run', [file], [...OPTIONS, ...options]);
  everythingOnce(bench, again, ROWS);
  return again;
};

/** A file system of so many bytes in memory, for the ledger alone. */
async function mounted(bytes: number): Promise<string> {
  const folder = bench.at('disk');
  await mountDisk(folder, bytes);
  mounts.push(folder);
  return folder;
}

describe('a disk that fails', () => {
  // Only who may mount file systems can have a full one; the limit on the size of files below is for everybody.
  it.skipIf(!canMount)('full: stops at once, and goes on when there is room', async () => {
    const folder = await mounted(450_000);
    const ledger = ['--ledger', join(folder, 'run.db')];
    const first = await bench.import('run', [file], [...OPTIONS, ...ledger]);
    stoppedByLedger(first, /the disk is full; free some space and run the same command again/);
    expect(first.stdout).toMatch(/^ +enqueued +\d+/m);
    expect(first.stdout).toMatch(/rows were not read yet|continue the run to have them/);
    expect(bench.center.cards.size).toBeGreaterThan(0);
    expect(bench.center.cards.size).toBeLessThan(ROWS);
    const seen = bench.center.requests.length;
    const second = await bench.import('run', [file], [...OPTIONS, ...ledger]);
    stoppedByLedger(second, /the disk is full/);
    // At most what was open is settled; nothing is sent whose intent was not written.
    expect(bench.center.requests.length - seen).toBeLessThanOrEqual(60);
    await resizeDisk(folder, 50_000_000);
    await continued(ledger);
  });

  it.skipIf(!canMount)('full for the reports: the counts are told all the same', async () => {
    const folder = await mounted(40_000);
    const places = ['--out', join(folder, 'out')];
    const full = await bench.import('run', [file], [...OPTIONS, ...places]);
    expect(full.code, full.stderr).toBe(3);
    expect(full.stderr).toMatch(/the disk is full.*\n?.*The same command continues the run/);
    expect(full.stdout).toMatch(/^ +enqueued +1,200/m);
    const seen = bench.center.requests.length;
    await resizeDisk(folder, 50_000_000);
    const again = await bench.import('run', [file], [...OPTIONS, ...places]);
    expect(again.code, again.stderr).toBe(0);
    expect(bench.center.requests.slice(seen).filter(({ clients }) => clients > 0)).toEqual([]);
  });

  it.skipIf(!canMount)('read-only: sends nothing, and goes on when it may be written', async () => {
    const folder = await mounted(50_000_000);
    const ledger = ['--ledger', join(folder, 'run.db')];
    const { child, ended } = bench.start('run', [file], [...OPTIONS, ...ledger]);
    await until(() => bench.center.requests.length > 10, 'requests arrive');
    child.kill('SIGKILL');
    await ended;
    await run('mount', ['-o', 'remount,ro', folder]);
    const seen = bench.center.requests.length;
    const first = await bench.import('run', [file], [...OPTIONS, ...ledger]);
    stoppedByLedger(first, /run\.db/);
    expect(bench.center.requests.slice(seen).filter(({ clients }) => clients > 0)).toEqual([]);
    await run('mount', ['-o', 'remount,rw', folder]);
    await continued(ledger);
  });

  it('refuses to let files grow: stops at once, and goes on without that limit', async () => {
    // 512 bytes each: the ledger's log does not come far.
    const shell = ['sh', '-c', 'ulimit -f 500; exec "$@"', 'sh'];
    const { child, ended } = startCardline(bench.args('run', [file], OPTIONS), {
      env: bench.environment,
      command: shell,
    });
    child.stdin.end();
    const first = bench.imported('run', await ended);
    stoppedByLedger(first, /run\.db/);
    expect(bench.center.cards.size).toBeLessThan(ROWS);
    await continued();
  });

  it.skipIf(isRoot)('a folder that may not be written sends nothing', async () => {
    const folder = bench.at('closed');
    await mkdir(folder);
    await chmod(folder, 0o500);
    const ledger = ['--ledger', join(folder, 'run.db')];
    const first = await bench.import('run', [file], [...OPTIONS, ...ledger]);
    stoppedByLedger(first, /run\.db/);
    expect(bench.center.requests).toEqual([]);
    await chmod(folder, 0o700);
    await continued(ledger);
  });
});

describe('a last write that was torn by a power cut', () => {
  const wal = (): string => bench.at('run.db-wal');

  /** Kills an import whose seventh creation has been written down, and has not reached the contact center. */
  async function killed(): Promise<void> {
    let waiting = false;
    bench.center.behave = ({ operation, number }) => {
      if (operation !== '4.1' || number !== 7) return undefined;
      waiting = true;
      return { untouched: true, silent: true };
    };
    const { child, ended } = bench.start('run', [file], OPTIONS);
    await until(() => waiting, 'the seventh creation arrives');
    child.kill('SIGKILL');
    await ended;
    bench.center.behave = () => undefined;
  }

  it.each([1, 4096 + 24])('lacks its last %d bytes', async (bytes) => {
    await killed();
    // What was said to be on the disk is not there: nobody knows how much of it was done.
    await truncate(wal(), (await stat(wal())).size - bytes);
    const seen = bench.center.requests.length;
    stoppedByLedger(await bench.import('run', [file], OPTIONS), /lost its end.*--settle-all/);
    expect(bench.center.requests.slice(seen).filter(({ clients }) => clients > 0)).toEqual([]);
    await continued(['--settle-all']);
  });

  it('ends in what was never written whole', async () => {
    await killed();
    const handle = await open(wal(), 'r');
    const { buffer } = await handle.read(Buffer.alloc(3000), 0, 3000, 32);
    await handle.close();
    await appendFile(wal(), buffer);
    await continued();
  });
});
