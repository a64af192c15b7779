import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Sabotage, simulate } from './simulate.js';
import { stories } from './story.js';

/** A simulation that cannot fail proves nothing: each of these is wrong, and must be found out. */
const SABOTAGE: Readonly<Record<string, Sabotage>> = {
  'records facts of those who had the run before': { unfenced: 'facts' },
  'records the end of those who had the run before': { unfenced: 'end' },
  'sends without a look at the lease': { isBlind: true },
  'looks at a clock that stands still': { hasOneClock: true },
  'goes on where another one has stopped beside it': { forgetsBegin: true },
  'counts no deadline from the takeover': {
    settings: (settings) => ({ ...settings, serverDeadlineMs: 0 }),
  },
};

const SEEDS = 1500;

async function isFoundOut(sabotage: Sabotage): Promise<boolean> {
  const result = await fc.check(
    fc.asyncProperty(stories, async (story) => {
      await simulate(story, sabotage);
    }),
    { seed: 1, numRuns: SEEDS, endOnFailure: true },
  );
  return result.failed;
}

/** Found out by few seeds, after a minute. */
const RARE: readonly string[] = ['goes on where another one has stopped beside it'];

for (const [name, sabotage] of Object.entries(SABOTAGE))
  test(
    `an import that ${name} is found out`,
    { timeout: 300_000, tags: RARE.includes(name) ? 'depth' : [] },
    async () => {
      expect(await isFoundOut(sabotage)).toBe(true);
    },
  );
