import { existsSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../app/harness.js';
import { randomFrom, seedOf } from '../helpers/random.js';
import type { Arrival } from '../helpers/tcp-proxy.js';
import { isFull, killAtRandom, untilDone } from './harness.js';
import { type SandboxBench, openSandboxBench } from './sandbox-bench.js';

const ROWS = 3000;
const OPTIONS = ['--batch-size', '50', '--concurrency', '3'];
const CREATE = /^POST \/api\/v1\/clients\/exec\.do/;
const ENQUEUE = /^POST \/api\/v1\/tacs\/campaigns\//;
const CAMPAIGNS = /^GET \/api\/v1\/telemarketing\//;

let world: SandboxBench;
beforeEach(async () => {
  world = await openSandboxBench(ROWS, OPTIONS);
});
afterEach(() => world.close());

type Running = ReturnType<SandboxBench['start']>;

/** Resolves when the proxy has data that `wanted` accepts, before or after it is passed on. */
function arrives(wanted: (arrival: Arrival) => boolean, holdUp: boolean): Promise<void> {
  return new Promise((resolve) => {
    world.proxy.watch = async (arrival) => {
      if (!wanted(arrival)) return;
      world.proxy.watch = () => undefined;
      resolve();
      // What is held up arrives after the kill, if at all.
      if (holdUp) await sleep(300);
    };
  });
}

/** The k-th request or answer of an operation, from 1, when its first bytes arrive. */
function nth(line: RegExp, phase: Arrival['phase'], k: number): (arrival: Arrival) => boolean {
  const seen = new Set<number>();
  return (arrival) => {
    if (arrival.phase !== phase || !line.test(arrival.line)) return false;
    seen.add(arrival.exchange);
    return seen.size === k;
  };
}

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
  await arrives(nth(line, 'response', k), false);
  const size = ledgerSize();
  await asSoonAs(() => ledgerSize() !== size, running);
}

type Step = readonly [step: string, moment: (running: Running) => Promise<void>];

const CREATION: readonly Step[] = [
  ['before any intent', () => arrives(nth(CAMPAIGNS, 'response', 1), true)],
  [
    'when the rows are being recorded',
    (running) => asSoonAs(() => existsSync(world.bench.at('run.db-wal')), running),
  ],
  ['after the intent to create', () => arrives(nth(CREATE, 'request', 1), true)],
  ['after a later intent to create', () => arrives(nth(CREATE, 'request', 7), true)],
  ['when the creation is under way', () => arrives(nth(CREATE, 'request', 5), false)],
  ['when the answer to it is under way', () => arrives(nth(CREATE, 'response', 6), true)],
  ['after the answer to it', () => arrives(nth(CREATE, 'response', 6), false)],
  ['when its results are recorded', (running) => whenAnswerIsRecorded(CREATE, 6, running)],
];
const ENQUEUING: readonly Step[] = [
  ['after the intent to enqueue', () => arrives(nth(ENQUEUE, 'request', 4), true)],
  ['when enqueuing is under way', () => arrives(nth(ENQUEUE, 'request', 5), false)],
  ['when the answer to it is under way', () => arrives(nth(ENQUEUE, 'response', 5), true)],
  ['after the answer to that', () => arrives(nth(ENQUEUE, 'response', 5), false)],
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
    world.proxy.behave = () => ({ phase: 'response', what: 'throttle' });
    const { run } = await untilDone(world.bench, world.start, kills, (running) =>
      killAtRandom(running, world.proxy.exchanges, random),
    );
    world.everythingOnce(run);
  });
});

describe('the sandbox is killed and started again', () => {
  const moments: readonly (readonly [RegExp, Arrival['phase'], k: number, holdUp: boolean])[] = [
    [CREATE, 'request', 4, true],
    [CREATE, 'request', 5, false],
    [CREATE, 'response', 5, true],
    [ENQUEUE, 'request', 5, false],
    [ENQUEUE, 'response', 3, true],
  ];
  const head = ([line, phase, k]: (typeof moments)[number]) => [line, phase, k] as const;

  it('before, in and after requests of one import', async () => {
    let moment = arrives(nth(...head(moments[0]!)), moments[0]![3]);
    const running = world.start();
    for (const [index] of moments.entries()) {
      await moment;
      const next = moments[index + 1];
      const killed = world.sandbox.killAndRestart();
      if (next) moment = arrives(nth(...head(next)), next[3]);
      await killed;
    }
    world.everythingOnce(world.bench.imported('run', await running.ended));
  });

  const kills = isFull ? 20 : 3;
  it(`${kills} times, and the importer too`, { timeout: 600_000 }, async () => {
    const random = randomFrom(seedOf('both'));
    world.proxy.behave = () => ({ phase: 'response', what: 'throttle' });
    const { run } = await untilDone(world.bench, world.start, kills, async ({ child, ended }) => {
      const before = world.proxy.exchanges();
      await Promise.race([until(() => world.proxy.exchanges() > before + 1, 'it runs'), ended]);
      await sleep(random() * 300);
      await world.sandbox.killAndRestart();
      await Promise.race([sleep(random() * 1500), ended]);
      child.kill('SIGKILL');
    });
    world.everythingOnce(run);
  });
});
