import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  identityOf,
  type Imported,
  installation,
  lead,
  useBench,
  twice,
  until,
} from '../../kit/bench.js';

const ROWS = 12;
/** One request for the first four rows, and the others wait. */
const OPTIONS = ['--campaign', '42', '--batch-size', '4', '--concurrency', '1'];
const SUPPRESS = 'suppress:\n  - { name: own, format: numbers, file: own.txt }\n';

const bench = useBench({
  after: ({ center }) => {
    expect(twice(center.creations)).toEqual([]);
    expect(twice(center.enqueuings)).toEqual([]);
  },
});
let file: string;
beforeEach(async () => {
  await bench.write('center.yaml', installation(bench.center.url) + SUPPRESS);
  file = await bench.list(ROWS);
  await list();
});
const mobileOf = (row: number): string => `+7916${1_000_000 + row}`;
/** A second phone: rows 4, 8 and 12 have one. */
const otherOf = (row: number): string => `+7495${1_000_000 + row}`;

const list = (...numbers: readonly string[]): Promise<string> =>
  bench.write('own.txt', [...numbers, ''].join('\n'));

/** Kills an import while the contact center makes nothing of such requests. */
async function killedAt(operation: '4.1' | '4.9', answer: object): Promise<void> {
  bench.center.behave = (asked) =>
    asked.operation === operation ? { untouched: true, ...answer } : undefined;
  const { child, ended } = bench.start('run', [file], OPTIONS);
  const isSent = () => bench.center.requests.some((request) => request.operation === operation);
  await until(isSent, `${operation} is sent`);
  // What became of the requests before is on record by then, and none is on its way that was not to be answered.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  child.kill('SIGKILL');
  await ended;
  bench.center.behave = () => undefined;
}

async function resumed(): Promise<Imported> {
  const run = bench.imported('run', await bench.run('resume', '--ledger', bench.at('run.db')));
  expect(run.stderr).not.toMatch(/gives other rows/);
  return run;
}

const outcomes = (run: Imported): string[] => run.report().map(({ outcome = '' }) => outcome);
const calledAt = (row: number): boolean => bench.center.enqueuings.has(identityOf(lead(row)));
const with12 = (changed: Readonly<Record<number, string>>): string[] =>
  Array.from({ length: ROWS }, (_, index) => changed[index + 1] ?? 'enqueued');

describe('a run goes on although a list of numbers has changed', () => {
  it('rows for which nothing was sent are left out, and those in doubt are not asked for again', async () => {
    await killedAt('4.1', { delay: 60_000 });
    await list(mobileOf(2), otherOf(4), mobileOf(6), otherOf(8));
    const run = await resumed();
    expect(run.code, run.stderr).toBe(2);
    expect(outcomes(run)).toEqual(with12({ 2: 'unknown', 4: 'unknown', 6: 'skipped' }));
    expect(JSON.stringify(run.report()[1])).toMatch(
      /come onto the list .+own.+ since the run began/,
    );
    expect([2, 4, 6, 8].map(calledAt)).toEqual([false, false, false, true]);
    // What was left out stays so; what was in doubt is asked for once it may be called.
    await list();
    const later = await resumed();
    expect(outcomes(later)).toEqual(with12({ 6: 'skipped' }));
  }, 60_000);

  it('whoever was created and has a phone on it is not added to the campaign', async () => {
    await killedAt('4.9', {
      answer: { status: 503, body: '', headers: { 'retry-after': '60' } },
    });
    // Meanwhile the others are created.
    expect(bench.center.creations.size).toBe(ROWS);
    await list(mobileOf(2), otherOf(4), mobileOf(6));
    const run = await resumed();
    expect(run.code, run.stderr).toBe(2);
    const held = { 2: 'enqueue_failed', 4: 'enqueue_failed', 6: 'enqueue_failed' };
    expect(outcomes(run)).toEqual(with12(held));
    expect([1, 2, 3, 4, 6].map(calledAt)).toEqual([true, false, true, false, false]);
  }, 60_000);

  it('whose lost request may have added them stays unknown', async () => {
    await killedAt('4.9', { delay: 60_000 });
    await list(mobileOf(2), otherOf(4));
    const run = await resumed();
    expect(outcomes(run)).toEqual(with12({ 2: 'unknown', 4: 'unknown' }));
    expect([1, 2, 3, 4].map(calledAt)).toEqual([true, false, true, false]);
  }, 60_000);

  it('a number that has come off a list changes nothing of what was decided; other rows are refused', async () => {
    await list(mobileOf(3), mobileOf(9));
    await killedAt('4.1', { delay: 60_000 });
    await list();
    const mapping = await readFile(bench.at('mapping.yaml'));
    await bench.write('mapping.yaml', 'where: { column: Status, in: [old] }\n');
    expect((await bench.run('resume', '--ledger', bench.at('run.db'))).code).toBe(64);
    await bench.write('mapping.yaml', mapping);
    const run = await resumed();
    expect(run.code, run.stderr).toBe(0);
    expect(outcomes(run)).toEqual(with12({ 3: 'skipped', 9: 'skipped' }));
    expect(run.summary().outcomes).toMatchObject({ enqueued: ROWS - 2, skipped: 2 });
  }, 60_000);
});
