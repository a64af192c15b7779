/** Importers and contact centers that are killed, step by step and at random instants: every row is there once. */
import { existsSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MODES, type Mode } from '../../src/core/outcome.js';
import { countOutcomes, openBench, until } from '../kit/bench.js';
import { randomFrom, seedOf } from '../kit/random.js';
import type { Phase } from '../kit/tcp-proxy.js';
import { everyRowCounted, sameButForDoubt } from '../runs/modes/compare.js';
import { startGate } from '../runs/modes/gate.js';
import { BATCH, type Center, type Run, type World, openWorld } from '../runs/modes/world.js';
import { everythingOnce, faultPlan, isFull, randomInstant, untilDone } from './harness.js';
import {
  arrives,
  CAMPAIGNS,
  CREATE,
  ENQUEUE,
  type Moment,
  openSandboxBench,
  type SandboxBench,
} from './sandbox-bench.js';

type Running = ReturnType<SandboxBench['start']>;
const LONG = { timeout: 600_000 };

describe('beside a sandbox', () => {
  let world: SandboxBench;
  beforeEach(async () => {
    world = await openSandboxBench(2000, ['--batch-size', '50', '--concurrency', '3']);
  });
  afterEach(() => world.close());

  /** Answers come late, so that an import lasts longer than all the kills that are to fall into it. */
  const slowDown = (): void => {
    world.proxy.watch = ({ phase, passed }) =>
      phase === 'response' && passed === 0 ? sleep(isFull ? 400 : 100) : undefined;
  };

  /** Looks as often as the event loop turns, since what it waits for lasts for a moment only. */
  async function asSoonAs(condition: () => boolean, { child }: Running): Promise<void> {
    while (!condition() && child.exitCode === null)
      await new Promise((resolve) => setImmediate(resolve));
  }

  type Step = readonly [step: string, moment: (running: Running) => Promise<void>];
  const at =
    (line: RegExp, phase: Phase, k: number, when: Moment['when']): Step[1] =>
    () =>
      arrives(world.proxy, { line, phase, k, when });
  const there =
    (name: string): Step[1] =>
    (running) =>
      asSoonAs(() => existsSync(world.bench.at(name)), running);
  /** After the answer has been passed on, the ledger grows: that is the moment. */
  const recorded =
    (line: RegExp, k: number): Step[1] =>
    async (running) => {
      const log = world.bench.at('run.db-wal');
      const size = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0;
      await arrives(world.proxy, { line, phase: 'response', k, when: 'after' });
      const before = size();
      await asSoonAs(() => size() !== before, running);
    };

  const STEPS: Readonly<Record<string, readonly Step[]>> = {
    creation: [
      ['before any intent', at(CAMPAIGNS, 'response', 1, 'before')],
      ['when the rows are being recorded', there('run.db-wal')],
      ['after the intent to create', at(CREATE, 'request', 1, 'before')],
      ['after a later intent to create', at(CREATE, 'request', 7, 'before')],
      ['when the creation is under way', at(CREATE, 'request', 5, 'after')],
      ['when the answer to it is under way', at(CREATE, 'response', 6, 'before')],
      ['after the answer to it', at(CREATE, 'response', 6, 'after')],
      ['when its results are recorded', recorded(CREATE, 6)],
    ],
    enqueuing: [
      ['after the intent to enqueue', at(ENQUEUE, 'request', 4, 'before')],
      ['when enqueuing is under way', at(ENQUEUE, 'request', 5, 'after')],
      ['when the answer to it is under way', at(ENQUEUE, 'response', 5, 'before')],
      ['after the answer to that', at(ENQUEUE, 'response', 5, 'after')],
      ['when that is recorded', recorded(ENQUEUE, 5)],
    ],
    reporting: [
      ['when the report is written', there('run/report.csv.part')],
      ['when the report is there and the run has not ended', there('run/report.csv')],
    ],
  };

  it.each(Object.entries(STEPS))(
    'the importer is killed at each step of %s, one after the other',
    LONG,
    async (_what, steps) => {
      for (const [step, moment] of steps) {
        const running = world.start();
        await moment(running);
        running.child.kill('SIGKILL');
        expect([step, (await running.ended).code]).toEqual([step, null]);
        world.proxy.watch = () => undefined;
      }
      world.everythingOnce(world.bench.imported('run', await world.start().ended));
    },
  );

  const kills = isFull ? 50 : 10;
  it(`the importer is killed at ${kills} random instants`, LONG, async () => {
    const random = randomFrom(seedOf('kills'));
    slowDown();
    const { run } = await untilDone(world.bench, world.start, kills, async (running) => {
      const before = world.proxy.exchanges();
      await randomInstant(running, () => world.proxy.exchanges() > before, random, 400);
      running.child.kill('SIGKILL');
    });
    world.everythingOnce(run);
  });

  it('the sandbox is killed before, in and after requests of one import', async () => {
    const moments = [
      at(CREATE, 'request', 4, 'before'),
      at(CREATE, 'request', 5, 'after'),
      at(CREATE, 'response', 5, 'before'),
      at(ENQUEUE, 'request', 5, 'after'),
      at(ENQUEUE, 'response', 3, 'before'),
    ];
    const begin = (index: number) => moments[index]?.(running);
    const running = world.start();
    let moment = begin(0);
    for (const index of moments.keys()) {
      await moment;
      const killed = world.sandbox.killAndRestart();
      moment = begin(index + 1);
      await killed;
    }
    world.everythingOnce(world.bench.imported('run', await running.ended));
  });

  const both = isFull ? 20 : 2;
  it(`the sandbox is killed ${both} times, and the importer too`, LONG, async () => {
    const random = randomFrom(seedOf('both'));
    slowDown();
    const { run } = await untilDone(world.bench, world.start, both, async ({ child, ended }) => {
      const before = world.proxy.exchanges();
      await Promise.race([until(() => world.proxy.exchanges() > before + 1, 'it runs'), ended]);
      await sleep(random() * 300);
      await world.sandbox.killAndRestart();
      await Promise.race([sleep(random() * 400), ended]);
      child.kill('SIGKILL');
    });
    world.everythingOnce(run);
  });
});

