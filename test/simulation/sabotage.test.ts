import { describe, expect, test } from 'vitest';
import type { CreateResult, CenterPort } from '../../src/core/client.js';
import type { Fact } from '../../src/core/facts.js';
import type { ChangeRule } from '../../src/delivery/rules.js';
import type { RepeatRule } from '../../src/run/repeats.js';
import type { ImportSettings } from '../kit/import-settings.js';
import type { Sabotage as AroundSabotage } from './around/world.js';
import type { Sabotage as DeltaSabotage } from './delta/world.js';
import { simulateFleet } from './machines/fleet.js';
import type { SharedRun } from './machines/story.js';
import type { Sabotage as MachinesSabotage } from './machines/world.js';
import { PARTS, type Part, failureOf } from './parts.js';
import { QUIET } from './scenario.js';
import type { Sabotage } from './simulate.js';
import { tablesIn } from '../kit/tables.js';

/** A simulation that cannot fail proves nothing: each of these importers is wrong, and must be found out. */
const RUNS: Readonly<Record<string, Sabotage>> = {
  'sends without waiting for its intent': {
    ledger: (ledger) => ({
      ...ledger,
      record: (chunk, facts) => {
        const done = ledger.record(chunk, facts);
        if (!facts.some(isIntent)) return done;
        void done.catch(() => undefined);
        return Promise.resolve();
      },
    }),
  },
  'forgets the intents of the process before': {
    ledger: (ledger) => ({
      ...ledger,
      factsOf: async (chunk) => (await ledger.factsOf(chunk)).filter((fact) => !isIntent(fact)),
    }),
  },
  'sends what was lost again without a lookup': {
    delivery: (delivery) => ({ ...delivery, findClient: () => Promise.resolve(null) }),
  },
  'takes what was lost for created without a lookup': {
    delivery: (delivery) => ({ ...delivery, findClient: () => Promise.resolve({ id: null }) }),
  },
  'matches results by their position': {
    delivery: (delivery) => ({
      ...delivery,
      addClients: async (body) => byPosition(body, await delivery.addClients(body)),
    }),
  },
  'sends what was lost again before the deadline': {
    settings: (settings) => ({ ...settings, serverDeadlineMs: settings.settleAfterMs ?? 0 }),
  },
  'waits for no deadline at all': {
    settings: (settings) => ({ ...settings, serverDeadlineMs: 0 }),
  },
  'takes an early absence for a sure one': {
    ledger: (ledger) => ({
      ...ledger,
      factsOf: async (chunk) => (await ledger.factsOf(chunk)).map(absentAtOnce),
    }),
  },
  'goes on when it is asked to end': { signal: () => new AbortController().signal },
  'keeps to no pace': { settings: (settings) => ({ ...settings, pace: {} }) },
  'sends everybody at once in place of the canary': {
    settings: (settings) => ({ ...settings, canary: 0 }),
  },
  'goes on however many rows fail': {
    settings: (settings) => ({ ...settings, maxFailures: undefined }),
  },
  'sends larger bodies than it may': {
    settings: (settings) => ({ ...settings, bodyBytes: 1_000_000 }),
  },
  'overlooks who was not added to the campaign': {
    delivery: (delivery) => ({
      ...delivery,
      addApplications: (campaign, body) => delivery.addApplications(campaign, body).then(() => []),
    }),
  },
};

