import type { RunIdentity } from '../../../src/core/ledger.js';
import type { RunLocks, RunMarks } from '../../../src/ledger/sqlite-files.js';
import type { ImportSettings } from '../../kit/import-settings.js';
import type { Life } from '../life.js';
import { Books, CAMPAIGN, type Card, MESSAGES } from '../books.js';
import { type Network, type Way, createNetwork } from '../network.js';
import { type Common, createCommon } from '../world.js';
import { type Parts, type SharedLedger, createLedger } from './ledger.js';
import { earlierId, phoneOf } from './rows.js';
import type { Story } from './story.js';
import { type Watch, createWatch } from './watch.js';

/** Wrong behaviour, to see it noticed. */
export interface Sabotage {
  readonly locks?: (locks: RunLocks) => RunLocks;
  readonly marks?: (marks: RunMarks | null) => RunMarks | null;
  readonly identity?: (identity: RunIdentity) => RunIdentity;
  readonly settings?: (settings: ImportSettings) => ImportSettings;
  readonly way?: (way: Way) => Way;
  /** What earlier runs did is forgotten. */
  readonly knowsNothing?: boolean;
  /** An undo does not say which run it takes back. */
  readonly hidesUndo?: boolean;
}

/** What a process works with. */
export interface Process {
  readonly parts: Parts;
  wayOf(run: string): Way;
  /** It dies: of its writes on their way, the first `kept` had reached the disk. */
  crash(kept: number): void;
}

/** Everything that there is in a story. */
export interface World extends Common {
  readonly story: Story;
  readonly books: Books;
  readonly network: Network;
  readonly ledger: SharedLedger;
  readonly watch: Watch;
  readonly sabotage: Sabotage;
  /** Processes that have been started and have not ended. */
  readonly alive: Set<Life>;
  /** How many have been started. */
  readonly lives: { count: number };
  processOf(life: Life): Process;
}

export function createWorld(story: Story, sabotage: Sabotage): World {
  const common = createCommon(story.seed);
  const { timeline, random, violated, counts } = common;
  const blacklist = new Set(placesOf(story, 'blacklisted'));
  const books = new Books({
    isNaive: story.isNaive,
    bars: (client) => (blacklist.has(client) ? MESSAGES.blacklisted : undefined),
    cards: cardsOf(story),
    isExcused: (run, by) =>
      run !== by && (watch.isAnew(run) || (watch.hasLost(run) && watch.run(run).mode === 'upsert')),
    violated,
  });
  const network = createNetwork(common, books, story);
  const isLossy = story.crashes.some((crash) => crash?.loss);
  const ledger = createLedger(timeline, () => random() * story.flushMs, isLossy);
  const watch: Watch = createWatch({ books, ledger, violated, count: (what) => counts.add(what) });
  const processes = new Map<Life, Process>();
  const newProcess = (life: Life): Process => {
    const parts = ledger.partsOf(life);
    let way: Way | undefined;
    return {
      parts: {
        ...parts,
        locks: sabotage.locks?.(parts.locks) ?? parts.locks,
        marks: sabotage.marks ? sabotage.marks(parts.marks) : parts.marks,
      },
      wayOf: (run) => {
        // As it was begun: whoever continues it does not ask for it once more.
        const { command } = watch.run(run);
        way = network.wayOf(life, { run, again: command.kind === 'import' && command.again });
        return sabotage.way?.(way) ?? way;
      },
      crash: (kept) => {
        parts.crash(kept);
        way?.cut(timeline.now() + story.serverDeadlineMs - 1);
      },
    };
  };
  return {
    ...common,
    ...{ story, books, network, ledger, watch, sabotage },
    alive: new Set(),
    lives: { count: 0 },
    processOf: (life) => {
      const known = processes.get(life) ?? newProcess(life);
      processes.set(life, known);
      return known;
    },
  };
}

function placesOf({ rows }: Story, wanted: string): number[] {
  return rows.flatMap((kind, at) => (kind === wanted ? [at + 1] : []));
}

/** Modes that create clients begin without most of them; the others need them. */
function cardsOf({ rows, mode, isNaive }: Story): Card[] {
  const creates = mode === 'create' || mode === 'upsert';
  return rows.flatMap((kind, at): Card[] => {
    const client = at + 1;
    const isThere = creates ? kind === 'existing' && !isNaive : kind !== 'bad';
    if (!isThere) return [];
    const isEnqueued =
      mode === 'enqueue'
        ? kind === 'existing'
        : (mode === 'dequeue' || mode === 'callbacks') && kind !== 'blacklisted';
    return [
      {
        ...{ id: earlierId(client), client, name: 'before', madeBy: null, isDeleted: false },
        phones: new Map(at % 2 === 0 ? [[phoneOf(client), true]] : []),
        campaigns: new Set(isEnqueued ? [CAMPAIGN] : []),
      },
    ];
  });
}
