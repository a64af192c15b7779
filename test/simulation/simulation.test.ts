import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Scenario, scenarios } from './scenario.js';
import { simulate } from './simulate.js';
import type { Tale } from './world.js';

/** SIM_SEED: replay one seed. SIM_SEEDS, SIM_FROM: how many seeds, from which on. */
const only = process.env['SIM_SEED'];
const from = Number(only ?? process.env['SIM_FROM'] ?? 1);
const seeds = only === undefined ? Number(process.env['SIM_SEEDS'] ?? 200) : 1;

/** Seeds that a machine under load surely manages in a second. */
const SLOWEST = 20;

test(
  `whatever happens, nothing is lost and nothing happens twice (${seeds} seeds from ${from})`,
  async () => {
    const reached = new Map<string, number>();
    for (let seed = from; seed < from + seeds; seed++) {
      const result = await fc.check(
        fc.asyncProperty(scenarios, async (scenario) =>
          note(reached, scenario, await simulate(scenario)),
        ),
        { seed, numRuns: 1, endOnFailure: only === undefined },
      );
      if (result.failed)
        throw new Error(
          `${reason(result.errorInstance)}\nSIM_SEED=${seed} replays it:\n${fc.defaultReportMessage(result) ?? ''}`,
        );
    }
    console.log(
      `${seeds} seeds: ${[...reached].map(([what, count]) => `${what} ${count}`).join(', ')}`,
    );
    if (seeds < 200) return;
    for (const what of seeds < MANY ? EVENTS : [...EVENTS, ...RARE])
      expect(reached.get(what), what).toBeGreaterThan(0);
  },
  60_000 + (seeds * 1000) / SLOWEST,
);

function reason(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** What so many seeds must have met: a simulation in which nothing happens proves nothing. */
const EVENTS = [
  'crashes',
  'stops',
  'interrupted',
  'sick canaries',
  'too many failures',
  'begun anew',
  'too_large',
  'breakdown',
  'paced',
  'broken flushes',
  'lost writes',
  'findClient',
  'findCampaigns',
  'not_sent',
  'lost_request',
  'lost_answer',
  'late',
  'gateway',
  'garbage',
  'busy',
  'server_error',
  'odd_answer',
  'unauthorized',
];

/** And what many of them must have. */
const RARE = ['open'];
/** Seeds among which these surely are: one of two thousand ends so. */
const MANY = 20_000;

function note(
  reached: Map<string, number>,
  { pace }: Scenario,
  { counts, network, disk }: Tale,
): void {
  const add = (what: string, count: number): void => {
    reached.set(what, (reached.get(what) ?? 0) + count);
  };
  for (const [what, count] of Object.entries({ ...counts, ...network.counts, ...network.refusals }))
    add(what, count);
  for (const [fate, count] of network.fates) add(fate, count);
  add('broken flushes', disk.counts.broken);
  add('lost writes', disk.counts.lost);
  add('paced', Object.values(pace).some((limit) => limit !== undefined) ? 1 : 0);
}
