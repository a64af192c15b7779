import { expect, test } from 'vitest';
import { goesWrong, isFoundOut } from '../found-out.js';
import { simulate } from './simulate.js';
import { stories } from './story.js';
import type { Sabotage } from './world.js';

/** A simulation that cannot fail proves nothing: each of these is wrong, and must be found out. */
const SABOTAGE: Readonly<Record<string, Sabotage>> = {
  'records facts of those who had the piece before': { unfenced: 'facts' },
  'takes pieces from whoever submitted before': { unfenced: 'handing over' },
  'sends without a look at the lease': { isBlind: true },
  'looks at a clock that stands still': { hasOneClock: true },
  'gives out pieces before the canary has passed': { unfenced: 'canary' },
  'does not wait for earlier pieces': { unfenced: 'order' },
  'goes on when too many rows have failed': { isDeaf: true },
  'forgets what was on its way': { forgetsIntents: true },
  'counts no deadline from the takeover': {
    settings: (settings) => ({ ...settings, serverDeadlineMs: 0 }),
  },
};

/** Its story takes a quarter of a minute. */
const SLOW: readonly string[] = ['looks at a clock that stands still'];

/** A seed that has found it out; others are tried where it does not any more. Default: 1. */
const KNOWN: Readonly<Record<string, number>> = {
  'records facts of those who had the piece before': 8,
  'takes pieces from whoever submitted before': 2865,
  'sends without a look at the lease': 6,
  'gives out pieces before the canary has passed': 4,
  'does not wait for earlier pieces': 2,
  'goes on when too many rows have failed': 3,
  'forgets what was on its way': 5,
  'counts no deadline from the takeover': 61,
};

const SEEDS = 1500;

for (const [name, sabotage] of Object.entries(SABOTAGE))
  test(
    `a fleet that ${name} is found out`,
    { timeout: 300_000, tags: SLOW.includes(name) ? 'depth' : [] },
    async () => {
      const search = { known: KNOWN[name] ?? 1, most: SEEDS };
      expect(await isFoundOut(stories, (story) => simulate(story, sabotage), search)).toBe(true);
    },
  );

test('one that is left alone is not, with none of these seeds', async () => {
  for (const seed of [1, ...Object.values(KNOWN)])
    expect([seed, await goesWrong(stories, (story) => simulate(story), seed)]).toEqual([
      seed,
      false,
    ]);
});
