import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ended } from '../helpers/cardline.js';
import {
  type Bench,
  type Imported,
  type LeadRow,
  MAPPING,
  countOutcomes,
  csv,
  lead,
  leads,
  openBench,
  twice,
  until,
} from './harness.js';

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

function nothingTwice(): void {
  expect(twice(bench.center.creations)).toEqual([]);
  expect(twice(bench.center.enqueuings)).toEqual([]);
}

describe('the same command again', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'continues after %s, and nothing is lost or twice',
    async (signal) => {
      const first = bench.imported('run', await stopped(leads(3000), signal));
      expect(first.code, first.stderr).toBe(3);
      const { rows, outcomes, state } = first.summary();
      expect(state).toBe('stopped');
      expect(first.report()).toHaveLength(rows);
      expect(outcomes['unknown']).toBe(0);
      const run = await again();
      expect(run.code, run.stderr).toBe(0);
      expect(run.stderr).toContain('Continuing');
      expect(countOutcomes(run.report())).toEqual({ enqueued: 3000 });
      expect(run.summary().run).toBe(first.summary().run);
      expect(bench.center.cards.size).toBe(3000);
      nothingTwice();
    },
  );

  it('continues after two SIGKILLs; only what was under way is unknown', async () => {
    await stopped(leads(3000), 'SIGKILL');
    await stopped(leads(3000), 'SIGKILL');
    const run = await again();
    nothingTwice();
    const report = run.report();
    expect(report.map(({ row }) => row)).toEqual(leads(3000).map((_, index) => String(index + 2)));
    const { enqueued = 0, unknown = 0, ...others } = countOutcomes(report);
    expect(others).toEqual({});
    expect(enqueued + unknown).toBe(3000);
    expect(unknown).toBeLessThanOrEqual(2 * 3 * 50);
    for (const { outcome, offerId, offerDomain } of report)
      if (outcome === 'enqueued')
        expect(bench.center.cards.get(JSON.stringify([offerId, offerDomain]))?.campaigns.size).toBe(
          1,
        );
    expect(run.code).toBe(unknown === 0 ? 0 : 2);
  });

  it('begins a new run when the last one was finished', async () => {
    const file = await bench.write('leads.csv', csv(leads(20)));
    const first = (await bench.import('run', [file])).summary().run;
    const second = await bench.import('run', [file]);
    expect(second.summary().run).not.toBe(first);
    expect(countOutcomes(second.report())).toEqual({ failed: 20 });
  });

  it('is refused when the file has other rows than those that were sent', async () => {
    await stopped(leads(3000), 'SIGINT');
    await bench.write('leads.csv', csv(leads(3000).with(3, lead(4, { Offer: '999999' }))));
    const run = await again();
    expect(run.code, run.stdout).toBe(64);
    expect(run.stderr).toContain('not continued');
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
});
