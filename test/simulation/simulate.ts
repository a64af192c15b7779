import { INTERRUPTED, LedgerError, StopRun } from '../../src/core/errors.js';
import { type OutcomeCounts, noOutcomes } from '../../src/core/outcome.js';
import type { CenterPort } from '../../src/core/client.js';
import type { RunLedger } from '../../src/core/ledger.js';
import type { RowReport } from '../../src/core/report.js';
import type { FailureLimit } from '../../src/delivery/failures.js';
import { runImport } from '../../src/delivery/import.js';
import type { ImportEnd, ImportJob } from '../../src/delivery/sending.js';
import type { ImportSettings } from '../kit/import-settings.js';
import { type Books, SIMULATED } from './books.js';
import { type Disk, createDisk } from './disk.js';
import {
  type Input,
  booksOf,
  createSeen,
  inTurn,
  inputOf,
  isTooMany,
  settingsOf,
} from './input.js';
import { checkEnd } from './invariants.js';
import { type Life, startLife } from './life.js';
import { type Network, createNetwork } from './network.js';
import { type Scenario, troublesOf } from './scenario.js';
import { untilOver } from './timeline.js';
import { type Watch, createWatch } from './watch.js';
import { type Common, type Tale, createCommon, throwIfWrong } from './world.js';

const MOST_LIVES = 60;
/** The longest outage, a pause of the patience, and every fault at its slowest. */
const LONGEST_HOURS = 6;
/** How long until somebody starts a run again that has stopped. */
const RESTART_MS = 30_000;

