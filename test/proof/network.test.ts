import { afterEach, describe, expect, it } from 'vitest';
import type { Fault, Phase } from '../kit/tcp-proxy.js';
import { type SandboxBench, openSandboxBench } from './sandbox-bench.js';

let world: SandboxBench;
afterEach(() => world.close());

const BATCH = 20;
/** A place in the head, one at its end, one inside the body, and all of a phase. */
const PLACES: Readonly<Record<Phase, readonly number[]>> = {
  request: [0, 1, 60, 900, 5_000],
  response: [0, 1, 60, 250, 700],
};

const faultsOf = (phase: Phase, whats: readonly Fault['what'][]): Fault[] =>
  whats.flatMap((what) => PLACES[phase].map((after) => ({ phase, what, after })));

/** One import in which every exchange that carries clients meets the next of these faults, once. */
async function importThrough(faults: readonly Fault[]): Promise<void> {
  const rows = BATCH * faults.length;
  const options = ['--batch-size', String(BATCH), '--concurrency', '16'];
  world = await openSandboxBench(rows, options, '{ timeoutMs: 1000, serverDeadlineMs: 2000 }');
  const open = [...faults];
  world.proxy.behave = (_exchange, line) =>
    /^POST .*(clients|campaigns\/1)\/exec\.do/.test(line) ? open.shift() : undefined;
  const ended = await world.start().ended;
  expect(open).toEqual([]);
  world.everythingOnce(world.bench.imported('run', ended));
}

describe.each<Phase>(['request', 'response'])('a network that, in the %s,', (phase) => {
  it('delays, slices and throttles: every client is created and enqueued once', () =>
    importThrough(faultsOf(phase, ['delay', 'slice', 'throttle'])));

  it('cuts, resets and swallows: every client is created and enqueued once', () =>
    importThrough(faultsOf(phase, ['cut', 'reset', 'silence'])));
});

it('a network that breaks lookups too is asked again', async () => {
  world = await openSandboxBench(
    200,
    ['--batch-size', '20'],
    '{ timeoutMs: 1000, serverDeadlineMs: 2000 }',
  );
  let [creations, lookups] = [0, 0];
  world.proxy.behave = (_exchange, line) => {
    if (/clients\/exec\.do/.test(line) && ++creations <= 4)
      return { phase: 'response', what: 'reset', after: creations };
    if (/by\/syncIds/.test(line) && ++lookups % 4 === 0)
      return { phase: lookups % 8 ? 'request' : 'response', what: 'cut', after: lookups };
    return undefined;
  };
  const ended = await world.start().ended;
  expect(lookups).toBeGreaterThan(80);
  world.everythingOnce(world.bench.imported('run', ended));
});
