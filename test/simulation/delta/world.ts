import { type Books as BooksType, Books } from '../around/books.js';
import { type SharedLedger, createLedger } from '../around/ledger.js';
import { type Network, createNetwork } from '../around/network.js';
import { createRandom } from '../random.js';
import { type Timeline, createTimeline } from '../timeline.js';
import { listRule } from '../../../src/run/delta.js';
import type { DeltaPlan } from '../../../src/run/plan.js';
import type { PreparedChunk } from '../../../src/core/prepared.js';
import type { RepeatRule } from '../../../src/run/repeats.js';
import type { Nights } from './story.js';

export const CAMPAIGN = 7;
const LIST = '/mappings/leads.yaml';

/** Wrong behaviour, to see it noticed. */
export interface Sabotage {
  readonly rule?: (rule: RepeatRule) => RepeatRule;
  /** All clients of earlier lists are removed, also those that are in this one. */
  readonly seesNoList?: boolean;
}

/** Everything that there is while the nights pass. */
export interface World {
  readonly story: Nights;
  readonly timeline: Timeline;
  readonly books: BooksType;
  readonly network: Network;
  readonly ledger: SharedLedger;
  readonly random: () => number;
  /** Whether nothing goes wrong any more. */
  readonly isQuiet: { now: boolean };
  /** Processes that have been started. */
  readonly lives: { count: number };
  readonly violations: string[];
  readonly counts: Map<string, number>;
  readonly sabotage: Sabotage;
  count(what: string): void;
}

export function createWorld(story: Nights, sabotage: Sabotage): World {
  const timeline = createTimeline();
  const random = createRandom(story.seed);
  const violations: string[] = [];
  const counts = new Map<string, number>();
  const isQuiet = { now: false };
  const { fates, ...limits } = story;
  const rules = {
    ...limits,
    // Where all is quiet, every request is answered.
    get fates() {
      return isQuiet.now ? [] : fates;
    },
  };
  const books = new Books({
    isNaive: story.isNaive,
    blacklist: new Set(),
    cards: [],
    isExcused: () => false,
    violated: (what) => violations.push(what),
  });
  return {
    ...{ story, timeline, random, violations, counts, books, sabotage },
    ...{ lives: { count: 0 }, isQuiet },
    network: createNetwork(timeline, books, rules, random),
    ledger: createLedger(timeline, () => random() * story.flushMs, false),
    count: (what) => {
      counts.set(what, (counts.get(what) ?? 0) + 1);
    },
  };
}

/** What the mapping of the story says. */
export function planOf(
  { story, sabotage }: World,
  chunks: () => readonly PreparedChunk[],
): DeltaPlan {
  const { mode, missing, campaign } = story;
  const rule = listRule(mode);
  return {
    ...{ mode, missing, campaignId: campaign ? CAMPAIGN : null },
    issue: { list: LIST, mapping: 'mapping', isWhole: true },
    rule: sabotage.rule?.(rule) ?? rule,
    maxMissing: { percent: 100 },
    knows: { scope: rule.scope, modes: rule.modes, list: LIST },
    readList: async function* () {
      await Promise.resolve();
      if (!sabotage.seesNoList) yield* chunks();
    },
  };
}
