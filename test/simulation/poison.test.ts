import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QUIET } from './quiet.js';
import type { RowKind } from './scenario.js';
import { simulate } from './simulate.js';

const ROWS = 200;
const MOST_REQUESTS = 2 * Math.log2(ROWS) + 4;

const refusals = fc.constantFrom(400 as const, 413 as const, 422 as const, 500 as const);

function rowsWith(place: number, kind: RowKind): RowKind[] {
  return Array.from({ length: ROWS }, (_, index) => (index === place ? kind : 'client'));
}

const RUNS = [
  { numRuns: 20, tags: [] },
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
            expect(tale.network.counts.addClients).toBeLessThanOrEqual(MOST_REQUESTS);
            expect(tale.counts.lives).toBe(1);
            // Where a refusal means that nothing was done, there is nothing to look up.
            if (refusal !== 500) expect(tale.network.counts.findClient).toBe(0);
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
            expect(tale.network.counts.addApplications).toBeLessThanOrEqual(MOST_REQUESTS);
            expect(tale.network.counts.addClients).toBe(1);
            if (refusal !== 500) expect(tale.network.counts.findCampaigns).toBe(0);
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
