import { expect, test } from 'vitest';
import { PARTS, type Part, failureOf } from './parts.js';
import { Counts } from './world.js';

/** SIM_SEED: replay one seed. SIM_SEEDS, SIM_FROM: how many seeds, from which on. SIM_ONLY: of which part. */
const { SIM_SEED: only, SIM_SEEDS, SIM_FROM = '1', SIM_ONLY } = process.env;
const from = Number(only ?? SIM_FROM);

/** How a part is tried. */
interface Trial {
  readonly promise: string;
  /** Seeds where nothing else is asked for. */
  readonly seeds: number;
  /** What so many seeds must have met: a simulation in which nothing happens proves nothing. */
  readonly events: readonly (readonly [seeds: number, events: readonly string[] | 'all counted'])[];
}

const TRIALS: Readonly<Record<keyof typeof PARTS, Trial>> = {
  runs: {
    promise: 'whatever happens, nothing is lost and nothing happens twice',
    seeds: 70,
    events: [
      [
        70,
        [
          ...[
            'crashes',
            'stops',
            'interrupted',
            'sick canaries',
            'too many failures',
            'begun anew',
          ],
          ...['too_large', 'breakdown', 'paced', 'broken flushes', 'lost writes', 'findClient'],
          ...['findCampaigns', 'not_sent', 'lost_request', 'lost_answer', 'late', 'gateway'],
          ...['garbage', 'busy', 'server_error', 'odd_answer', 'unauthorized'],
        ],
      ],
      // One of two thousand ends so.
      [20_000, ['open']],
    ],
  },
  around: {
    promise: 'whatever happens around runs, nothing happens twice, and all that is said is so',
    seeds: 60,
    events: [
      [
        60,
        [
          ...['crashes', 'stops', 'overlapping', 'refused in use', 'continued', 'done before'],
          ...['changed parts refused', 'lost tails', 'lost tails refused', 'known skipped'],
          ...['known created', 'carried out late', 'callbacks left unknown', 'finished create'],
          ...['finished upsert', 'finished update', 'finished enqueue', 'finished dequeue'],
          ...['finished contacts', 'finished callbacks', 'finished rekey', 'finished delete'],
          ...['finished undo', 'enqueued', 'created', 'updated', 'unchanged', 'dequeued'],
          ...['scheduled', 'deleted', 'undone', 'failed', 'enqueue_failed', 'unknown'],
        ],
      ],
    ],
  },
  delta: {
    promise: 'whatever happens in the nights, no fingerprint is ahead of the contact center',
    seeds: 40,
    events: [
      [
        40,
        [
          ...['crashes', 'left', 'undone', 'as it was', 'missing dequeued', 'lost_answer', 'late'],
          ...['enqueued', 'created', 'updated', 'failed', 'skipped', 'rejected'],
          ...['missing failed', 'missing unchanged'],
        ],
      ],
    ],
  },
  takeover: {
    promise: 'whatever happens to an import that several begin, nothing is lost or happens twice',
    seeds: 65,
    events: [[5000, 'all counted']],
  },
  fleet: {
    promise: 'whatever happens to those who share a run, nothing is lost or happens twice',
    seeds: 30,
    events: [[5000, 'all counted']],
  },
};

for (const [name, part] of Object.entries(PARTS) as [keyof typeof PARTS, Part<unknown, never>][]) {
  const { promise, seeds: usual, events } = TRIALS[name];
  const seeds = only === undefined ? Number(SIM_SEEDS ?? usual) : 1;
  test.runIf(SIM_ONLY === undefined || SIM_ONLY === name)(
    `${promise} (${name}: ${seeds} seeds from ${from})`,
    async () => {
      const counts = new Counts();
      for (let seed = from; seed < from + seeds; seed++) {
        // A story is shrunk when it is replayed alone: that takes longer than all others.
        const failure = await failureOf(part, seed, { shrinks: only !== undefined, counts });
        if (failure !== null) throw new Error(failure);
      }
      const met = [...counts].map(([what, count]) => `${what} ${count}`);
      console.log(`${name}, ${seeds} seeds: ${met.join(', ')}`);
      for (const [least, expected] of events)
        for (const what of expected === 'all counted' ? counts.keys() : expected)
          if (seeds >= least) expect(counts.of(what), what).toBeGreaterThan(0);
    },
    // A seed takes a tenth of this on a machine that is busy with much else.
    60_000 + seeds * 1000,
  );
}
