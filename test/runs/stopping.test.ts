import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cardline, executable } from '../kit/cardline.js';
import { type Bench, countOutcomes, csv, leads, openBench, twice, until } from './harness.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  expect(twice(bench.center.creations)).toEqual([]);
  await bench.close();
});

const ROWS = 15_000;
const LIST = csv(leads(ROWS));
const OPTIONS = ['--campaign', '42', '--batch-size', '50', '--concurrency', '2'];

interface Remaining {
  readonly rows: number;
  readonly waiting: number;
  readonly waitingWithCard?: number;
  readonly unread?: number;
  readonly unreadIsEstimated?: true;
}
const remaining = async (): Promise<Remaining> =>
  JSON.parse(await readFile(bench.at('run/summary.json'), 'utf8')) as Remaining;

/**
 * Holds requests to enqueue up. `reached`: both places are taken by such requests, and clients have been created whose
 * turn has not come.
 */
function holdEnqueuing(): { readonly reached: boolean } {
  let held = 0;
  const asked = new Set<string>();
  bench.center.behave = ({ operation, identities, number }) => {
    if (operation !== '4.9') return undefined;
    for (const identity of identities) asked.add(identity);
    if (number < 4) return undefined;
    held++;
    setTimeout(() => held--, HOLD_MS);
    return { delay: HOLD_MS };
  };
  return {
    get reached() {
      return held === 2 && bench.center.creations.size > asked.size;
    },
  };
}

const HOLD_MS = 1000;

describe('a run that is stopped', () => {
  // The others of these signals come below.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)
    it(
      `by ${signal} says what remains, and calls nothing failed that was never tried`,
      { tags: signal === 'SIGINT' ? [] : 'depth' },
      async () => {
        const file = await bench.write('leads.csv', LIST);
        const held = holdEnqueuing();
        const { child, ended } = bench.start('run', [file], OPTIONS);
        await until(() => held.reached, 'clients are enqueued');
        child.kill(signal);
        const stopped = bench.imported('run', await ended);
        expect(stopped.code, stopped.stderr).toBe(3);
        expect(Object.keys(countOutcomes(stopped.report()))).toEqual(['enqueued']);
        const left = await remaining();
        expect(left.waitingWithCard).toBeGreaterThan(0);
        expect(left.unreadIsEstimated).toBe(true);
        const all = left.rows + left.waiting + (left.unread ?? 0);
        expect(all).toBeGreaterThan(ROWS * 0.8);
        expect(all).toBeLessThan(ROWS * 1.2);
        expect(stopped.stdout).toMatch(
          /waiting .*continue the run to have them sent; \d+ have a card/,
        );
        expect(stopped.stdout).toMatch(/about [\d,]+ rows were not read yet/);
        const show = ['runs', 'show', stopped.summary().run, '--ledger', bench.at('run.db')];
        expect((await cardline(show)).stdout).toMatch(
          /waiting +[\d,]+ rows are yet to be sent; \d+ of them have a card already/,
        );
      },
    );

  it('tells exactly how many rows were not read, where they were counted', async () => {
    const file = await bench.write('leads.csv', LIST);
    const held = holdEnqueuing();
    const { child, ended } = bench.start('run', [file], [...OPTIONS, '--max-failures', '50%']);
    await until(() => held.reached, 'clients are enqueued');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(3);
    const { rows, waiting, unread = 0, unreadIsEstimated } = await remaining();
    expect(rows + waiting + unread).toBe(ROWS);
    expect(unreadIsEstimated).toBeUndefined();
  });

  it('is continued to its end, and what waited is enqueued once', async () => {
    const file = await bench.write('leads.csv', csv(leads(2000)));
    const held = holdEnqueuing();
    const { child, ended } = bench.start('run', [file], OPTIONS);
    await until(() => held.reached, 'clients are enqueued');
    child.kill('SIGHUP');
    expect((await ended).code).toBe(3);
    bench.center.behave = () => undefined;
    const run = await bench.import('run', [file], OPTIONS);
    expect(run.code, run.stderr).toBe(0);
    expect(countOutcomes(run.report())).toEqual({ enqueued: 2000 });
    expect(twice(bench.center.enqueuings)).toEqual([]);
  });

  it('writes its report when nobody reads what it prints any more', async () => {
    const file = await bench.write('leads.csv', LIST);
    const held = holdEnqueuing();
    const { child, ended } = bench.start('run', [file], OPTIONS);
    await until(() => held.reached, 'clients are enqueued');
    child.stdout.destroy();
    child.stderr.destroy();
    child.kill('SIGHUP');
    child.kill('SIGHUP');
    expect((await ended).code).toBe(3);
    expect((await remaining()).rows).toBeGreaterThan(0);
  });

  // Only where there is a program that gives a process a terminal of its own.
  it.skipIf(!existsSync('/usr/bin/script'))(
    'writes its report when its terminal has been closed',
    async () => {
      const file = await bench.write('leads.csv', LIST);
      const held = holdEnqueuing();
      const command = [process.execPath, executable, ...bench.args('run', [file], OPTIONS)];
      const terminal = spawn('/usr/bin/script', ['-qec', command.join(' '), '/dev/null'], {
        env: { ...process.env, ...bench.environment },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      await until(() => held.reached, 'clients are enqueued');
      terminal.kill('SIGKILL');
      await until(() => existsSync(bench.at('run/summary.json')), 'the report is written');
      expect((await remaining()).waiting).toBeGreaterThan(0);
      expect(existsSync(join(bench.at('run'), 'report.csv'))).toBe(true);
    },
  );
});

describe('progress', () => {
  it('is not at its end when nobody answers', async () => {
    const file = await bench.write('leads.csv', csv(leads(300)));
    bench.center.behave = ({ operation }) =>
      operation === '4.1' ? { untouched: true, drop: true } : undefined;
    const { child, ended } = bench.start('run', [file], ['--give-up-after', '1h']);
    let told = '';
    child.stderr.on('data', (text: string) => (told += text));
    await until(() => / %: /.test(told), 'progress is told');
    child.kill('SIGTERM');
    await ended;
    expect(told).toMatch(/^0 %: 0 rows/m);
    expect(told).not.toMatch(/100 %/);
  });
});
