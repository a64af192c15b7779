/**
 * The share of failures that a person means: 3 % of bad rows pass `--max-failures 5%`, wherever in the file they stand,
 * whether the mapping rejects them or the contact center refuses them; 10 % do not, and do not stop at a limit of 90 %
 * either. What a limit stopped is continued to its end by a higher one, and nobody is sent twice. Where the mapping
 * rejects too many, nothing is sent at all.
 *
 * Short: 1,500 rows, about 20 s. Full (PROOF=full): 4,000 rows, and canaries; about 40 s.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, type Imported, csv, leads } from '../../runs/harness.js';
import { isFull } from '../harness.js';
import { nobodyTwice, openNaiveBench, outcomesOf, rejected, said, sendings } from './harness.js';

const ROWS = isFull ? 4000 : 1500;
const OPTIONS = ['--batch-size', '50', '--concurrency', '4'];

let bench: Bench;
beforeEach(async () => {
  bench = await openNaiveBench();
});
afterEach(() => bench.close());

type Place = 'at the beginning' | 'at the end' | 'spread';
const PLACES: readonly Place[] = ['at the beginning', 'at the end', 'spread'];
type Kind = 'rejected' | 'failed';
const KINDS: readonly (readonly [what: string, kind: Kind])[] = [
  ['that the mapping rejects', 'rejected'],
  ['that the contact center refuses', 'failed'],
];

/** Numbers of the bad rows. */
function badRows(percent: number, place: Place): ReadonlySet<number> {
  const count = Math.round((ROWS * percent) / 100);
  const numberOf = {
    'at the beginning': (at: number) => at + 1,
    'at the end': (at: number) => ROWS - at,
    spread: (at: number) => 1 + Math.floor((at * ROWS) / count),
  }[place];
  return new Set(Array.from({ length: count }, (_, at) => numberOf(at)));
}

/** Writes a sheet with these bad rows. Those that the contact center refuses look like all others. */
async function prepare(percent: number, place: Place, kind: Kind): Promise<void> {
  const bad = badRows(percent, place);
  const rows = leads(ROWS).map((row, index) =>
    kind === 'rejected' && bad.has(index + 1) ? rejected(index + 1) : row,
  );
  await bench.write('leads.csv', csv(rows));
  // Good rows wait for answers, while rejected ones end at once.
  bench.center.behave = ({ operation }) => ({
    delay: 20,
    ...(operation === '4.1' &&
      kind === 'failed' && {
        refuse: (client) => {
          const { offerId } = client['fields'] as { offerId: number };
          return bad.has(offerId - 100_000) ? 'Client is in blacklist' : undefined;
        },
      }),
  });
}

const imports = (limit: string, more: readonly string[] = []): Promise<Imported> =>
  bench.import('run', [bench.at('leads.csv')], [...OPTIONS, '--max-failures', limit, ...more]);

/** The run came to its end with all good rows created, and so many bad ones. */
async function wentThrough(run: Imported, percent: number, kind: Kind): Promise<void> {
  const bad = Math.round((ROWS * percent) / 100);
  await nobodyTwice(bench.center);
  expect(run.code, said(run)).toBe(2);
  expect(outcomesOf(run)).toEqual({ created: ROWS - bad, [kind]: bad });
  expect(run.summary()).toMatchObject({ rows: ROWS, state: 'finished' });
  expect(bench.center.cards.size).toBe(ROWS - bad);
}

describe.each(KINDS)('bad rows %s', (_what, kind) => {
  it.each(PLACES)('3 % of them, %s, pass 5 %', { timeout: 120_000 }, async (place) => {
    await prepare(3, place, kind);
    await wentThrough(await imports('5%'), 3, kind);
  });

  it.each(isFull ? PLACES : PLACES.slice(0, 2))(
    '10 % of them, %s, stop at 5 %, and a limit of 20 % continues to the end',
    { timeout: 120_000 },
    async (place) => {
      await prepare(10, place, kind);
      const stopped = await imports('5%');
      expect(stopped.code, said(stopped)).toBe(3);
      expect(stopped.stderr).toMatch(/5 ?%/);
      if (kind === 'rejected') expect(sendings(bench.center)).toBe(0);
      await wentThrough(await imports('20%'), 10, kind);
    },
  );

  it('10 % of them, at the beginning, pass 90 %', { timeout: 120_000 }, async () => {
    await prepare(10, 'at the beginning', kind);
    await wentThrough(await imports('90%'), 10, kind);
  });
});

it(
  'a limit in rows counts them: 20 more than there are pass, one less stops',
  { timeout: 120_000 },
  async () => {
    await prepare(3, 'at the end', 'rejected');
    const bad = badRows(3, 'at the end').size;
    const stopped = await imports(String(bad - 1));
    expect(stopped.code, said(stopped)).toBe(3);
    await wentThrough(await imports(String(bad + 20)), 3, 'rejected');
  },
);

describe('a canary', () => {
  it('says nothing of rows that the mapping rejects', { timeout: 120_000 }, async () => {
    await prepare(3, 'at the beginning', 'rejected');
    await wentThrough(await imports('5%', ['--canary', '30']), 3, 'rejected');
  });

  it(
    'of which too many are refused stops, and a higher limit continues',
    { timeout: 120_000 },
    async () => {
      await prepare(3, 'at the beginning', 'failed');
      const stopped = await imports('5%', ['--canary', '30']);
      expect(stopped.code, said(stopped)).toBe(3);
      expect(bench.center.creations.size).toBeLessThanOrEqual(30);
      await wentThrough(await imports('100%', ['--canary', '30']), 3, 'failed');
    },
  );
});
