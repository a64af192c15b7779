import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ended } from '../kit/cardline.js';
import {
  type Bench,
  type Imported,
  type LeadRow,
  type Line,
  MAPPING,
  countOutcomes,
  csv,
  identityIn,
  lead,
  leads,
  openBench,
  twice,
  until,
} from './harness.js';

/** More than are sent by the time a test stops the run twice. */
const ROWS = 1500;
const OPTIONS = ['--campaign', '42', '--batch-size', '50', '--concurrency', '3'];

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  expect(bench.center.violations).toEqual([]);
  await bench.close();
});

/** Starts an import of these rows, and sends it a signal when the stand-in has seen so many requests. */
async function stopped(
  rows: readonly LeadRow[],
  signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL',
  after = 12,
): Promise<Ended> {
  const file = await bench.write('leads.csv', csv(rows));
  const seen = bench.center.requests.length;
  bench.center.behave = () => ({ delay: 30 });
  const { child, ended } = bench.start('run', [file], OPTIONS);
  await until(() => bench.center.requests.length >= seen + after, 'requests arrive');
  child.kill(signal);
  return ended;
}

const again = (): Promise<Imported> => {
  bench.center.behave = () => undefined;
  return bench.import('run', [bench.at('leads.csv')], OPTIONS);
};

/** Nobody was created twice, and where no process was killed nobody was enqueued twice either. */
function nothingTwice(): void {
  expect(twice(bench.center.creations)).toEqual([]);
  expect(twice(bench.center.enqueuings)).toEqual([]);
}

/** The report has these outcomes, and whoever it says is enqueued stands so, once, in the contact center's books. */
function everyRowRight(report: readonly Line[], outcomes: Record<string, number>): void {
  expect(twice(bench.center.creations)).toEqual([]);
  expect(countOutcomes(report)).toEqual(outcomes);
  for (const line of report.filter(({ outcome }) => outcome === 'enqueued')) {
    const card = bench.center.cards.get(identityIn(line));
    expect([...(card?.campaigns ?? [])]).toEqual([42]);
    expect(line['createdClientId']).toBe(String(card?.id));
  }
}

