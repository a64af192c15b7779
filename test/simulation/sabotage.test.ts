import { expect, test } from 'vitest';
import type { CreateResult, CenterPort } from '../../src/core/center.js';
import type { Fact } from '../../src/core/facts.js';
import { goesWrong, isFoundOut } from './found-out.js';
import { type Scenario, scenarios } from './scenario.js';
import { simulate } from './simulate.js';
import type { Sabotage, Tale } from './world.js';

/** A simulation that cannot fail proves nothing: each of these importers is wrong, and must be found out. */
const SABOTAGE: Readonly<Record<string, Sabotage>> = {
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

/** A seed that has found it out; others are tried where it does not any more. Default: 1. */
const KNOWN: Readonly<Record<string, number>> = {
  'forgets the intents of the process before': 2,
  'sends what was lost again before the deadline': 87,
  'waits for no deadline at all': 34,
  'sends everybody at once in place of the canary': 4,
  'goes on however many rows fail': 3,
};

const SEEDS = 300;

for (const [name, sabotage] of Object.entries(SABOTAGE))
  test(`an importer that ${name} is found out`, async () => {
    const search = { known: KNOWN[name] ?? 1, most: SEEDS };
    const simulated = (scenario: Scenario): Promise<Tale> => simulate(scenario, sabotage);
    expect(await isFoundOut(scenarios, simulated, search)).toBe(true);
  });

test('an importer that is left alone is not, with none of these seeds', async () => {
  const untouched: Sabotage = {
    ledger: (ledger) => ({ ...ledger }),
    delivery: (delivery) => ({ ...delivery }),
  };
  const simulated = (scenario: Scenario): Promise<Tale> => simulate(scenario, untouched);
  for (const seed of [1, ...Object.values(KNOWN)])
    expect([seed, await goesWrong(scenarios, simulated, seed)]).toEqual([seed, false]);
});

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
