import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type Fate, QUIET, type RowKind } from './scenario.js';
import { type ImportTale, simulate } from './simulate.js';

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

const leads = Array.from({ length: 400 }, (): RowKind => 'client');

/** Neither a storm of retries nor a row that is given up: the rows of the outage wait for its end. */
const MOST_REQUESTS_A_MINUTE = 75;

const scenario = { ...QUIET, rows: leads, batchSize: 10, rowsInChunk: 100 };
let usual: ImportTale;
beforeAll(async () => {
  usual = await simulate(scenario);
});

for (const fate of OUTAGES) {
  const name = nameOf(fate);

  test(`a run outlives an outage of five minutes (${name})`, async () => {
    const tale = await simulate({ ...scenario, outages: [{ at: 500, ms: 5 * MINUTE, fate }] });
    expect([tale.counts.of('lives'), tale.counts.of('open')]).toEqual([1, 0]);
    expect(requestsOf(tale) - requestsOf(usual)).toBeLessThan(5 * MOST_REQUESTS_A_MINUTE);
    expect(tale.virtualMs).toBeLessThan(usual.virtualMs + 8 * MINUTE);
  });

  test(`a run stops in an outage of twenty minutes, and is continued (${name})`, async () => {
    const tale = await simulate({ ...scenario, outages: [{ at: 500, ms: 20 * MINUTE, fate }] });
    expect(tale.counts.of('stops')).toBeGreaterThan(0);
    expect(tale.counts.of('open')).toBe(0);
    expect(requestsOf(tale) - requestsOf(usual)).toBeLessThan(20 * MOST_REQUESTS_A_MINUTE);
  });
}

function nameOf(fate: Fate): string {
  if ('how' in fate) return `${fate.kind} by ${fate.how}`;
  return fate.kind === 'server_error' && fate.lateShare !== null ? 'bare server_error' : fate.kind;
}

function requestsOf({ network }: ImportTale): number {
  return [...network.sent.values()].reduce((sum, count) => sum + count, 0);
}

const ROWS = 200;
const MOST_REQUESTS = 2 * Math.log2(ROWS) + 4;

const refusals = fc.constantFrom(400 as const, 413 as const, 422 as const, 500 as const);

function rowsWith(place: number, kind: RowKind): RowKind[] {
  return Array.from({ length: ROWS }, (_, index) => (index === place ? kind : 'client'));
}

const RUNS = [
  { numRuns: 15, tags: [] },
  { numRuns: 60, tags: 'depth' },
];

for (const { numRuns, tags } of RUNS)
  test(
    `a client that makes its whole request fail is found, and fails alone (${numRuns} times)`,
    { tags },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.nat(ROWS - 1),
          refusals,
          fc.boolean(),
          fc.boolean(),
          async (...drawn) => {
            const [place, refusal, isBare, isNaive] = drawn;
            const rows = rowsWith(place, 'poison');
            const tale = await simulate({ ...QUIET, rows, refusal, isBare, isNaive });
            expect(sentOf(tale, 'addClients')).toBeLessThanOrEqual(MOST_REQUESTS);
            expect(tale.counts.of('lives')).toBe(1);
            // Where a refusal means that nothing was done, there is nothing to look up.
            if (refusal !== 500) expect(sentOf(tale, 'findClient')).toBe(0);
          },
        ),
        { numRuns },
      );
    },
  );

for (const { numRuns, tags } of RUNS)
  test(
    `so is one that does so on its way into the campaign (${numRuns} times)`,
    { tags },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.nat(ROWS - 1),
          refusals,
          fc.boolean(),
          async (place, refusal, isBare) => {
            const rows = rowsWith(place, 'enqueue_poison');
            const tale = await simulate({ ...QUIET, rows, refusal, isBare });
            expect(sentOf(tale, 'addApplications')).toBeLessThanOrEqual(MOST_REQUESTS);
            expect(sentOf(tale, 'addClients')).toBe(1);
            if (refusal !== 500) expect(sentOf(tale, 'findCampaigns')).toBe(0);
          },
        ),
        { numRuns },
      );
    },
  );

test('a server error in the words of the application itself is looked up at once, another one is not', async () => {
  const serverDeadlineMs = 1_000_000;
  for (const kind of ['poison', 'enqueue_poison'] as const) {
    const scenario = {
      ...QUIET,
      rows: rowsWith(123, kind),
      refusal: 500,
      serverDeadlineMs,
    } as const;
    expect((await simulate(scenario)).virtualMs).toBeLessThan(serverDeadlineMs);
    const bare = await simulate({ ...scenario, isBare: true });
    expect(bare.virtualMs).toBeGreaterThan(serverDeadlineMs);
  }
});

const sentOf = ({ network }: ImportTale, operation: string): number => network.sent.of(operation);
