import { execFile } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Imported, until, useBench } from '../kit/bench.js';
import { canMount, mountDisk, resizeDisk, unmountDisk } from '../kit/small-disk.js';
import { everythingOnce, sendings, startIn } from './harness.js';

const ROWS = 1200;
const OPTIONS = ['--campaign', '42', '--batch-size', '50', '--concurrency', '1'];
const run = promisify(execFile);

let file: string;
const bench = useBench({
  prepare: async () => {
    file = await bench.list(ROWS);
  },
});

const imports = (options: readonly string[]): Promise<Imported> =>
  bench.import('run', [file], [...OPTIONS, ...options]);

/** The command ends with code 3 and plain words about the ledger. */
function stoppedByLedger(ended: Imported, words: RegExp): void {
  expect(ended.code, ended.stderr).toBe(3);
  expect(ended.stderr).toMatch(words);
  expect(ended.stderr).not.toMatch(/\n\s+at /);
}

// Only who may mount file systems can have a full one; the limit on the size of files below is for everybody.
describe.skipIf(!canMount)('a file system of its own', () => {
  let folder: string;
  let ledger: string[];
  const mounted = (bytes: number): Promise<void> => mountDisk(folder, bytes);
  beforeEach(() => {
    folder = bench.at('disk');
    ledger = ['--ledger', join(folder, 'run.db')];
  });
  afterEach(() => unmountDisk(folder));

  it('full: stops at once, and goes on when there is room', async () => {
    await mounted(450_000);
    const first = await imports(ledger);
    stoppedByLedger(first, /the disk is full; free some space and run the same command again/);
    expect(first.stdout).toMatch(/^ +enqueued +\d+/m);
    expect(first.stdout).toMatch(/rows were not read yet|continue the run to have them/);
    expect(bench.center.cards.size).toBeGreaterThan(0);
    expect(bench.center.cards.size).toBeLessThan(ROWS);
    const seen = bench.center.requests.length;
    stoppedByLedger(await imports(ledger), /the disk is full/);
    // At most what was open is settled; nothing is sent whose intent was not written.
    expect(bench.center.requests.length - seen).toBeLessThanOrEqual(60);
    await resizeDisk(folder, 50_000_000);
    everythingOnce(bench, await imports(ledger), ROWS);
  });

  it('full for the reports: the counts are told all the same', async () => {
    await mounted(40_000);
    const places = ['--out', join(folder, 'out')];
    const full = await imports(places);
    expect(full.code, full.stderr).toBe(3);
    expect(full.stderr).toMatch(/the disk is full.*\n?.*The same command continues the run/);
    expect(full.stdout).toMatch(/^ +enqueued +1,200/m);
    const sent = sendings(bench.center);
    await resizeDisk(folder, 50_000_000);
    const again = await imports(places);
    expect([again.code, sendings(bench.center)], again.stderr).toEqual([0, sent]);
  });

  it('read-only: sends nothing, and goes on when it may be written', async () => {
    await mounted(50_000_000);
    const { child, ended } = bench.start('run', [file], [...OPTIONS, ...ledger]);
    await until(() => bench.center.requests.length > 10, 'requests arrive');
    child.kill('SIGKILL');
    await ended;
    await run('mount', ['-o', 'remount,ro', folder]);
    const sent = sendings(bench.center);
    stoppedByLedger(await imports(ledger), /run\.db/);
    expect(sendings(bench.center)).toBe(sent);
    await run('mount', ['-o', 'remount,rw', folder]);
    everythingOnce(bench, await imports(ledger), ROWS);
  });
});

it('a disk that refuses to let files grow stops it at once, and it goes on without that limit', async () => {
  // 512 bytes each: the ledger's log does not come far.
  const shell = ['sh', '-c', 'ulimit -f 500; exec "$@"', 'sh'];
  const first = await startIn(bench, bench.args('run', [file], OPTIONS), shell).ended;
  stoppedByLedger(bench.imported('run', first), /run\.db/);
  expect(bench.center.cards.size).toBeLessThan(ROWS);
  everythingOnce(bench, await imports([]), ROWS);
});

it.skipIf(process.getuid?.() === 0)('a folder that may not be written sends nothing', async () => {
  const folder = bench.at('closed');
  await mkdir(folder);
  await chmod(folder, 0o500);
  const ledger = ['--ledger', join(folder, 'run.db')];
  stoppedByLedger(await imports(ledger), /run\.db/);
  expect(bench.center.requests).toEqual([]);
  await chmod(folder, 0o700);
  everythingOnce(bench, await imports(ledger), ROWS);
});
