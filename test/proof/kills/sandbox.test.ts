import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../runs/harness.js';
import { randomFrom, seedOf } from '../../kit/random.js';
import type { Arrival } from '../../kit/tcp-proxy.js';
import { isFull, untilDone } from '../harness.js';
import { CREATE, ENQUEUE, arrives, nth, slowDown } from '../moments.js';
import { type SandboxBench, openSandboxBench } from '../sandbox-bench.js';

let world: SandboxBench;
beforeEach(async () => {
  world = await openSandboxBench(2000, ['--batch-size', '50', '--concurrency', '3']);
});
afterEach(() => world.close());

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
    let moment = arrives(world.proxy, nth(...head(moments[0]!)), moments[0]![3]);
    const running = world.start();
    for (const [index] of moments.entries()) {
      await moment;
      const next = moments[index + 1];
      const killed = world.sandbox.killAndRestart();
      if (next) moment = arrives(world.proxy, nth(...head(next)), next[3]);
      await killed;
    }
    world.everythingOnce(world.bench.imported('run', await running.ended));
  });

  const kills = isFull ? 20 : 2;
  it(`${kills} times, and the importer too`, { timeout: 600_000 }, async () => {
    const random = randomFrom(seedOf('both'));
    slowDown(world.proxy);
    const done = await untilDone(world.bench, world.start, kills, async ({ child, ended }) => {
      const before = world.proxy.exchanges();
      await Promise.race([until(() => world.proxy.exchanges() > before + 1, 'it runs'), ended]);
      await sleep(random() * 300);
      await world.sandbox.killAndRestart();
      await Promise.race([sleep(random() * 400), ended]);
      child.kill('SIGKILL');
    });
    world.everythingOnce(done.run);
    expect(done.kills).toBe(kills);
  });
});
