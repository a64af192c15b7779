import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  type Bench,
  type BenchUse,
  type Imported,
  countOutcomes,
  identityIn,
  identityOf,
  lead,
  leads,
  twice,
  until,
} from '../kit/bench.js';
import { type Ended, startCardline } from '../kit/cardline.js';
import type { Misbehaviour, SeenRequest, StandIn } from '../kit/contact-center.js';

/** Whether the proof is asked for at its full size, which takes minutes. */
export const isFull = process.env['PROOF'] === 'full';

export const BATCH = 50;
/** Small batches, so that a run has a middle, and a fixed pace, so that it is known what is in flight. */
export const STEADY = ['--batch-size', String(BATCH), '--concurrency', '2'];

/**
 * A contact center that makes a second card of a second creation, so that it is seen. It gives up requests soon, and the
 * installation says so: what a killed process had not sent yet is then sent again without a long wait.
 */
export const NAIVE: BenchUse = { duplicates: 'accepted', transport: '{ serverDeadlineMs: 500 }' };

type Running = ReturnType<typeof startCardline>;

/** Starts any command in the bench's folder. `command`: what is given the interpreter, for instance to mount something. */
export function startIn(
  bench: Bench,
  args: readonly string[],
  command?: readonly string[],
): Running {
  const where = { cwd: bench.at('.'), env: bench.environment };
  const running = startCardline(args, { ...where, ...(command && { command }) });
  running.child.stdin.end();
  return running;
}

/** Everything that a command said. */
export const said = ({ stdout, stderr }: Ended): string => `${stdout}\n${stderr}`;

/** Requests that carry clients: creations and additions to a campaign. */
export const sendings = (center: StandIn): number =>
  center.requests.filter(({ clients }) => clients > 0).length;

/** Creations that have arrived. */
export const creationsOf = (center: StandIn): number =>
  center.requests.filter(({ operation }) => operation === '4.1').length;

/** Nobody was created twice, whatever is still under way at the contact center. */
export async function nobodyTwice(center: StandIn): Promise<void> {
  await center.quiet();
  expect(center.violations.filter((text) => !text.includes('could not be read'))).toEqual([]);
  expect({ twice: twice(center.creations).length }).toEqual({ twice: 0 });
}

/** The clients of these leads were created, each once, and no others. */
export async function eachOnce(center: StandIn, rows: number): Promise<void> {
  await nobodyTwice(center);
  const wanted = new Set(leads(rows).map(identityOf));
  const lost = [...wanted].filter((identity) => !center.creations.has(identity));
  const foreign = [...center.creations.keys()].filter((identity) => !wanted.has(identity));
  expect({ lost, foreign }).toEqual({ lost: [], foreign: [] });
}

/** Every one of so many rows was created once and enqueued once, and the report and the summary say so. */
export function everythingOnce(bench: Bench, run: Imported, rows: number): void {
  const { cards, creations, violations } = bench.center;
  expect(violations).toEqual([]);
  expect(twice(creations)).toEqual([]);
  everythingIn(cards, 42, run, rows);
}

/** The same by any books. `campaign`: the one that everybody is in. */
export function everythingIn(
  books: ReadonlyMap<string, { readonly id: number; readonly campaigns: Iterable<number> }>,
  campaign: number,
  run: Imported,
  rows: number,
): void {
  expect(run.code, run.stderr).toBe(0);
  expect(books.size).toBe(rows);
  const report = run.report();
  expect(countOutcomes(report)).toEqual({ enqueued: rows });
  for (const [index, line] of report.entries()) {
    const card = books.get(identityIn(line));
    expect([
      line['row'],
      identityIn(line),
      line['createdClientId'],
      [...(card?.campaigns ?? [])],
    ]).toEqual([String(index + 2), identityOf(lead(index + 1)), String(card?.id), [campaign]]);
  }
  const { outcomes, ...summary } = run.summary();
  expect(summary).toMatchObject({ rows, state: 'finished' });
  expect(Object.entries(outcomes).filter(([, count]) => count > 0)).toEqual([['enqueued', rows]]);
}

/** Operations whose answer is a list: an empty one is no garbage there, but an answer. */
const LISTING: ReadonlySet<string> = new Set(['4.12', '4.19']);

/** A contact center that loses, breaks and refuses as often as one of the worst does. */
export function faultPlan(
  random: () => number,
): (request: SeenRequest) => Misbehaviour | undefined {
  const garbage = ['<html>Log in</html>', '{"createResult":[{"uuid":"', 'null', '\0\xff', ''];
  const oneOf = (bodies: readonly string[]): string =>
    bodies[Math.floor(random() * bodies.length)] ?? '';
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
  return ({ operation }) => {
    let dice = random();
    for (const [share, how] of plan) {
      if (dice < share) return how(operation);
      dice -= share;
    }
    return undefined;
  };
}

/** Starts a command and kills it when so many more creations have arrived, each answered a little late. */
export async function stoppedAt(
  { center }: Bench,
  start: () => Running,
  creations: number,
): Promise<Ended> {
  const wanted = creationsOf(center) + creations;
  const { behave } = center;
  center.behave = (request) => ({ delay: 30, ...behave(request) });
  const { child, ended } = start();
  await Promise.race([until(() => creationsOf(center) >= wanted, 'creations arrive'), ended]);
  child.kill('SIGKILL');
  const end = await ended;
  center.behave = behave;
  await center.quiet();
  return end;
}

/** Resolves with how the import ended once `kill` has ended it so often before the same command brought it to its end. */
export async function untilDone(
  bench: Bench,
  start: () => Running,
  kills: number,
  kill: (running: Running) => Promise<void>,
): Promise<{ readonly run: Imported; readonly starts: number }> {
  let killed = 0;
  for (let starts = 1; starts <= kills + 10; starts++) {
    const running = start();
    if (killed < kills) await kill(running);
    const ended = await running.ended;
    if (ended.code === null) killed++;
    // A start may fall into a fault, and then says that it can be continued.
    else if (ended.code !== 3) {
      expect(killed).toBe(kills);
      return { run: bench.imported('run', ended), starts };
    }
  }
  throw new Error('The import does not come to an end.');
}

/** Waits for a random instant of a command: mostly while it sends, one time in five from its very start. */
export async function randomInstant(
  { ended }: Running,
  sends: () => boolean,
  random: () => number,
  latestMs: number,
): Promise<void> {
  if (random() < 0.8) await Promise.race([until(sends, 'it sends'), ended]);
  await Promise.race([sleep(random() * latestMs), ended]);
}
