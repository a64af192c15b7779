import type { CenterPort } from '../../src/core/center.js';
import type { RunLedger } from '../../src/core/ledger.js';
import type { RowReport } from '../../src/core/report.js';
import type { FailureLimit } from '../../src/delivery/failures.js';
import type { ImportJob } from '../../src/delivery/sending.js';
import type { ImportSettings } from '../kit/import-settings.js';
import { type Books, createBooks } from './books.js';
import { type Disk, createDisk } from './disk.js';
import { type Input, inputOf } from './input.js';
import { type Network, createNetwork } from './network.js';
import { createRandom } from './random.js';
import type { Scenario } from './scenario.js';
import { type Timeline, createTimeline } from './timeline.js';
import { type Watch, createWatch } from './watch/watch.js';

/** What is counted of a run's processes: how they ended, and how often a run was at its end with something unknown. */
const COUNTED = [
  'lives',
  'crashes',
  'stops',
  'interrupted',
  'sick canaries',
  'too many failures',
  'begun anew',
  'open',
] as const;

/** What a simulation came to. */
export interface Tale {
  readonly rows: readonly RowReport[];
  readonly books: Books;
  readonly network: Network;
  readonly disk: Disk;
  readonly counts: Record<(typeof COUNTED)[number], number>;
  readonly virtualMs: number;
}

/** Wrong behaviour put between the importer and its ports, to see it noticed. */
export interface Sabotage {
  readonly ledger?: (ledger: RunLedger) => RunLedger;
  readonly delivery?: (delivery: CenterPort) => CenterPort;
  readonly signal?: (signal: AbortSignal) => ImportJob['signal'];
  readonly settings?: (settings: ImportSettings) => ImportSettings;
}

/** Everything that there is in a simulation. */
export interface World {
  readonly scenario: Scenario;
  readonly input: Input;
  readonly timeline: Timeline;
  readonly random: () => number;
  readonly books: Books;
  readonly disk: Disk;
  readonly network: Network;
  readonly watch: Watch;
  readonly sabotage: Sabotage;
  readonly violations: string[];
  readonly counts: Tale['counts'];
  /** How many failures the next process permits. */
  readonly limit: { inForce: FailureLimit | null };
}

export function createWorld(scenario: Scenario, sabotage: Sabotage): World {
  const input = inputOf(scenario);
  const timeline = createTimeline();
  const random = createRandom(scenario.seed);
  const violations: string[] = [];
  const books = createBooks(input.kinds, scenario);
  const violated = (what: string): void => {
    violations.push(what);
  };
  const limit = { inForce: scenario.maxFailures };
  const flushMs = (): number => random() * scenario.flushMs;
  const disk: Disk = createDisk(timeline, flushMs, scenario.brokenFlushes, (kept) =>
    watch.kept(kept),
  );
  const sight = { scenario, input, disk, timeline, violated };
  const watch = createWatch(sight, () => limit.inForce);
  const network = createNetwork(timeline, books, scenario, random, watch);
  const counts = Object.fromEntries(COUNTED.map((what) => [what, 0])) as Tale['counts'];
  return {
    scenario,
    input,
    timeline,
    random,
    books,
    disk,
    network,
    watch,
    sabotage,
    violations,
    counts,
    limit,
  };
}
