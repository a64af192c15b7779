import type { RunIdentity } from '../../../src/core/ledger.js';
import type { RunLocks, RunMarks } from '../../../src/ledger/sqlite-files.js';
import type { ImportSettings } from '../../kit/import-settings.js';
import type { Life } from '../life.js';
import { createRandom } from '../random.js';
import { type Timeline, createTimeline } from '../timeline.js';
import { Books, type Card } from './books.js';
import { CAMPAIGN } from './run.js';
import { type Parts, type SharedLedger, createLedger } from './ledger.js';
import { type Network, type Way, createNetwork } from './network.js';
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
export interface World {
  readonly story: Story;
  readonly timeline: Timeline;
  readonly random: () => number;
  readonly books: Books;
  readonly network: Network;
  readonly ledger: SharedLedger;
  readonly watch: Watch;
  readonly sabotage: Sabotage;
  readonly violations: string[];
  /** How often what happened. */
  readonly counts: Map<string, number>;
  count(what: string): void;
  /** Processes that have been started and have not ended. */
  readonly alive: Set<Life>;
  /** How many have been started. */
  readonly lives: { count: number };
  processOf(life: Life): Process;
}

export function createWorld(story: Story, sabotage: Sabotage): World {
  const timeline = createTimeline();
  const random = createRandom(story.seed);
  const violations: string[] = [];
  const counts = new Map<string, number>();
  const violated = (what: string): void => {
    violations.push(what);
  };
  const count = (what: string): void => {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  };
  const books = new Books({
    isNaive: story.isNaive,
    blacklist: new Set(placesOf(story, 'blacklisted')),
    cards: cardsOf(story),
    isExcused: (run, by) =>
      run !== by && (watch.isAnew(run) || (watch.hasLost(run) && watch.run(run).mode === 'upsert')),
    violated,
  });
  const network = createNetwork(timeline, books, story, random);
  const isLossy = story.crashes.some((crash) => crash?.loss);
  const ledger = createLedger(timeline, () => random() * story.flushMs, isLossy);
  const watch: Watch = createWatch({ books, ledger, violated, count });
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
        way?.cut();
      },
    };
  };
  return {
    ...{
      story,
      timeline,
      random,
      books,
      network,
      ledger,
      watch,
      sabotage,
      violations,
      counts,
      count,
    },
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
