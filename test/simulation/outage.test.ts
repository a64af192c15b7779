import { beforeAll, expect, test } from 'vitest';
import { QUIET } from './quiet.js';
import type { Fate, RowKind } from './scenario.js';
import { simulate } from './simulate.js';
import type { Tale } from './world.js';

const MINUTE = 60_000;

const OUTAGES: readonly Fate[] = [
  { kind: 'not_sent' },
  { kind: 'lost_request', how: 'reset' },
  { kind: 'lost_request', how: 'timeout' },
  { kind: 'gateway', processed: false, lateShare: null },
  { kind: 'busy', status: 503, afterMs: null },
  { kind: 'server_error', done: 0, lateShare: null },
  { kind: 'server_error', done: 0, lateShare: 0 },
];

const rows = Array.from({ length: 1000 }, (): RowKind => 'client');

/** Neither a storm of retries nor a row that is given up: the rows of the outage wait for its end. */
const MOST_REQUESTS_A_MINUTE = 75;

const scenario = { ...QUIET, rows, batchSize: 10, rowsInChunk: 100 };
let usual: Tale;
beforeAll(async () => {
  usual = await simulate(scenario);
});

for (const fate of OUTAGES) {
  const name = nameOf(fate);

  test(`a run outlives an outage of five minutes (${name})`, async () => {
    const tale = await simulate({ ...scenario, outages: [{ at: 500, ms: 5 * MINUTE, fate }] });
    expect(tale.counts).toMatchObject({ lives: 1, open: 0 });
    expect(requestsOf(tale) - requestsOf(usual)).toBeLessThan(5 * MOST_REQUESTS_A_MINUTE);
    expect(tale.virtualMs).toBeLessThan(usual.virtualMs + 8 * MINUTE);
  });

  test(`a run stops in an outage of twenty minutes, and is continued (${name})`, async () => {
    const tale = await simulate({ ...scenario, outages: [{ at: 500, ms: 20 * MINUTE, fate }] });
    expect(tale.counts.stops).toBeGreaterThan(0);
    expect(tale.counts.open).toBe(0);
    expect(requestsOf(tale) - requestsOf(usual)).toBeLessThan(20 * MOST_REQUESTS_A_MINUTE);
  });
}

function nameOf(fate: Fate): string {
  if ('how' in fate) return `${fate.kind} by ${fate.how}`;
  return fate.kind === 'server_error' && fate.lateShare !== null ? 'bare server_error' : fate.kind;
}

function requestsOf({ network }: Tale): number {
  return Object.values(network.counts).reduce((sum, count) => sum + count, 0);
}
