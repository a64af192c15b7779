import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate } from './simulate.js';
import { stories } from './story.js';

/** SIM_SEED: replay one seed. SIM_SEEDS, SIM_FROM: how many seeds, from which on. */
const only = process.env['SIM_SEED'];
const from = Number(only ?? process.env['SIM_FROM'] ?? 1);
const seeds = only === undefined ? Number(process.env['SIM_SEEDS'] ?? 60) : 1;

/** Seeds that a machine under load surely manages in a second. */
const SLOWEST = 10;

test(
  `whatever happens to those who share a run, nothing is lost and nothing happens twice (${seeds} seeds from ${from})`,
  async () => {
    const reached = new Map<string, number>();
    for (let seed = from; seed < from + seeds; seed++) {
      const result = await fc.check(
        fc.asyncProperty(stories, async (story) => {
          const { counts } = await simulate(story);
          for (const [what, count] of Object.entries(counts))
            reached.set(what, (reached.get(what) ?? 0) + count);
        }),
        { seed, numRuns: 1, endOnFailure: only === undefined },
      );
      if (result.failed)
        throw new Error(
          `${reason(result.errorInstance)}\nSIM_SEED=${seed} replays it:\n${fc.defaultReportMessage(result) ?? ''}`,
        );
    }
    const met = [...reached].map(([what, count]) => `${what} ${count}`).join(', ');
    console.log(`${seeds} seeds: ${met}`);
    if (seeds < 5000) return;
    // A simulation in which nothing happens proves nothing.
    for (const [what, count] of reached) expect(count, what).toBeGreaterThan(0);
  },
  60_000 + (seeds * 1000) / SLOWEST,
);

function reason(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