const AROUND: Readonly<Record<string, AroundSabotage>> = {
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

const DELTA: Readonly<Record<string, DeltaSabotage>> = {
  'a refusal counts as confirmed': {
    rule: unchangedWhere('sent'),
  },
  'an answer that was lost counts as confirmed': {
    rule: unchangedWhere('lost'),
  },
  'an undo says nothing': {
    rule: (rule) => ({
      ...rule,
      repeatOf: (row) => (row.mode === 'undo' ? null : rule.repeatOf(row)),
    }),
  },
  'the list is not looked at before clients are removed': { seesNoList: true },
};

const TAKEOVER: Readonly<Record<string, MachinesSabotage>> = {
  'records facts of those who had the run before': { unfenced: 'facts' },
  'records the end of those who had the run before': { unfenced: 'end' },
  'sends without a look at the lease': { isBlind: true },
  'looks at a clock that stands still': { hasOneClock: true },
  'goes on where another one has stopped beside it': { forgetsBegin: true },
  'counts no deadline from the takeover': {
    settings: (settings) => ({ ...settings, serverDeadlineMs: 0 }),
  },
};

const FLEET: Readonly<Record<string, MachinesSabotage>> = {
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

/** A seed that has found it out is tried first, which saves the search for as long as stories stay as they are. */
const KNOWN = tablesIn(import.meta.dirname, 'sabotage.yaml') as Readonly<
  Record<keyof typeof PARTS, Readonly<Record<string, number>>>
>;

/** Its story takes a quarter of a minute. */
const SLOW: readonly string[] = ['looks at a clock that stands still'];

describe.each([
  tried('runs', PARTS.runs, RUNS, 300),
  tried('around', PARTS.around, AROUND, 3000),
  tried('delta', PARTS.delta, DELTA, 300),
  tried('takeover', PARTS.takeover, TAKEOVER, 1500),
  tried('fleet', PARTS.fleet, FLEET, 1500),
])('$name', ({ name, names, isFoundOut, failureAlone }) => {
  for (const sabotage of names)
    test(
      `it is found out: ${sabotage}`,
      { timeout: 300_000, tags: name === 'fleet' && SLOW.includes(sabotage) ? 'depth' : [] },
      async () => {
        expect(await isFoundOut(sabotage)).toBe(true);
      },
    );

  test('what is left alone is not, with none of these seeds', { timeout: 120_000 }, async () => {
    for (const seed of [1, ...Object.values(KNOWN[name])])
      expect([seed, await failureAlone(seed)]).toEqual([seed, null]);
  });
});

/**
 * Too many fail while the canary is on its way, and its worker is paused before the last answer. Another command has begun
 * without a limit when it goes on: then nobody of the canary may fail.
 */
const LIFTED: SharedRun = {
  scenario: {
    ...{ ...QUIET, seed: 3, rowsInChunk: 10, batchSize: 1, latencyMs: 2000, campaign: 'none' },
    rows: ['rejected', 'refused', 'client', 'client', 'client', 'client', 'client'],
    ...{ canary: 4, maxFailures: { count: 1 } },
  },
  ...{ ledger: 'database', partitions: [], databaseMs: 5, pieceRows: 10, waits: [], submitter: [] },
  workers: [
    { maxPieces: 1, rate: 1, troubles: [{ kind: 'pause', when: { ms: 3800 }, ms: 10_000 }] },
  ],
};

test('it is found out: decides on the canary by the limit of an earlier command', async () => {
  const { counts } = await simulateFleet(LIFTED);
  expect([counts.get('too many failures'), counts.get('canary failed')]).toEqual([1, 1]);
  await expect(simulateFleet(LIFTED, { keepsLimit: true })).rejects.toThrow(
    'the canary passes although 1 of it failed',
  );
});

/** Stories of a part in which something is wrong; `most`: how many are tried. */
function tried<Story, Wrong>(
  name: keyof typeof PARTS,
  part: Part<Story, Wrong>,
  sabotages: Readonly<Record<string, Wrong>>,
  most: number,
) {
  return {
    name,
    names: Object.keys(sabotages),
    isFoundOut: async (what: string): Promise<boolean> => {
      const sabotage = sabotages[what]!;
      const known = await failureOf(part, KNOWN[name][what] ?? 1, { sabotage });
      return known !== null || (await failureOf(part, 1, { sabotage, numRuns: most })) !== null;
    },
    failureAlone: (seed: number) => failureOf(part, seed),
  };
}

function isIntent({ kind }: Fact): boolean {
  return kind === 'creating' || kind === 'enqueuing';
}

/** What was not known to have been created counts as not created, as if a lookup had been sure of it. */
function absentAtOnce(fact: Fact): Fact {
  return fact.kind === 'create_unknown' ? { kind: 'not_created', rows: fact.rows } : fact;
}

type Answer = Awaited<ReturnType<CenterPort['addClients']>>;

function byPosition(body: Uint8Array, answer: Answer): CreateResult[] {
  const { clients } = JSON.parse(Buffer.from(body).toString()) as { clients: { uuid: string }[] };
  return answer.flatMap((result, place) => {
    const uuid = clients[place]?.uuid;
    return uuid === undefined ? [] : [{ ...result, uuid }];
  });
}

function confirmingCallbacks(settings: ImportSettings): ImportSettings {
  const rule = settings.change;
  if (!rule?.settle || rule.outcome !== 'scheduled') return settings;
  const settle: ChangeRule['settle'] = async (subject, earlier) => {
    const settled = await rule.settle!(subject, earlier);
    return typeof settled === 'object' && 'open' in settled ? 'done' : settled;
  };
  return { ...settings, change: { ...rule, settle } };
}

/** Rows that may have been changed otherwise count as they were. */
function unchangedWhere(kind: 'sent' | 'lost') {
  return (rule: RepeatRule): RepeatRule => ({
    ...rule,
    repeatOf: (row) => {
      const repeat = rule.repeatOf(row);
      const word = repeat?.word;
      return word?.kind === kind ? { word: { ...word, kind: 'unchanged' } } : repeat;
    },
  });
}
