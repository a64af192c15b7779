import type { Delivery } from '../../src/core/delivery.js';
import { LedgerError } from '../../src/core/errors.js';
import type { RunLedger } from '../../src/core/ledger.js';
import { type OutcomeCounts, noOutcomes } from '../../src/core/outcome.js';
import type { PreparedChunk } from '../../src/core/prepared.js';
import type { RowReport } from '../../src/core/report.js';
import { createKeyTable } from '../../src/ledger/key-table.js';
import { type ImportEnd, type ImportSettings, runImport } from '../../src/pipeline/import.js';
import { StopRun } from '../../src/pipeline/stop.js';
import { type Books, CAMPAIGN, createBooks } from './books.js';
import { type Disk, createDisk } from './disk.js';
import { type Input, inputOf } from './input.js';
import { checkEnd } from './invariants.js';
import { type Life, startLife } from './life.js';
import { type Network, createNetwork } from './network.js';
import { createRandom } from './random.js';
import type { Scenario } from './scenario.js';
import { type Timeline, createTimeline } from './timeline.js';
import { type Watch, createWatch } from './watch.js';

/** What a simulation came to. */
export interface Tale {
  readonly rows: readonly RowReport[];
  readonly books: Books;
  readonly network: Network;
  readonly disk: Disk;
  readonly counts: Record<'lives' | 'crashes' | 'stops' | 'open', number>;
  readonly virtualMs: number;
}

/** Wrong behaviour put between the importer and its ports, to see it noticed. */
export interface Sabotage {
  readonly ledger?: (ledger: RunLedger) => RunLedger;
  readonly delivery?: (delivery: Delivery) => Delivery;
}

/** How long until somebody starts a run again that has stopped. */
const RESTART_MS = 30_000;
const MOST_LIVES = 60;
const MOST_EVENTS = 200_000;
/** The longest outage, a pause of the patience, and every fault at its slowest. */
const LONGEST_MS = 6 * 3_600_000;

/** The retry budget: a few at once, a share of the requests, and beyond that a trickle a second. */
const RETRIES = 50;
const RETRY_SHARE = 0.1;
const SLOW_RETRIES = 10;

interface World {
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
}

/**
 * Runs an import from its first process to its end: processes crash and stop, and are started again, until every row
 * has ended. The same scenario gives the same tale.
 * @throws Error that names what must not have been.
 */
export async function simulate(scenario: Scenario, sabotage: Sabotage = {}): Promise<Tale> {
  const world = createWorld(scenario, sabotage);
  const { counts, timeline, violations } = world;
  while (!(await liveOnce(world))) {
    if (violations.length > 0) break;
    if (counts.lives >= MOST_LIVES) violations.push('the run is continued for ever');
    if (timeline.now() > LONGEST_MS) violations.push('the run takes for ever');
  }
  const tale = taleOf(world);
  if (violations.length === 0) violations.push(...checkEnd(scenario, world.input, tale));
  if (violations.length > 0) throw new Error(violations.slice(0, 5).join('\n'));
  return tale;
}

function createWorld(scenario: Scenario, sabotage: Sabotage): World {
  const input = inputOf(scenario);
  const timeline = createTimeline();
  const random = createRandom(scenario.seed);
  const violations: string[] = [];
  const books = createBooks(input.kinds, scenario);
  const disk = createDisk(timeline, () => random() * scenario.flushMs, scenario.brokenFlushes);
  const watch = createWatch(input, disk, scenario.concurrency, (what) => violations.push(what));
  const network = createNetwork(timeline, books, scenario, random, watch);
  const counts = { lives: 0, crashes: 0, stops: 0, open: 0 };
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
  };
}

/** One process; resolves with whether it brought the run to its end. */
async function liveOnce(world: World): Promise<boolean> {
  const { scenario, timeline, disk, network, watch, counts } = world;
  const crash = scenario.crashes[counts.lives++];
  watch.restart();
  const life = startLife(timeline, crash, () => {
    counts.crashes++;
    disk.crash(crash?.kept ?? 0);
    network.cut(timeline.now() + (crash?.gapMs ?? 0) + scenario.settleAfterMs - 1);
  });
  const before = requestsOf(network);
  const started = timeline.now();
  const outcomes = noOutcomes();
  const end = await watchOver(world, life, importOnce(world, life, outcomes));
  life.end();
  if (end)
    return judgeEnd(world, end, outcomes, {
      requests: requestsOf(network) - before,
      seconds: (timeline.now() - started) / 1000,
    });
  timeline.pass(crash?.gapMs ?? 0);
  return false;
}