/** What an import came to. */
export interface ImportTale extends Tale {
  readonly rows: readonly RowReport[];
  readonly network: Network;
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
interface World extends Common {
  readonly scenario: Scenario;
  readonly input: Input;
  readonly books: Books;
  readonly disk: Disk;
  readonly network: Network;
  readonly watch: Watch;
  readonly sabotage: Sabotage;
  readonly hasCampaign: boolean;
  /** How many failures the next process permits: once one has stopped for it, whoever starts the next lifts it. */
  readonly limit: { inForce: FailureLimit | null };
}

function createWorld(scenario: Scenario, sabotage: Sabotage): World {
  const common = createCommon(scenario.seed);
  const { timeline, random, violated } = common;
  const input = inputOf(scenario);
  const books = booksOf(scenario, input, violated);
  const limit = { inForce: scenario.maxFailures };
  const disk: Disk = createDisk(
    common,
    () => random() * scenario.flushMs,
    scenario.brokenFlushes,
    (kept) => watch.kept(kept),
  );
  const watch = createWatch({ scenario, input, disk, timeline, violated }, () => limit.inForce);
  const network = createNetwork(common, books, scenario, watch);
  const hasCampaign = scenario.campaign !== 'none';
  return {
    ...common,
    ...{ scenario, input, books, disk, network, watch, sabotage, limit, hasCampaign },
  };
}

/**
 * Runs an import from its first process to its end: processes crash and stop, and are started again, until every row
 * has ended. The same scenario gives the same tale.
 * @throws Error that names what must not have been.
 */
export async function simulate(scenario: Scenario, sabotage: Sabotage = {}): Promise<ImportTale> {
  const world = createWorld(scenario, sabotage);
  const { counts, timeline, violated, violations, disk, network, books, input } = world;
  while (!(await liveOnce(world)) && violations.length === 0) {
    if (counts.of('lives') >= MOST_LIVES) violated('the run is continued for ever');
    if (timeline.now() > LONGEST_HOURS * 3_600_000) violated('the run takes for ever');
  }
  const rows = disk.rows(world.hasCampaign);
  const virtualMs = timeline.now();
  // What is on its way still comes: the report has to be right after that too.
  timeline.pass(scenario.serverDeadlineMs);
  if (violations.length === 0) violations.push(...checkEnd(scenario, input, rows, books));
  throwIfWrong(world);
  counts.addAll(network.sent);
  counts.addAll(network.fates);
  counts.add('paced', Object.values(scenario.pace).some((one) => one !== undefined) ? 1 : 0);
  return { rows, network, counts, virtualMs };
}

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((all, count) => all + count, 0);

/** One process; resolves with whether it brought the run to its end. */
async function liveOnce(world: World): Promise<boolean> {
  const { scenario, timeline, disk, network, watch, counts } = world;
  const number = counts.of('lives');
  counts.add('lives');
  const crash = scenario.crashes[number];
  const life = startLife(timeline, {
    troubles: troublesOf(crash, scenario.stops[number]),
    onKilled: () => {
      counts.add('crashes');
      disk.crash(crash?.kept ?? 0);
      network.cut(timeline.now() + (crash?.gapMs ?? 0) + scenario.serverDeadlineMs - 1);
    },
    onStop: () => watch.stopped(),
  });
  const before = sum(network.sent);
  const started = timeline.now();
  const outcomes = noOutcomes();
  const end = await untilOver(world, importOnce(world, life, outcomes), {
    isOver: () => !life.isAlive(),
    hours: LONGEST_HOURS,
  });
  life.end();
  if (end)
    return judgeEnd(world, end, {
      outcomes,
      requests: sum(network.sent) - before,
      seconds: (timeline.now() - started) / 1000,
    });
  timeline.pass(crash?.gapMs ?? 0);
  return false;
}

function importOnce(world: World, life: Life, outcomes: OutcomeCounts): Promise<ImportEnd> {
  const { scenario, input, timeline, random, disk, network, watch, sabotage, limit } = world;
  const hadFacts = input.chunks.some((_, chunk) => disk.factsOf(chunk).length > 0);
  const ledger = disk.open(life, world.hasCampaign);
  if (hadFacts && !ledger.continued) world.counts.add('begun anew');
  watch.began(ledger.continued);
  const delivery = network.wayOf(life, SIMULATED);
  const settings = settingsOf(scenario, input, limit.inForce);
  const pause = (): Promise<void> =>
    life.call(() => new Promise((resolve) => timeline.after(1, () => life.tell(resolve))));
  return runImport({
    chunks: inTurn(input.chunks, pause),
    ledger: sabotage.ledger?.(ledger) ?? ledger,
    center: sabotage.delivery?.(delivery) ?? delivery,
    ...{ seen: createSeen(), clock: life.clock, random },
    signal: sabotage.signal?.(life.signal) ?? life.signal,
    onProgress: (state) => Object.assign(outcomes, state.outcomes),
    ...(sabotage.settings?.(settings) ?? settings),
  });
}

/** The retry budget: a few at once, a share of the requests, and beyond that a trickle a second. */
const RETRIES = 50;
const RETRY_SHARE = 0.1;
const SLOW_RETRIES = 10;

/** What is known of a process that has ended by itself. */
interface Spent {
  readonly outcomes: OutcomeCounts;
  readonly requests: number;
  readonly seconds: number;
}

/** Whether the run is over; else whoever runs it starts it again after a while. */
function judgeEnd(world: World, end: ImportEnd, spent: Spent): boolean {
  const { violations, violated, counts, timeline, disk, hasCampaign } = world;
  if (violations.length > 0) return false;
  checkCounts(world, end, spent);
  checkAccount(world);
  if (end.stopped) {
    judgeStop(world, end.stopped, spent);
    counts.add('stops');
    timeline.pass(RESTART_MS);
    return false;
  }
  if (world.watch.idleSince() !== null) violated('the run was asked to end, and does not say so');
  const { inForce } = world.limit;
  if (inForce && isTooMany(badIn(spent.outcomes), inForce, world.input.rows.length))
    violated(`the run went on with ${JSON.stringify(spent.outcomes)}`);
  const rows = disk.rows(hasCampaign);
  // What the importer counted while it worked is what its facts say.
  const [counted, told] = [countsOf(rows), spent.outcomes].map((one) => JSON.stringify(one));
  if (counted !== told) violated(`counted ${told}, recorded ${counted}`);
  if (rows.every(({ outcome }) => outcome !== 'unknown')) return true;
  counts.add('open');
  checkUnknown(world, rows);
  timeline.pass(RESTART_MS);
  return false;
}

function checkCounts({ violated }: World, { requests, retries }: ImportEnd, spent: Spent): void {
  if (requests !== spent.requests)
    violated(`${spent.requests} requests left, ${requests} are told`);
  if (retries > RETRIES + requests * RETRY_SHARE + spent.seconds * SLOW_RETRIES)
    violated(`${retries} retries among ${requests} requests`);
}

/** Every row that is on record is in the report, once, or waits to be sent. */
function checkAccount({ violated, disk, input, hasCampaign }: World): void {
  const ordinals = disk.rows(hasCampaign).map(({ ordinal }) => ordinal);
  const waiting = disk.waiting(hasCampaign).rows;
  const recorded = input.chunks
    .filter((_, chunk) => disk.factsOf(chunk).length > 0)
    .reduce((all, { count }) => all + count, 0);
  const told = new Set(ordinals).size;
  if (told < ordinals.length || told + waiting !== recorded)
    violated(`${recorded} rows are on record, ${told} told, ${waiting} wait`);
}

/** What a chunk that is being read may take. */
const READING_MS = 2;
/** Writes one after the other in which a process may put on record what it learned last. */
const LAST_WRITES = 6;

/** A run stops for a reason, and at once. */
function judgeStop(world: World, stopped: Error, { outcomes }: Spent): void {
  const { violated, counts, timeline, scenario, limit, watch, disk, input } = world;
  if (!(stopped instanceof StopRun || stopped instanceof LedgerError))
    violated(`the run stopped: ${stopped.message}`);
  const idleSince = watch.idleSince();
  const idleMs = timeline.now() - (idleSince ?? timeline.now());
  if (idleMs > LAST_WRITES * scenario.flushMs + READING_MS)
    violated(`the run was asked to end and had nothing to do for ${idleMs} ms`);
  if (stopped.message === INTERRUPTED) {
    counts.add('interrupted');
    if (idleSince === null) violated('the run was interrupted by nobody');
  }
  if (/first rows failed/.test(stopped.message)) {
    counts.add('sick canaries');
    // Also what earlier processes of the run have sent.
    const sent = { ...countsOf(disk.rows(world.hasCampaign)), rejected: 0 };
    const permitted = limit.inForce ?? { count: 0 };
    if (scenario.canary === 0 || !isTooMany(badIn(sent), permitted, scenario.canary))
      violated(`the canary is called sick with ${JSON.stringify(sent)}`);
  }
  if (/that are allowed/.test(stopped.message)) {
    counts.add('too many failures');
    const { inForce } = limit;
    if (!inForce || !isTooMany(badIn(outcomes), inForce, input.rows.length))
      violated(`the run stopped with ${JSON.stringify(outcomes)}`);
    limit.inForce = null;
  }
}

const badIn = ({ failed, enqueue_failed, rejected, unknown }: OutcomeCounts): number =>
  failed + enqueue_failed + rejected + unknown;

export function countsOf(rows: readonly RowReport[]): OutcomeCounts {
  const counts = noOutcomes();
  for (const { outcome } of rows) counts[outcome]++;
  return counts;
}

/** How often at least the importer has to ask in vain before it may leave a client unknown. */
const TRIES = 5;

function checkUnknown({ input, watch, violated }: World, rows: readonly RowReport[]): void {
  for (const { outcome, ordinal } of rows) {
    const offerId = input.rows[ordinal]?.offerId;
    if (outcome !== 'unknown' || typeof offerId !== 'number') continue;
    const tries = watch.inVain(offerId);
    if (tries < TRIES) violated(`client ${offerId} is unknown after ${tries} vain tries`);
  }
}
