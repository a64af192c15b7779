import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate } from './simulate.js';
import { nightsOfLists } from './story.js';
import type { Sabotage } from './world.js';

/** SIM_SEED: replay one seed. SIM_SEEDS, SIM_FROM: how many seeds, from which on. */
const only = process.env['SIM_SEED'];
const from = Number(only ?? process.env['SIM_FROM'] ?? 1);
const seeds = only === undefined ? Number(process.env['SIM_SEEDS'] ?? 30) : 1;

/** What went wrong with a seed; `null`: nothing. */
async function failureOf(
  seed: number,
  sabotage: Sabotage,
  reached: Map<string, number>,
): Promise<string | null> {
  const result = await fc.check(
    fc.asyncProperty(nightsOfLists, async (story) => {
      for (const [what, count] of await simulate(story, sabotage))
        reached.set(what, (reached.get(what) ?? 0) + count);
    }),
    { seed, numRuns: 1, endOnFailure: only === undefined },
  );
  if (!result.failed) return null;
  const error = result.errorInstance;
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${why}\nSIM_SEED=${seed} replays it:\n${fc.defaultReportMessage(result) ?? ''}`;
}

test(
  `whatever happens in the nights, no fingerprint is ahead of the contact center (${seeds} seeds from ${from})`,
  async () => {
    const reached = new Map<string, number>();
    for (let seed = from; seed < from + seeds; seed++) {
      const failure = await failureOf(seed, {}, reached);
      if (failure !== null) throw new Error(failure);
    }
    console.log([...reached].map(([what, count]) => `${what} ${count}`).join(', '));
    if (seeds < 400) return;
    for (const what of EVENTS) expect(reached.get(what), what).toBeGreaterThan(0);
  },
  60_000 + seeds * 100,
);

/** What the seeds must have met: a simulation in which nothing happens proves nothing. */
const EVENTS = [
  ...['crashes', 'left', 'undone', 'as it was', 'missing dequeued', 'lost_answer', 'late'],
  ...['enqueued', 'created', 'updated', 'failed', 'skipped'],
];

const SABOTAGES: Readonly<Record<string, Sabotage>> = {
  'a refusal counts as confirmed': {
    rule: (rule) => ({
      ...rule,
      repeatOf: (row) => {
        const repeat = rule.repeatOf(row);
        return repeat?.kind === 'sent' ? { ...repeat, kind: 'unchanged' } : repeat;
      },
    }),
  },
  'an answer that was lost counts as confirmed': {
    rule: (rule) => ({
      ...rule,
      repeatOf: (row) => {
        const repeat = rule.repeatOf(row);
        return repeat?.kind === 'lost' ? { ...repeat, kind: 'unchanged' } : repeat;
      },
    }),
  },
  'an undo says nothing': {
    rule: (rule) => ({
      ...rule,
      repeatOf: (row) => (row.mode === 'undo' ? null : rule.repeatOf(row)),
    }),
  },
  'the list is not looked at before clients are removed': { seesNoList: true },
};

test.each(Object.entries(SABOTAGES))('it is noticed where %s', async (_, sabotage) => {
  for (let seed = 1; seed <= 300; seed++)
    if ((await failureOf(seed, sabotage, new Map())) !== null) {
      console.log('SEED', _, seed);
      return;
    }
  throw new Error('No seed has noticed it.');
});