const [MANY, KILLS, SIZE] = isFull ? [20_000, 20, '200'] : [3_000, 5, '50'];
it(
  `the importer is killed ${KILLS} times beside a contact center that loses requests and answers of ${MANY} rows`,
  { timeout: 1_200_000 },
  async () => {
    const random = randomFrom(seedOf('faults'));
    const bench = await openBench();
    try {
      const file = await bench.list(MANY);
      bench.center.behave = faultPlan(randomFrom(Math.floor(random() * 2 ** 31)));
      const options = ['--campaign', '42', '--batch-size', SIZE];
      const start = () => bench.start('run', [file], options);
      const { run, starts } = await untilDone(bench, start, KILLS, async (running) => {
        const before = bench.center.requests.length;
        await randomInstant(running, () => bench.center.requests.length > before, random, 2_500);
        running.child.kill('SIGKILL');
      });
      console.log(JSON.stringify({ starts, requests: bench.center.requests.length }));
      everythingOnce(bench, run, MANY);
    } finally {
      await bench.close();
    }
  },
);

describe.concurrent('an import is killed halfway and continued', () => {
  const ROWS = isFull ? 5000 : 500;
  /** Most requests and batches that are under way at once. */
  const [REQUESTS, BATCHES] = [4, 6];
  /** Rows that a kill can leave in doubt: callbacks are recorded one by one, two of a batch at a time. */
  const doubtful = (mode: Mode): number => (mode === 'callbacks' ? 2 * BATCHES : BATCHES * BATCH);

  let world: World;
  let clean: Center;
  let killed: Center;
  beforeAll(async () => {
    world = await openWorld(MODES, ROWS);
    [clean, killed] = await Promise.all([world.center('clean'), world.center('killed')]);
  }, 600_000);
  afterAll(async () => {
    await Promise.all([clean.close(), killed.close()]);
    await world.close();
  });

  /** Kills the import of a mode when half of its requests have been carried out, and runs the same command again. */
  async function killedHalfway(mode: Mode, requests: number): Promise<Run> {
    const gate = await startGate(killed.port);
    try {
      const args = await world.importOf(mode, `${mode}-killed`, gate.url);
      const first = world.start(args);
      let carriedOut = 0;
      gate.onCarriedOut = () => {
        if (++carriedOut === Math.ceil(requests / 2)) first.child.kill('SIGKILL');
      };
      expect((await first.ended).code).toBe(null);
      expect(carriedOut).toBeLessThan(Math.ceil(requests / 2) + 2 * REQUESTS);
      const second = await world.run(args);
      expect(second.stderr).toContain('Continuing run');
      return second;
    } finally {
      await gate.close();
    }
  }

  it.each(MODES)(`mode %s, ${ROWS} rows`, LONG, async (mode) => {
    const whole = await world.run(await world.importOf(mode, `${mode}-clean`, clean.url));
    expect(whole.code, whole.stderr).toBe(2);
    await everyRowCounted(whole, ROWS);
    const { requests } = await whole.summary();
    const run = await killedHalfway(mode, requests);
    expect(run.code, run.stderr).toBe(2);
    await everyRowCounted(run, ROWS);
    const open = await sameButForDoubt({
      ...{ mode, before: world.before, clean: whole, cleanCenter: clean },
      ...{ disturbed: run, disturbedCenter: killed },
    });
    expect(open.length).toBeLessThanOrEqual(doubtful(mode));
    const outcomes = countOutcomes(await whole.report());
    console.log(JSON.stringify({ mode, requests, open: open.length, outcomes }));
  });
});
