/**
 * Two identical commands at nearly the same moment, as a cron job and a person start them: pairs of `import` on a fresh
 * ledger, of `resume`, of `undo` and of `reconcile`, and of imports of more than 8 MiB, whose content is digested while
 * they run. No client is sent twice; the second command is refused with code 3 and told who works on the ledger, or
 * repeats the verdict of the first one where that had ended.
 *
 * Short: 8 pairs of imports and 1 to 2 of each other kind, about 15 s. Full (PROOF=full): 60 pairs of imports, started
 * 0 to 200 ms apart, and 10 of each other kind, about 3 minutes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { csv, leads, twice, useBench } from '../kit/bench.js';
import { words } from '../kit/words.js';
import {
  NAIVE,
  STEADY,
  eachOnce,
  isFull,
  rejected,
  sendings,
  startIn,
  stoppedAt,
} from './harness.js';

const ROWS = 200;
/** The latest moment at which the second command starts, in milliseconds after the first. */
const LATEST = 200;

const bench = useBench(NAIVE);
const slow = (delay: number): void => {
  bench.center.behave = () => ({ delay });
};

/** Runs a command twice at once. One brings its work to an end with `code`; the other does too, or is told who is at work. */
async function pair(args: readonly string[], apart: number, code = 0): Promise<void> {
  const first = startIn(bench, args);
  await sleep(apart);
  const both = [first, startIn(bench, args)] as const;
  const ends = await Promise.all(both.map(({ ended }) => ended));
  const told = ends.map(({ stderr }) => stderr).join('\n');
  expect(
    ends.map((end) => end.code),
    told,
  ).toContain(code);
  for (const [at, refused] of ends.entries()) {
    if (refused.code === code) continue;
    expect(refused.code, told).toBe(3);
    // By whom, and since when.
    expect(refused.stderr).toMatch(new RegExp(`\\b${both[1 - at]?.child.pid}\\b`));
    expect(refused.stderr).toMatch(/\d\d:\d\d/);
  }
}

interface Kind {
  readonly what: string;
  /** How many pairs, in short and in full. */
  readonly pairs: readonly [short: number, full: number];
  readonly tryOne: (at: number, apart: number) => Promise<void>;
}

const KINDS: readonly Kind[] = [
  {
    what: 'imports on a fresh ledger: each client is sent once',
    pairs: [8, 60],
    tryOne: async (at, apart) => {
      // Every second pair has a row that is rejected, so that a repeated verdict is seen to be the same.
      const isBad = at % 2 === 1;
      const file = await bench.list(isBad ? leads(ROWS).with(7, rejected(8)) : ROWS);
      const campaign = at % 4 < 2 ? [] : ['--campaign', '42'];
      slow(40);
      await pair(bench.args(`pair${at}`, [file], [...STEADY, ...campaign]), apart, isBad ? 2 : 0);
      expect(twice(bench.center.creations)).toEqual([]);
      expect(twice(bench.center.enqueuings)).toEqual([]);
      expect(bench.center.cards.size).toBe(isBad ? ROWS - 1 : ROWS);
    },
  },
  {
    what: 'imports of more than 8 MiB: each client is sent once',
    pairs: [1, 6],
    tryOne: async (at, apart) => {
      // With a column that no mapping reads, few rows make a large file.
      const rows = leads(ROWS).map((row) => ({ ...row, Comment: '' }));
      const [header = '', ...lines] = csv(rows).trimEnd().split('\r\n');
      const padded = lines.map((line) => `${line},${'x'.repeat(48 * 1024)}`);
      const file = await bench.write('large.csv', [`${header},Notes`, ...padded, ''].join('\r\n'));
      slow(40);
      await pair(bench.args(`large${at}`, [file], STEADY), apart);
      await eachOnce(bench.center, ROWS);
    },
  },
  {
    what: 'commands "resume": each client is sent once',
    pairs: [2, 10],
    tryOne: async (at, apart) => {
      const [file, name] = [await bench.list(ROWS), `resumed${at}`];
      slow(40);
      await stoppedAt(bench, () => bench.start(name, [file], STEADY), 2);
      const ledger = ['--ledger', bench.at(`${name}.db`)];
      const { stdout } = await bench.run('runs', '--json', ...ledger);
      const [latest] = JSON.parse(stdout) as { run: string }[];
      await pair(words`resume ${latest?.run ?? ''} ${ledger} ${STEADY}`, apart);
      await eachOnce(bench.center, ROWS);
    },
  },
  {
    what: 'commands "undo": each client is deleted once',
    pairs: [2, 10],
    tryOne: async (at, apart) => {
      const done = await bench.import(`undone${at}`, [await bench.list(ROWS)], STEADY);
      slow(10);
      const out = bench.at(`undo${at}`);
      const deletions = () =>
        bench.center.requests.filter(({ operation }) => operation === '4.7').length;
      const before = deletions();
      const { run } = done.summary();
      await pair(
        words`undo ${run} --yes --ledger ${done.ledger} --out ${out} --concurrency 4`,
        apart,
      );
      expect([bench.center.cards.size, deletions() - before]).toEqual([0, ROWS]);
    },
  },
  {
    what: 'commands "reconcile": nothing is sent',
    pairs: [2, 10],
    tryOne: async (at, apart) => {
      const file = await bench.list(ROWS);
      const { ledger } = await bench.import(`compared${at}`, [file], STEADY);
      const sent = sendings(bench.center);
      slow(5);
      const files = words`-m mapping.yaml -i center.yaml --ledger ${ledger} --out compared`;
      await pair(['reconcile', file, ...files], apart);
      expect(sendings(bench.center)).toBe(sent);
    },
  },
];

it.each(KINDS)('pairs of $what', { timeout: 600_000 }, async ({ pairs: [short, full], tryOne }) => {
  const pairs = isFull ? full : short;
  for (let at = 0; at < pairs; at++) {
    await tryOne(at, Math.round((at * LATEST) / Math.max(1, pairs - 1)));
    // Begins again with a contact center that knows nobody.
    await bench.center.quiet();
    bench.center.forget();
    bench.center.behave = () => undefined;
  }
});
