import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate } from './simulate.js';
import { stories } from './story.js';

/** SIM_SEED: replay one seed. SIM_SEEDS, SIM_FROM: how many seeds, from which on. */
const only = process.env['SIM_SEED'];
const from = Number(only ?? process.env['SIM_FROM'] ?? 1);
const seeds = only === undefined ? Number(process.env['SIM_SEEDS'] ?? 200) : 1;

/** Seeds that a machine under load surely manages in a second. */
const SLOWEST = 20;

test(
  `whatever happens around runs, nothing is lost, nothing happens twice, and all that is said is so (${seeds} seeds from ${from})`,
  async () => {
    const reached = new Map<string, number>();
    for (let seed = from; seed < from + seeds; seed++) {
      const result = await fc.check(
        fc.asyncProperty(stories, async (story) => {
          for (const [what, count] of (await simulate(story)).counts)
            reached.set(what, (reached.get(what) ?? 0) + count);
        }),
        // A story is shrunk when it is replayed alone: that takes longer than all others.
        { seed, numRuns: 1, endOnFailure: only === undefined },
      );
      if (result.failed)
        throw new Error(
          `${reason(result.errorInstance)}\nSIM_SEED=${seed} replays it:\n${fc.defaultReportMessage(result) ?? ''}`,
        );
    }
    console.log(
      `${seeds} seeds: ${[...reached].map(([what, count]) => `${what} ${count}`).join(', ')}`,
    );
    if (seeds < 200) return;
    for (const what of EVENTS) expect(reached.get(what), what).toBeGreaterThan(0);
  },
  60_000 + (seeds * 1000) / SLOWEST,
);

function reason(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** What so many seeds must have met: a simulation in which nothing happens proves nothing. */
const EVENTS = [
  'crashes',
  'stops',
  'overlapping',
  'refused in use',
  'continued',
  'done before',
  'changed parts refused',
  'lost tails',
  'lost tails refused',
  'known skipped',
  'known created',
  'carried out late',
  'callbacks left unknown',
  'finished create',
  'finished upsert',
  'finished update',
  'finished enqueue',
  'finished dequeue',
  'finished contacts',
  'finished callbacks',
  'finished rekey',
  'finished delete',
  'finished undo',
  'enqueued',
  'created',
  'updated',
  'unchanged',
  'dequeued',
  'scheduled',
  'deleted',
  'undone',
  'failed',
  'enqueue_failed',
  'unknown',
];
