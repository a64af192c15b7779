import { existsSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomFrom, seedOf } from '../../kit/random.js';
import { isFull, killAtRandom, untilDone } from '../harness.js';
import { CAMPAIGNS, CREATE, ENQUEUE, arrives, nth, slowDown } from '../moments.js';
import { type SandboxBench, openSandboxBench } from '../sandbox-bench.js';

const ROWS = 2000;
const OPTIONS = ['--batch-size', '50', '--concurrency', '3'];

let world: SandboxBench;
beforeEach(async () => {
  world = await openSandboxBench(ROWS, OPTIONS);
});
afterEach(() => world.close());

type Running = ReturnType<SandboxBench['start']>;

const ledgerSize = (): number => {
  const file = world.bench.at('run.db-wal');
  return existsSync(file) ? statSync(file).size : 0;
};

/** Looks as often as the event loop turns, since what it waits for lasts for a moment only. */
async function asSoonAs(condition: () => boolean, { child }: Running): Promise<void> {
  while (!condition() && child.exitCode === null)
    await new Promise((resolve) => setImmediate(resolve));
}

/** After the answer has been passed on, the ledger grows: that is the moment. */
async function whenAnswerIsRecorded(line: RegExp, k: number, running: Running): Promise<void> {
  await arrives(world.proxy, nth(line, 'response', k), false);
  const size = ledgerSize();
  await asSoonAs(() => ledgerSize() !== size, running);
}

type Step = readonly [step: string, moment: (running: Running) => Promise<void>];

const CREATION: readonly Step[] = [
  ['before any intent', () => arrives(world.proxy, nth(CAMPAIGNS, 'response', 1), true)],
  [
    'when the rows are being recorded',
    (running) => asSoonAs(() => existsSync(world.bench.at('run.db-wal')), running),
  ],
  ['after the intent to create', () => arrives(world.proxy, nth(CREATE, 'request', 1), true)],
  ['after a later intent to create', () => arrives(world.proxy, nth(CREATE, 'request', 7), true)],
  ['when the creation is under way', () => arrives(world.proxy, nth(CREATE, 'request', 5), false)],
  [
    'when the answer to it is under way',
    () => arrives(world.proxy, nth(CREATE, 'response', 6), true),
  ],
  ['after the answer to it', () => arrives(world.proxy, nth(CREATE, 'response', 6), false)],
  ['when its results are recorded', (running) => whenAnswerIsRecorded(CREATE, 6, running)],
];
const ENQUEUING: readonly Step[] = [
  ['after the intent to enqueue', () => arrives(world.proxy, nth(ENQUEUE, 'request', 4), true)],
  ['when enqueuing is under way', () => arrives(world.proxy, nth(ENQUEUE, 'request', 5), false)],
  [
    'when the answer to it is under way',
    () => arrives(world.proxy, nth(ENQUEUE, 'response', 5), true),
  ],
  ['after the answer to that', () => arrives(world.proxy, nth(ENQUEUE, 'response', 5), false)],
  ['when that is recorded', (running) => whenAnswerIsRecorded(ENQUEUE, 5, running)],
];
const REPORTING: readonly Step[] = [
  [
    'when the report is written',
    (running) => asSoonAs(() => existsSync(world.bench.at('run/report.csv.part')), running),
  ],
  [
    'when the report is there and the run has not ended',
    (running) => asSoonAs(() => existsSync(world.bench.at('run/report.csv')), running),
  ],
];

describe('the importer is killed', () => {
  it.each([
    ['creation', CREATION],
    ['enqueuing', ENQUEUING],
    ['reporting', REPORTING],
  ])('at each step of %s, one after the other', async (_what, steps) => {
    for (const [step, moment] of steps) {
      const running = world.start();
      await moment(running);
      running.child.kill('SIGKILL');
      expect([step, (await running.ended).code]).toEqual([step, null]);
      world.proxy.watch = () => undefined;
    }
    const ended = await world.start().ended;
    world.everythingOnce(world.bench.imported('run', ended));
  });

  const kills = isFull ? 50 : 10;
  it(`at ${kills} random instants`, { timeout: 600_000 }, async () => {
    const random = randomFrom(seedOf('kills'));
    slowDown(world.proxy);
    const ended = await untilDone(world.bench, world.start, kills, (running) =>
      killAtRandom(running, world.proxy.exchanges, random, 400),
    );
    world.everythingOnce(ended.run);
    expect(ended.kills).toBe(kills);
  });
});
