/**
 * Two identical commands at nearly the same moment, as a cron job and a person start them: pairs of `undo` and of `reconcile`
 * (of imports and of `resume`: `test/runs/run/beside`). The second one is refused with code 3 and told who works on the
 * ledger, or repeats the verdict of the first one where that had ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useBench } from '../kit/bench.js';
import { words } from '../kit/words.js';
import { NAIVE, STEADY, isFull, sendings, startIn } from './harness.js';

const ROWS = 200;
const PAIRS = isFull ? 10 : 2;
/** The latest moment at which the second command starts, in milliseconds after the first. */
const LATEST = 200;

const bench = useBench(NAIVE);
const slow = (delay: number): void => {
  bench.center.behave = () => ({ delay });
};

/** Runs a command twice at once. One brings its work to an end; the other does too, or is told who is at work. */
async function pair(args: readonly string[], apart: number): Promise<void> {
  const first = startIn(bench, args);
  await sleep(apart);
  const both = [first, startIn(bench, args)] as const;
  const ends = await Promise.all(both.map(({ ended }) => ended));
  const told = ends.map(({ stderr }) => stderr).join('\n');
  expect(
    ends.map((end) => end.code),
    told,
  ).toContain(0);
  for (const [at, refused] of ends.entries()) {
    if (refused.code === 0) continue;
    expect(refused.code, told).toBe(3);
    // By whom, and since when.
    expect(refused.stderr).toMatch(new RegExp(`\\b${both[1 - at]?.child.pid}\\b`));
    expect(refused.stderr).toMatch(/\d\d:\d\d/);
  }
}

const KINDS = [
  {
    what: 'commands "undo": each client is deleted once',
    tryOne: async (at: number, apart: number) => {
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
    tryOne: async (at: number, apart: number) => {
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

it.each(KINDS)('pairs of $what', { timeout: 600_000 }, async ({ tryOne }) => {
  for (let at = 0; at < PAIRS; at++) {
    await tryOne(at, Math.round((at * LATEST) / (PAIRS - 1)));
    // Begins again with a contact center that knows nobody.
    await bench.center.quiet();
    bench.center.forget();
    bench.center.behave = () => undefined;
  }
});
