import { type SharedLedger, createLedger } from '../around/ledger.js';
import { Books, CAMPAIGN } from '../books.js';
import { type Network, createNetwork } from '../network.js';
import { type Common, createCommon } from '../world.js';
import { listRule } from '../../../src/run/delta.js';
import type { DeltaPlan } from '../../../src/run/plan.js';
import type { PreparedChunk } from '../../../src/core/prepared.js';
import type { RepeatRule } from '../../../src/run/repeats.js';
import type { Night, Nights } from './story.js';

/** Wrong behaviour, to see it noticed. */
export interface Sabotage {
  readonly rule?: (rule: RepeatRule) => RepeatRule;
  /** All clients of earlier lists are removed, also those that are in this one. */
  readonly seesNoList?: boolean;
}

/** Everything that there is while the nights pass. */
export interface World extends Common {
  readonly story: Nights;
  readonly books: Books;
  readonly network: Network;
  readonly ledger: SharedLedger;
  /** Whether nothing goes wrong any more. */
  readonly isQuiet: { now: boolean; isAgain: boolean };
  /** What happens at this time. */
  readonly night: { now: Night | null };
  /** Processes that have been started. */
  readonly lives: { count: number };
  readonly sabotage: Sabotage;
}

export function createWorld(story: Nights, sabotage: Sabotage): World {
  const common = createCommon(story.seed);
  const { timeline, random, violated } = common;
  const isQuiet = { now: false, isAgain: false };
  const { fates, ...limits } = story;
  const rules = {
    ...limits,
    // Where all is quiet, every request is answered.
    get fates() {
      return isQuiet.now ? [] : fates;
    },
  };
  const night: World['night'] = { now: null };
  const books = new Books({
    isNaive: story.isNaive,
    isCalled: (client) => night.now?.called?.[client - 1] ?? false,
    violated,
  });
  return {
    ...common,
    ...{ story, books, sabotage, lives: { count: 0 }, isQuiet, night },
    network: createNetwork(common, books, rules),
    ledger: createLedger(timeline, () => random() * story.flushMs, false),
  };
}

/** What the mapping of a list says. */
export function planOf(
  { story, sabotage }: World,
  { isOther = false }: Night,
  chunks: () => readonly PreparedChunk[],
): DeltaPlan {
  const { mode, missing, campaign } = story;
  const list = isOther ? '/mappings/others.yaml' : '/mappings/leads.yaml';
  const rule = listRule(mode, list);
  return {
    ...{ mode, missing, campaignId: campaign ? CAMPAIGN : null },
    issue: { list, mapping: 'mapping', isWhole: true },
    rule: sabotage.rule?.(rule) ?? rule,
    maxMissing: { percent: 100 },
    knows: { scope: rule.scope, modes: rule.modes, list },
    readList: async function* () {
      await Promise.resolve();
      if (!sabotage.seesNoList) yield* chunks();
    },
  };
}
