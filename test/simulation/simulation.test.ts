import { expect, test } from 'vitest';
import { PARTS, type Part, failureOf } from './parts.js';
import { Counts } from './world.js';
import { tablesIn } from '../kit/tables.js';

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

const TRIALS = tablesIn(import.meta.dirname, 'simulation.yaml') as Readonly<
  Record<keyof typeof PARTS, Trial>
>;

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
