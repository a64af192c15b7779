import { afterEach, describe, expect, it } from 'vitest';
import type { Fault, Phase } from '../kit/tcp-proxy.js';
import { CREATE, ENQUEUE, type SandboxBench, openSandboxBench } from './sandbox-bench.js';

let world: SandboxBench;
afterEach(() => world.close());

const BATCH = 20;
const open = async (rows: number, ...options: string[]): Promise<void> => {
  const transport = '{ timeoutMs: 1000, serverDeadlineMs: 2000 }';
  world = await openSandboxBench(rows, ['--batch-size', String(BATCH), ...options], transport);
};
const endsOnce = async (): Promise<void> => {
  world.everythingOnce(world.bench.imported('run', await world.start().ended));
};

/** A place in the head, one at its end, one inside the body, and all of a phase. */
const PLACES: Readonly<Record<Phase, readonly number[]>> = {
  request: [0, 1, 60, 900, 5_000],
  response: [0, 1, 60, 250, 700],
};

describe.each<Phase>(['request', 'response'])('a network that, in the %s,', (phase) => {
  it.each<Fault['what'][]>([
    ['delay', 'slice', 'throttle'],
    ['cut', 'reset', 'silence'],
  ])('does %s, %s and %s: every client is created and enqueued once', async (...whats) => {
    const faults = whats.flatMap((what) => PLACES[phase].map((after) => ({ phase, what, after })));
    await open(BATCH * faults.length, '--concurrency', '16');
    // Every exchange that carries clients meets the next of them, once.
    world.proxy.behave = (_exchange, line) =>
      CREATE.test(line) || ENQUEUE.test(line) ? faults.shift() : undefined;
    await endsOnce();
    expect(faults).toEqual([]);
  });
});

it('a network that breaks lookups too is asked again', async () => {
  await open(200);
  let [creations, lookups] = [0, 0];
  world.proxy.behave = (_exchange, line) => {
    if (CREATE.test(line) && ++creations <= 4)
      return { phase: 'response', what: 'reset', after: creations };
    if (/by\/syncIds/.test(line) && ++lookups % 4 === 0)
      return { phase: lookups % 8 ? 'request' : 'response', what: 'cut', after: lookups };
    return undefined;
  };
  await endsOnce();
  expect(lookups).toBeGreaterThan(80);
});
