import { expect, test } from 'vitest';
import { goesWrong, isFoundOut } from '../found-out.js';
import type { ChangeRule } from '../../../src/delivery/rules.js';
import type { ImportSettings } from '../../kit/import-settings.js';
import { type Tale, simulate } from './simulate.js';
import { type Story, stories } from './story.js';
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

/** A seed that has found it out; others are tried where it does not any more. Default: 1. */
const KNOWN: Readonly<Record<string, number>> = {
  'locks that keep nobody out': 30,
  'marks that nobody looks at': 12,
  'a deadline that is none': 67,
  'a callback that counts as confirmed when there is any': 292,
  'an undo that does not say what it takes back': 68,
  'earlier runs of which nobody knows': 2,
  'a changed lookup file that nobody notices': 547,
  'lookups that find nobody': 3,
  'answers that are taken for good': 7,
};

const SEEDS = 3000;

for (const [name, sabotage] of Object.entries(SABOTAGE))
  test(`${name}: it is found out`, async () => {
    const search = { known: KNOWN[name] ?? 1, most: SEEDS };
    expect(await isFoundOut(stories, (story) => simulate(story, sabotage), search)).toBe(true);
  });

test('what is left alone is not, with none of these seeds', async () => {
  const untouched: Sabotage = { locks: (locks) => ({ ...locks }), way: (way) => ({ ...way }) };
  const simulated = (story: Story): Promise<Tale> => simulate(story, untouched);
  for (const seed of [1, ...Object.values(KNOWN)])
    expect([seed, await goesWrong(stories, simulated, seed)]).toEqual([seed, false]);
});