describe('the same command again', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(
      `continues after ${signal}, and nothing is lost or twice`,
      { tags: signal === 'SIGINT' ? [] : 'depth' },
      async () => {
        const first = bench.imported('run', await stopped(leads(ROWS), signal));
        expect(first.code, first.stderr).toBe(3);
        const { rows, outcomes, state } = first.summary();
        expect(state).toBe('stopped');
        expect(first.report()).toHaveLength(rows);
        expect(outcomes['unknown']).toBe(0);
        const run = await again();
        expect(run.code, run.stderr).toBe(0);
        expect(run.stderr).toContain('Continuing');
        expect(countOutcomes(run.report())).toEqual({ enqueued: ROWS });
        expect(run.summary().run).toBe(first.summary().run);
        expect(bench.center.cards.size).toBe(ROWS);
        nothingTwice();
      },
    );

  it('continues after two SIGKILLs, and settles what was under way', async () => {
    await stopped(leads(ROWS), 'SIGKILL');
    await stopped(leads(ROWS), 'SIGKILL');
    const run = await again();
    expect(run.code, run.stderr).toBe(0);
    const report = run.report();
    expect(report.map(({ row }) => row)).toEqual(leads(ROWS).map((_, index) => String(index + 2)));
    everyRowRight(report, { enqueued: ROWS });
    expect(bench.center.cards.size).toBe(ROWS);
    const confirmed = report.filter(({ createResult }) => createResult?.includes('confirmed'));
    expect(confirmed.length).toBeLessThanOrEqual(2 * 3 * 50);
  });

  it('does nothing when the import was finished, and imports anew when it is told to', async () => {
    const file = await bench.write('leads.csv', csv(leads(20)));
    const first = await bench.import('run', [file]);
    const [report, seen] = [first.report(), bench.center.requests.length];
    const second = await bench.import('run', [file]);
    expect(second.code, second.stderr).toBe(0);
    expect(second.stdout + second.stderr).toContain(first.summary().run);
    expect(second.stdout + second.stderr).toContain('report.csv');
    expect(second.report()).toEqual(report);
    expect(bench.center.requests).toHaveLength(seen);
    const third = await bench.import('third', [file], ['--ledger', first.ledger, '--again']);
    expect(third.code, third.stderr).toBe(2);
    expect(third.summary().run).not.toBe(first.summary().run);
    expect(countOutcomes(third.report())).toEqual({ failed: 20 });
  });

  it('is refused when the file has changed since the run began, and says so', async () => {
    await stopped(leads(ROWS), 'SIGINT');
    const seen = bench.center.requests.length;
    await bench.write('leads.csv', csv(leads(ROWS).with(3, lead(4, { Offer: '999999' }))));
    const run = await again();
    expect(run.code, run.stdout).toBe(64);
    expect(run.stderr).toMatch(/the input has changed/);
    expect(bench.center.requests.slice(seen).filter(({ clients }) => clients > 0)).toEqual([]);
    nothingTwice();
  });

  it('keeps two mappings of one file apart', async () => {
    const file = await bench.write('leads.csv', csv(leads(30)));
    const other = await bench.write(
      'other.yaml',
      MAPPING.replace('column: Site,', 'value: other.example.com,').replace(
        'transform: [trim, lower] }\n    fullName',
        'transform: [trim] }\n    fullName',
      ),
    );
    const ledger = ['--ledger', bench.at('both.db')];
    const one = await bench.import('one', [file], ledger);
    const two = await bench.import('two', [file], ['-m', other, ...ledger]);
    expect([one.code, two.code], two.stderr).toEqual([0, 0]);
    expect(bench.center.cards.size).toBe(60);
    nothingTwice();
  });

  it(
    'survives ten kills at any moment, under other batch sizes each time',
    { tags: 'depth' },
    async () => {
      const rows = leads(3000)
        .with(10, lead(11, { Mobile: 'none' }))
        .with(2900, lead(5));
      const file = await bench.write('leads.csv', csv(rows));
      bench.center.behave = ({ number }) =>
        number % 7 === 0
          ? { untouched: true, answer: { status: 503, body: '', headers: { 'retry-after': '0' } } }
          : { delay: 10 };
      const seen = () => bench.center.requests.length;
      for (let kill = 0; kill < 10; kill++) {
        const [before, wanted] = [seen(), 1 + ((kill * 5) % 9)];
        const size = [
          '--batch-size',
          String(20 + 7 * kill),
          '--concurrency',
          String(1 + (kill % 4)),
        ];
        const { child, ended } = bench.start('run', [file], ['--campaign', '42', ...size]);
        await until(() => seen() >= before + wanted || child.exitCode !== null, 'requests arrive');
        child.kill(kill % 3 === 1 ? 'SIGINT' : 'SIGKILL');
        await ended;
      }
      const run = await bench.import('run', [file], OPTIONS);
      expect(run.code, run.stderr).toBe(2);
      expect(run.report()).toHaveLength(3000);
      everyRowRight(run.report(), { enqueued: 2998, rejected: 1, skipped: 1 });
      expect(bench.center.cards.size).toBe(2998);
    },
  );

  it('takes up a run whose report could not be written, and sends nothing again', async () => {
    const file = await bench.write('leads.csv', csv(leads(30)));
    await mkdir(bench.at('run/report.csv'), { recursive: true });
    const first = await bench.import('run', [file]);
    expect(first.code, first.stderr).toBe(3);
    await rm(bench.at('run/report.csv'), { recursive: true });
    const second = await bench.import('run', [file]);
    expect(second.code, second.stderr).toBe(0);
    expect(countOutcomes(second.report())).toEqual({ created: 30 });
    nothingTwice();
  });

  it('stops in plain words when the ledger is damaged, and sends nothing twice', async () => {
    await stopped(leads(ROWS), 'SIGINT', 20);
    const pages = await readFile(bench.at('run.db'));
    for (let page = 4; (page + 1) * 4096 < pages.length; page++)
      pages.fill(0x5a, page * 4096 + 100, page * 4096 + 2100);
    await writeFile(bench.at('run.db'), pages);
    const run = await again();
    expect(run.code, run.stderr).toBe(3);
    expect(run.stderr).toContain('run.db');
    nothingTwice();
  });
});
