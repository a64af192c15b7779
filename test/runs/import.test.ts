import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../kit/contact-center.js';
import {
  countOutcomes,
  csv,
  lead,
  type LeadRow,
  leads,
  type Line,
  useBench,
} from '../kit/bench.js';

const bench = useBench();

const number = (line: Line): number => Number(line['offerId']) - 100_000;
const offerOf = (fields: Json): number =>
  Number((fields['fields'] as Json | undefined)?.['offerId'] ?? fields['offerId']) - 100_000;
const byText =
  (name: string) =>
  (one: Json, other: Json): number =>
    String(one[name]) < String(other[name]) ? -1 : 1;
const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

describe('an import into an independent contact center', () => {
  it('brings 1,500 rows into a campaign, and accounts for each by uuid', async () => {
    const rows = leads(1500);
    rows[9] = lead(10, { Status: 'closed' });
    rows[19] = lead(20, { Mobile: 'no phone' });
    rows[29] = lead(30, { Offer: 'abc', Segment: 'tepid' });
    rows[39] = lead(5);
    bench.center.behave = ({ operation }) => {
      if (operation === '4.1')
        return {
          refuse: (client) => (offerOf(client) % 100 === 1 ? 'Field [x] is required.' : undefined),
          results: (results) => results.toSorted(byText('uuid')),
        };
      return {
        refuse: (ids) => (offerOf(ids) % 100 === 2 ? 'Client is in blacklist' : undefined),
        errorStatus: 200,
      };
    };
    const file = await bench.write('big.csv', csv(rows));
    const began = Date.now();
    const run = await bench.import('big', [file], ['--campaign', '42', '--max-call-count', '3']);
    const took = (Date.now() - began) / 1000;
    expect(run.code, run.stderr).toBe(2);
    expect(bench.center.violations).toEqual([]);

    const report = run.report();
    expect(report.map((line) => line['row'])).toEqual(rows.map((_, index) => String(index + 2)));
    expect(countOutcomes(report)).toEqual({
      enqueued: 1466,
      enqueue_failed: 15,
      failed: 15,
      rejected: 2,
      skipped: 2,
    });
    expect(run.summary()).toMatchObject({ rows: 1500, state: 'finished', retries: 0 });
    expect(sum(run.summary().outcomes)).toBe(1500);
    // The run is a part of what was seen of it from outside.
    const { seconds, rowsPerSecond } = run.summary();
    expect([seconds > 0, seconds < took, rowsPerSecond]).toEqual([true, true, 1500 / seconds]);

    const byUuid = new Map([...bench.center.cards.values()].map((card) => [card.uuid, card]));
    for (const line of report) {
      const card = byUuid.get(line['uuid'] ?? '');
      const exists = ['enqueued', 'enqueue_failed'].includes(line['outcome'] ?? '');
      expect(line['createdClientId']).toBe(exists ? String(card?.id) : '');
      if (exists) expect(offerOf(card?.client ?? {})).toBe(number(line));
      if (line['outcome'] === 'enqueued') expect(card?.campaigns).toEqual(new Set([42]));
      if (line['outcome'] === 'failed') expect(line['createResult']).toBe('Field [x] is required.');
      if (line['outcome'] === 'enqueue_failed')
        expect(line['enqueueResult']).toBe('Client is in blacklist');
    }
    expect(bench.center.cards.size).toBe(1481);
    expect(report[29]?.['problems']).toContain('Offer');
    expect(report[29]?.['problems']).toContain('Segment');
    expect(report[39]?.['problems']).toContain('row 6');
    expect(run.rejects()).toHaveLength(32);
  });

  it('gives each of several files its own rejects, rows of which lie thousands apart', async () => {
    bench.center.behave = () => ({
      refuse: (client) => (offerOf(client) % 1234 === 1 ? 'Not this one.' : undefined),
    });
    const rows = leads(3000);
    const cuts: [string, LeadRow[]][] = [
      ['one.csv', rows.slice(0, 1300)],
      ['two.csv', rows.slice(1300, 1400)],
      ['three.csv', rows.slice(1400)],
    ];
    const files = await Promise.all(cuts.map(([name, cut]) => bench.write(name, csv(cut))));
    const run = await bench.import('run', files);
    expect(run.code, run.stderr).toBe(2);
    const original = (name: string): Line[] =>
      run
        .rejects(name)
        .map((line) =>
          Object.fromEntries(Object.entries(line).filter(([column]) => !column.includes(':'))),
        );
    const at = (...numbers: number[]) => numbers.map((number) => rows[number - 1]);
    expect(original('rejects-1.csv')).toEqual(at(1, 1235));
    expect(existsSync(join(run.out, 'rejects-2.csv'))).toBe(false);
    expect(original('rejects-3.csv')).toEqual(at(2469));
  });

  it.each(['report.csv', 'rejects-2.csv.part', 'rejects-2.csv'])(
    'can be continued where %s cannot be written, and sends nothing again',
    async (blocked) => {
      bench.center.behave = () => ({ refuse: () => 'Not this one.' });
      const files = [
        await bench.list(10, 'first.csv'),
        await bench.list(leads(20).slice(10), 'other.csv'),
      ];
      // A folder stands where the file should be made, or put.
      mkdirSync(bench.at(`run/${blocked}/inner`), { recursive: true });
      const run = await bench.import('run', files);
      expect([run.code, run.stderr]).toEqual([
        3,
        expect.stringContaining(blocked.replace('.part', '')),
      ]);
      if (blocked !== 'report.csv') {
        expect(countOutcomes(run.report())).toEqual({ failed: 20 });
        const rejects = readdirSync(run.out).filter((name) => name.startsWith('rejects'));
        expect(rejects).toEqual(['rejects-1.csv', blocked]);
      }
      const before = bench.center.requests.length;
      rmSync(bench.at(`run/${blocked}`), { recursive: true });
      const again = await bench.import('run', files);
      expect(again.code).toBe(2);
      expect(bench.center.requests.length).toBe(before);
      expect(countOutcomes(again.report())).toEqual({ failed: 20 });
      for (const name of ['rejects-1.csv', 'rejects-2.csv'])
        expect(again.rejects(name)).toHaveLength(10);
    },
  );

  it.each([
    ['is cut short', (file: string) => writeFileSync(file, csv(leads(300)))],
    [
      'has other rows in the same places',
      (file: string) => writeFileSync(file, csv(leads(600).reverse())),
    ],
    ['has nothing but its header left', (file: string) => writeFileSync(file, csv([]))],
    ['is gone', (file: string) => rmSync(file, { force: true })],
  ])('makes no rejects of a file that %s meanwhile, and says so', async (_, change) => {
    const file = await bench.list(600);
    const other = await bench.write('other.csv', csv(leads(700).slice(600)));
    bench.center.behave = ({ number }) => {
      if (number === 3) change(file);
      return { refuse: (client) => (offerOf(client) % 100 ? undefined : 'Not this one.') };
    };
    const run = await bench.import('run', [file, other]);
    expect(run.code, run.stderr).toBe(2);
    expect(countOutcomes(run.report())).toEqual({ created: 693, failed: 7 });
    expect(run.summary()).toMatchObject({ state: 'finished' });
    expect(existsSync(join(run.out, 'rejects-1.csv'))).toBe(false);
    expect(run.stderr).toMatch(/leads.csv was changed .* from row 101 on are left out/);
    expect(run.stderr).not.toContain('other.csv was changed');
    expect(run.rejects('rejects-2.csv')).toMatchObject([lead(700)]);
  });
});
