import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChangeRule } from '../../../src/pipeline/change-rules.js';
import type { ImportSettings } from '../../../src/pipeline/ports.js';
import { simulate } from './simulate.js';
import { stories } from './story.js';
import type { Sabotage } from './world.js';

/** A simulation that cannot fail proves nothing: each of these is wrong, and must be found out. */
const SABOTAGE: Readonly<Record<string, Sabotage>> = {
  'locks that keep nobody out': {
    locks: (locks) => ({
      take: (run) => locks.take(run) ?? { isHeld: () => true, release: () => undefined },
      isTaken: () => false,
    }),
  },
  'marks that nobody looks at': { marks: () => null },
  'a deadline that is none': {
    settings: (settings) => ({ ...settings, serverDeadlineMs: 0 }),
  },
  'a callback that counts as confirmed when there is any': { settings: confirmingCallbacks },
  'an undo that does not say what it takes back': { hidesUndo: true },
  'earlier runs of which nobody knows': { knowsNothing: true },
  'a changed lookup file that nobody notices': {
    identity: ({ parts: _, ...identity }) => identity,
  },
  'lookups that find nobody': {
    way: (way) => ({ ...way, findClient: () => Promise.resolve(null) }),
  },
  'answers that are taken for good': {
    way: (way) => ({
      ...way,
      addApplications: (id, body) => way.addApplications(id, body).then(() => []),
    }),
  },
};

function confirmingCallbacks(settings: ImportSettings): ImportSettings {
  const rule = settings.change;
  if (!rule?.settle || rule.outcome !== 'scheduled') return settings;
  const settle: ChangeRule['settle'] = async (subject, earlier) => {
    const settled = await rule.settle!(subject, earlier);
    return typeof settled === 'object' && 'open' in settled ? 'done' : settled;
  };
  return { ...settings, change: { ...rule, settle } };
}

const SEEDS = 3000;

async function isFoundOut(sabotage: Sabotage, seeds: number): Promise<boolean> {
  for (let seed = 1; seed <= seeds; seed++) {
    const result = await fc.check(
      fc.asyncProperty(stories, async (story) => {
        await simulate(story, sabotage);
      }),
      { seed, numRuns: 1, endOnFailure: true },
    );
    if (result.failed) return true;
  }
  return false;
}

for (const [name, sabotage] of Object.entries(SABOTAGE))
  test(`${name}: it is found out`, async () => {
    expect(await isFoundOut(sabotage, SEEDS)).toBe(true);
  });

test('what is left alone is not', async () => {
  const untouched: Sabotage = { locks: (locks) => ({ ...locks }), way: (way) => ({ ...way }) };
  expect(await isFoundOut(untouched, 200)).toBe(false);
});
