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
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ended } from '../../kit/cardline.js';
import { type Bench, type LeadRow, csv, leads, twice } from '../../runs/harness.js';
import { isFull } from '../harness.js';
import {
  STEADY,
  eachOnce,
  nobodyTwice,
  openNaiveBench,
  latestRun,
  rejected,
  startCommand,
  stoppedAt,
  withPadding,
  writeLeads,
} from './harness.js';

const ROWS = 200;
const [PAIRS, OTHERS, LARGE] = isFull ? [60, 10, 6] : [8, 2, 1];
/** The latest moment at which the second command starts, in milliseconds after the first. */
const LATEST = 200;

let bench: Bench;
beforeEach(async () => {
  bench = await openNaiveBench();
  bench.center.behave = () => ({ delay: 40 });
});
afterEach(() => bench.close());

interface Started {
  readonly pid: number;
  readonly ended: Ended;
}

/** Runs a command twice at once. `apart`: milliseconds between the starts. */
async function pair(args: readonly string[], apart: number): Promise<readonly [Started, Started]> {
  const first = startCommand(bench, args);
  await sleep(apart);
  const second = startCommand(bench, args);
  const ends = await Promise.all([first.ended, second.ended]);
  return [
    { pid: first.child.pid ?? 0, ended: ends[0] },
    { pid: second.child.pid ?? 0, ended: ends[1] },
  ];
}

/** One command brought its work to an end with `code`; the other one did too, or was told who is at work. */
function oneRefused([one, other]: readonly [Started, Started], code: number): void {
  const codes = [one.ended.code, other.ended.code];
  const told = `${one.ended.stderr}\n${other.ended.stderr}`;
  expect(codes, told).toContain(code);
  for (const [refused, worker] of [
    [one, other],
    [other, one],
  ] as const) {
    if (refused.ended.code === code) continue;
    expect(refused.ended.code, told).toBe(3);
    // By whom, and since when.
    expect(refused.ended.stderr).toMatch(new RegExp(`\\b${worker.pid}\\b`));
    expect(refused.ended.stderr).toMatch(/\d\d:\d\d/);
  }
}

const moments = (pairs: number): number[] =>
  Array.from({ length: pairs }, (_, at) => Math.round((at * LATEST) / Math.max(1, pairs - 1)));

/** Every second pair has a row that is rejected, so that a repeated verdict is seen to be the same. */
const sheet = (at: number): LeadRow[] =>
  leads(ROWS).map((row, index) => (at % 2 === 1 && index === 7 ? rejected(index + 1) : row));

describe('two identical imports', () => {
  it(
    `on a fresh ledger, ${PAIRS} pairs: each client is sent once`,
    { timeout: 600_000 },
    async () => {
      for (const [at, apart] of moments(PAIRS).entries()) {
        const file = await bench.write('leads.csv', csv(sheet(at)));
        const campaign = at % 4 < 2 ? [] : ['--campaign', '42'];
        const ends = await pair(bench.args(`pair${at}`, [file], [...STEADY, ...campaign]), apart);
        const where = `pair ${at}, ${apart} ms apart`;
        expect([where, twice(bench.center.creations)]).toEqual([where, []]);
        expect([where, twice(bench.center.enqueuings)]).toEqual([where, []]);
        expect(bench.center.cards.size).toBe(at % 2 === 1 ? ROWS - 1 : ROWS);
        oneRefused(ends, at % 2 === 1 ? 2 : 0);
        await forgotten();
      }
    },
  );

  it(
    `of more than 8 MiB, ${LARGE} pairs: each client is sent once`,
    { timeout: 600_000 },
    async () => {
      const file = await bench.write('large.csv', withPadding(leads(ROWS), 48 * 1024));
      for (const [at, apart] of moments(LARGE).entries()) {
        const ends = await pair(bench.args(`large${at}`, [file], STEADY), apart);
        await eachOnce(bench.center, ROWS);
        oneRefused(ends, 0);
        await forgotten();
      }
    },
  );
});

describe('two identical commands on an earlier run', () => {
  it(`resume, ${OTHERS} pairs: each client is sent once`, { timeout: 300_000 }, async () => {
    const file = await writeLeads(bench, ROWS);
    for (const [at, apart] of moments(OTHERS).entries()) {
      const name = `resumed${at}`;
      await stoppedAt(bench, () => bench.start(name, [file], STEADY), 2);
      const run = await latestRun(bench, bench.at(`${name}.db`));
      const ends = await pair(
        ['resume', run, '--ledger', bench.at(`${name}.db`), ...STEADY],
        apart,
      );
      await eachOnce(bench.center, ROWS);
      oneRefused(ends, 0);
      await forgotten();
    }
  });

  it(`undo, ${OTHERS} pairs: each client is deleted once`, { timeout: 300_000 }, async () => {
    const file = await writeLeads(bench, ROWS);
    for (const [at, apart] of moments(OTHERS).entries()) {
      const name = `undone${at}`;
      bench.center.behave = () => undefined;
      const { run } = (await bench.import(name, [file], STEADY)).summary();
      bench.center.behave = () => ({ delay: 10 });
      const places = ['--ledger', bench.at(`${name}.db`), '--out', bench.at(`${name}-undo`)];
      const before = deletionsAsked();
      const ends = await pair(['undo', run, '--yes', ...places, '--concurrency', '4'], apart);
      expect(bench.center.cards.size).toBe(0);
      expect(deletionsAsked() - before).toBe(ROWS);
      oneRefused(ends, 0);
      await forgotten();
    }
  });

  it(`reconcile, ${OTHERS} pairs: nothing is sent`, { timeout: 300_000 }, async () => {
    const file = await writeLeads(bench, ROWS);
    bench.center.behave = () => undefined;
    await bench.import('compared', [file], STEADY);
    const sent = bench.center.creations.size;
    bench.center.behave = () => ({ delay: 5 });
    const files = [file, '-m', bench.at('mapping.yaml'), '-i', bench.at('center.yaml')];
    for (const apart of moments(OTHERS)) {
      const places = ['--ledger', bench.at('compared.db'), '--out', bench.at('comparison')];
      const ends = await pair(['reconcile', ...files, ...places], apart);
      oneRefused(ends, 0);
    }
    await nobodyTwice(bench.center);
    expect(bench.center.creations.size).toBe(sent);
  });
});

const deletionsAsked = (): number =>
  bench.center.requests.filter(({ operation }) => operation === '4.7').length;

/** Begins again with a contact center that knows nobody. */
async function forgotten(): Promise<void> {
  await bench.center.quiet();
  bench.center.forget();
}
