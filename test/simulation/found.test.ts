import { expect, test } from 'vitest';
import { simulateStory } from './around/simulate.js';
import { simulateNights } from './delta/simulate.js';
import type { List, Night, Nights } from './delta/story.js';
import type { Fate } from './scenario.js';
import type { Death, Step, Story } from './around/story.js';
import { tablesIn } from '../kit/tables.js';

/** A story in which nothing goes wrong, to be changed in what a test is about. */
const QUIET = tablesIn(import.meta.dirname, 'found.yaml') as Story;

function step(kind: Step['kind'], after: number | null = null, how: Partial<Step> = {}): Step {
  return { kind, after, isOn: false, isLeft: false, ...how };
}

function death(when: Death['when'], loss: Death['loss'] = null): Death {
  return { when, kept: 0, gapMs: 0, loss };
}

const FINE: Fate = { kind: 'fine' };
const LOST: Fate = { kind: 'lost_request', how: 'reset' };
const BROKEN: Fate = { kind: 'server_error', done: 0, lateShare: null };
const LATE: Fate = { kind: 'late', how: 'reset', share: 0 };
const TAIL = { share: 0, withMarks: false };
const before = (call: number): Death['when'] => ({ call, side: 'before' });

/** Stories that the simulation found, and that went wrong when it did. */
const FOUND: Readonly<Record<string, Partial<Story>>> = {
  'a client that an undo had to leave is not sent again unasked': {
    isNaive: true,
    fates: [LATE],
    steps: [step('undo'), step('same')],
  },
  'a client whose creation is under way when an undo ends is not created again': {
    mode: 'upsert',
    isNaive: true,
    rows: ['client', 'client', 'client', 'client', 'repeat', 'client'],
    ...{ concurrency: 2, latencyMs: 43, fates: [LATE, LATE], seed: 84296968 },
    steps: [step('undo', 293)],
    crashes: [death(before(37))],
  },
  'after an undo, two imports of a file do not work on it at a time': {
    isNaive: true,
    rows: ['client', 'client'],
    steps: [step('undo'), step('part'), step('same', 3)],
  },
  'a call application whose facts were lost is not told to be refused': {
    campaign: true,
    crashes: [death({ ms: 25 }, TAIL)],
    seed: 543_724_541,
  },
  'a client that was absent once is looked up when facts were lost since': {
    rows: ['client', 'client', 'client'],
    fates: [BROKEN],
    crashes: [null, death({ ms: 22 }, TAIL)],
    stops: [{ when: { call: 16, side: 'after' } }],
  },
  'a run whose facts were lost is not taken back by those that are left': {
    isNaive: true,
    steps: [step('undo', 22)],
    crashes: [death({ ms: 22 }, { share: 0, withMarks: true })],
  },
  'a run is not taken for whole when the undo of it has lost its facts': {
    rows: ['client', 'client'],
    steps: [step('undo', null, { isLeft: true }), step('part')],
    crashes: [null, death(before(11), TAIL)],
  },
  'a change whose facts were lost does not come after a later row of its client': {
    mode: 'update',
    rows: ['client', 'repeat'],
    fates: [FINE, { kind: 'late', how: 'timeout', share: 0 }],
    crashes: [death({ ms: 24 }, TAIL)],
  },
  'what a run did before it lost its ground is known to the next one': {
    isNaive: true,
    rows: ['rejected', 'client'],
    steps: [step('undo', 20), step('corrected', 36)],
    crashes: [null, null, death(before(7))],
  },
  'a change that stayed unknown does not come after a later row of its client': {
    mode: 'contacts',
    rows: ['client', 'repeat'],
    fates: Array<Fate>(6).fill(LOST),
  },
  'a change of a client that could not be looked up does not come after a later row': {
    mode: 'update',
    rows: ['client', 'repeat', 'client'],
    fates: [FINE, FINE, ...Array<Fate>(11).fill(LOST)],
  },
  'an undo does not remove the call application of another card than its run changed': {
    mode: 'upsert',
    campaign: true,
    isNaive: true,
    steps: [step('undo', 30), step('mode', 50), step('same', null, { isOn: true })],
    crashes: [death({ ms: 25 }, TAIL)],
  },
  'a card is told to be of the run that made it, where it was in the campaign already': {
    mode: 'upsert',
    steps: (['campaign', 'mode', 'part'] as const).map((kind) => step(kind, null, { isOn: true })),
  },
  'a client that was in a campaign already is not taken for added since an answer was lost': {
    mode: 'enqueue',
    fates: [FINE, BROKEN],
    steps: [step('corrected', 0), step('undo', 20), step('part', null, { isOn: true })],
  },
};

for (const [name, story] of Object.entries(FOUND))
  test(name, async () => {
    await expect(simulateStory({ ...QUIET, ...story })).resolves.toBeDefined();
  });

test('nothing is begun anew while another process imports the same file', async () => {
  const steps = [step('corrected', 0), step('again', 0, { isOn: true })];
  const { counts } = await simulateStory({ ...QUIET, steps });
  // The corrected file, and the same anew.
  expect(counts.get('refused in use')).toBeGreaterThan(1);
});

/** Nights without trouble, of a list that removes whom it lacks. */
const NIGHTS: Nights = { ...QUIET, mode: 'create', campaign: true, missing: 'dequeue', nights: [] };

function night(...list: List): Night {
  return { list, refused: [], isUndone: false, tries: 0, gapMs: 100_000 };
}

/** Nights that went wrong when the simulation found them. */
const FOUND_NIGHTS: Readonly<Record<string, Partial<Nights>>> = {
  'whom a list could not remove is missed by the next one': {
    nights: [night(0, 0), night(0, null)],
    fates: [FINE, FINE, FINE, FINE, FINE, BROKEN, FINE, BROKEN],
  },
  'that a client was perhaps removed does not say that it has a card': {
    nights: [night(0, null), night(null, 0), night(0, 0)],
    isNaive: true,
    fates: Array<Fate>(12).fill(LOST),
    crashes: [null, death(before(32))],
  },
};

for (const [name, nights] of Object.entries(FOUND_NIGHTS))
  test(name, async () => {
    await expect(simulateNights({ ...NIGHTS, ...nights })).resolves.toBeDefined();
  });
