import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Misbehaviour, SeenRequest } from '../kit/contact-center.js';
import {
  type Bench,
  type Imported,
  countOutcomes,
  identityIn,
  identityOf,
  lead,
  twice,
  until,
} from '../runs/harness.js';

/** Whether the proof is asked for at its full size, which takes minutes. */
export const isFull = process.env['PROOF'] === 'full';

/** Operations whose answer is a list: an empty one is no garbage there, but an answer. */
const LISTING: ReadonlySet<string> = new Set(['4.12', '4.19']);

/** A contact center that loses, breaks and refuses as often as one of the worst does. */
export function faultPlan(
  random: () => number,
): (request: SeenRequest) => Misbehaviour | undefined {
  const garbage = ['<html>Log in</html>', '{"createResult":[{"uuid":"', 'null', '\0\xff', ''];
  const plan: readonly (readonly [share: number, how: (operation: string) => Misbehaviour])[] = [
    [0.05, () => ({ untouched: true, drop: true })],
    [0.05, () => ({ drop: true })],
    [0.03, () => ({ answer: { status: 502, body: '<html>Bad gateway</html>' } })],
    [0.03, () => ({ untouched: true, answer: { status: 503, body: '' } })],
    [
      0.02,
      (operation) => ({
        untouched: random() < 0.5,
        answer: { status: 200, body: oneOf(LISTING.has(operation) ? garbage : ['[]', ...garbage]) },
      }),
    ],
  ];
  const oneOf = (bodies: readonly string[]): string =>
    bodies[Math.floor(random() * bodies.length)] ?? '';
  return ({ operation }) => {
    let dice = random();
    for (const [share, how] of plan) {
      if (dice < share) return how(operation);
      dice -= share;
    }
    return undefined;
  };
}

/** Resolves with how often `kill` ended the import before the same command brought it to its end. */
export async function untilDone(
  bench: Bench,
  start: () => ReturnType<Bench['start']>,
  kills: number,
  kill: (running: ReturnType<Bench['start']>, number: number) => Promise<void>,
): Promise<{ readonly run: Imported; readonly kills: number; readonly starts: number }> {
  let killed = 0;
  for (let starts = 1; starts <= kills + 10; starts++) {
    const running = start();
    if (killed < kills) await kill(running, killed);
    const ended = await running.ended;
    if (ended.code === null) killed++;
    // A start may fall into a fault, and then says that it can be continued.
    else if (ended.code !== 3) return { run: bench.imported('run', ended), kills: killed, starts };
  }
  throw new Error('The import does not come to an end.');
}

/** Every one of so many rows was created once and enqueued once, and the report and the summary say so. */
export function everythingOnce(bench: Bench, run: Imported, rows: number): void {
  expect(run.code, run.stderr).toBe(0);
  expect(bench.center.violations).toEqual([]);
  expect(twice(bench.center.creations)).toEqual([]);
  expect(bench.center.cards.size).toBe(rows);
  const report = run.report();
  expect(countOutcomes(report)).toEqual({ enqueued: rows });
  expect(report.map(({ row }) => Number(row))).toEqual(report.map((_, index) => index + 2));
  for (const [index, line] of report.entries()) {
    const card = bench.center.cards.get(identityIn(line));
    expect(identityIn(line)).toBe(identityOf(lead(index + 1)));
    expect([line['createdClientId'], [...(card?.campaigns ?? [])]]).toEqual([
      String(card?.id),
      [42],
    ]);
  }
  const { outcomes, state } = run.summary();
  expect([run.summary().rows, state]).toEqual([rows, 'finished']);
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(rows);
  expect(outcomes['enqueued']).toBe(rows);
}

/**
 * Kills an import at a random instant: mostly while it sends, one time in five from its very start. `latest`: how long
 * after that it may still be killed, in milliseconds.
 */
export async function killAtRandom(
  { child, ended }: ReturnType<Bench['start']>,
  requests: () => number,
  random: () => number,
  latest: number,
): Promise<void> {
  const before = requests();
  if (random() < 0.8)
    await Promise.race([until(() => requests() > before, 'the import sends'), ended]);
  await Promise.race([sleep(random() * latest), ended]);
  child.kill('SIGKILL');
}