function requestsOf({ counts }: Network): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Lets time pass until the process has ended or died; `undefined`: it died. */
async function watchOver(
  { timeline, violations }: World,
  life: Life,
  running: Promise<ImportEnd>,
): Promise<ImportEnd | undefined> {
  let end: ImportEnd | undefined;
  let thrown: unknown;
  running.then(
    (value) => (end = value),
    (error: unknown) => (thrown = error),
  );
  for (let events = 0; life.isAlive(); events++) {
    await allMicrotasks();
    // Both are set from the promise; the compiler cannot see it.
    if (thrown !== undefined) throw thrown as Error;
    if (end) return end;
    if (!life.isAlive()) break;
    if (events > MOST_EVENTS || timeline.now() > LONGEST_MS) {
      violations.push('the process goes on for ever');
      return { requests: 0, retries: 0 };
    }
    if (!timeline.next()) {
      violations.push('the process hangs: nothing will ever happen again');
      return { requests: 0, retries: 0 };
    }
  }
  return undefined;
}

function allMicrotasks(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function importOnce(world: World, life: Life, outcomes: OutcomeCounts): Promise<ImportEnd> {
  const { scenario, input, timeline, random, disk, network, sabotage } = world;
  const ledger = disk.open(life, scenario.campaign !== 'none');
  const delivery = network.deliveryOf(life);
  const seen = { ...createKeyTable(1 << 12), close: () => undefined };
  return runImport(
    {
      chunks: chunksOf(life, timeline, input.chunks),
      ledger: sabotage.ledger?.(ledger) ?? ledger,
      delivery: sabotage.delivery?.(delivery) ?? delivery,
      seen,
      clock: life.clock,
      random,
      signal: new AbortController().signal,
      onProgress: (state) => Object.assign(outcomes, state.outcomes),
    },
    settingsOf(scenario),
  );
}

async function* chunksOf(
  life: Life,
  timeline: Timeline,
  chunks: readonly PreparedChunk[],
): AsyncGenerator<PreparedChunk> {
  for (const chunk of chunks) {
    await life.call(
      () => new Promise<void>((resolve) => timeline.after(1, () => life.tell(resolve))),
    );
    yield chunk;
  }
}

function settingsOf(scenario: Scenario): ImportSettings {
  const { campaign, batchSize, requestBytes, concurrency, settleAfterMs, patienceMs } = scenario;
  return {
    limits: { clients: batchSize, bytes: requestBytes },
    concurrency,
    pace: {},
    patience: { atStart: 10_000, later: patienceMs },
    settleAfterMs,
    campaign:
      campaign === 'none'
        ? null
        : {
            id: CAMPAIGN,
            maxCallCount: 3,
            disableDuplicatePhonesValidation: campaign === 'plain',
          },
    duplicates: 'sync',
    identifierNames: ['offerId'],
    inputs: ['leads.csv'],
  };
}

/** Whether the run is over; else whoever runs it starts it again after a while. */
function judgeEnd(
  world: World,
  { stopped, requests, retries }: ImportEnd,
  outcomes: OutcomeCounts,
  spent: { readonly requests: number; readonly seconds: number },
): boolean {
  const { violations, counts, timeline, disk, scenario } = world;
  if (violations.length > 0) return false;
  if (requests !== spent.requests)
    violations.push(`${spent.requests} requests left, ${requests} are told`);
  if (retries > RETRIES + requests * RETRY_SHARE + spent.seconds * SLOW_RETRIES)
    violations.push(`${retries} retries among ${requests} requests`);
  if (stopped) {
    const isExpected = stopped instanceof StopRun || stopped instanceof LedgerError;
    if (!isExpected) violations.push(`the run stopped: ${stopped.message}`);
    counts.stops++;
    timeline.pass(RESTART_MS);
    return false;
  }
  const life = startLife(timeline, undefined, () => undefined);
  const rows = [...disk.open(life, scenario.campaign !== 'none').rows()];
  compareCounts(world, rows, outcomes);
  if (rows.every(({ outcome }) => outcome !== 'unknown')) return true;
  counts.open++;
  checkUnknown(world, rows);
  timeline.pass(RESTART_MS);
  return false;
}

/** What the importer counted while it worked is what its facts say. */
function compareCounts({ violations }: World, rows: readonly RowReport[], told: OutcomeCounts) {
  const counted = noOutcomes();
  for (const { outcome } of rows) counted[outcome]++;
  if (JSON.stringify(counted) !== JSON.stringify(told))
    violations.push(`counted ${JSON.stringify(told)}, recorded ${JSON.stringify(counted)}`);
}

/** How often at least the importer has to ask in vain before it may leave a client unknown. */
const TRIES = 5;

function checkUnknown({ input, watch, violations }: World, rows: readonly RowReport[]): void {
  for (const { outcome, ordinal } of rows) {
    const offerId = input.rows[ordinal]?.offerId;
    if (outcome !== 'unknown' || typeof offerId !== 'number') continue;
    const tries = watch.inVain(offerId);
    if (tries < TRIES) violations.push(`client ${offerId} is unknown after ${tries} vain tries`);
  }
}

function taleOf({ disk, books, network, counts, timeline, scenario }: World): Tale {
  const life = startLife(timeline, undefined, () => undefined);
  const rows = [...disk.open(life, scenario.campaign !== 'none').rows()];
  return { rows, books, network, disk, counts, virtualMs: timeline.now() };
}
