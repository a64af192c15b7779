import { LedgerError, INTERRUPTED, StopRun } from '../../src/core/errors.js';
import { type OutcomeCounts, noOutcomes } from '../../src/core/outcome.js';
import type { RowReport } from '../../src/core/report.js';
import type { FailureLimit } from '../../src/delivery/failures.js';
import type { ImportEnd } from '../../src/delivery/sending.js';
import type { World } from './world.js';

/** How long until somebody starts a run again that has stopped. */
const RESTART_MS = 30_000;
/** The retry budget: a few at once, a share of the requests, and beyond that a trickle a second. */
const RETRIES = 50;
const RETRY_SHARE = 0.1;
const SLOW_RETRIES = 10;

/** What is known of a process that has ended by itself. */
export interface Spent {
  readonly outcomes: OutcomeCounts;
  readonly requests: number;
  readonly seconds: number;
}

/** Whether the run is over; else whoever runs it starts it again after a while. */
export function judgeEnd(world: World, end: ImportEnd, spent: Spent): boolean {
  const { violations, counts, timeline, disk, scenario } = world;
  if (violations.length > 0) return false;
  checkCounts(world, end, spent);
  checkAccount(world);
  if (end.stopped) {
    judgeStop(world, end.stopped, spent);
    counts.stops++;
    timeline.pass(RESTART_MS);
    return false;
  }
  if (world.watch.idleSince() !== null)
    violations.push('the run was asked to end, and does not say so');
  const { inForce } = world.limit;
  if (inForce && exceeds(spent.outcomes, inForce, world.input.rows.length))
    violations.push(`the run went on with ${JSON.stringify(spent.outcomes)}`);
  const rows = disk.rows(scenario.campaign !== 'none');
  compareCounts(world, rows, spent.outcomes);
  if (rows.every(({ outcome }) => outcome !== 'unknown')) return true;
  counts.open++;
  checkUnknown(world, rows);
  timeline.pass(RESTART_MS);
  return false;
}

function checkCounts({ violations }: World, { requests, retries }: ImportEnd, spent: Spent): void {
  if (requests !== spent.requests)
    violations.push(`${spent.requests} requests left, ${requests} are told`);
  if (retries > RETRIES + requests * RETRY_SHARE + spent.seconds * SLOW_RETRIES)
    violations.push(`${retries} retries among ${requests} requests`);
}

/** Every row that is on record is in the report, once, or waits to be sent. */
function checkAccount({ violations, disk, input, scenario }: World): void {
  const campaign = scenario.campaign !== 'none';
  const ordinals = disk.rows(campaign).map(({ ordinal }) => ordinal);
  const waiting = disk.waiting(campaign).rows;
  const recorded = input.chunks
    .filter((_, chunk) => disk.factsOf(chunk).length > 0)
    .reduce((sum, { count }) => sum + count, 0);
  const told = new Set(ordinals).size;
  if (told < ordinals.length || told + waiting !== recorded)
    violations.push(`${recorded} rows are on record, ${told} told, ${waiting} wait`);
}

/** What a chunk that is being read may take. */
const READING_MS = 2;
/** Writes one after the other in which a process may put on record what it learned last. */
const LAST_WRITES = 6;

/** A run stops for a reason, and at once. */
function judgeStop(world: World, stopped: Error, { outcomes }: Spent): void {
  const { violations, counts, timeline, scenario, limit, watch, disk } = world;
  if (!(stopped instanceof StopRun || stopped instanceof LedgerError))
    violations.push(`the run stopped: ${stopped.message}`);
  const idleSince = watch.idleSince();
  const idleMs = timeline.now() - (idleSince ?? timeline.now());
  if (idleMs > LAST_WRITES * scenario.flushMs + READING_MS)
    violations.push(`the run was asked to end and had nothing to do for ${idleMs} ms`);
  if (stopped.message === INTERRUPTED) {
    counts.interrupted++;
    if (idleSince === null) violations.push('the run was interrupted by nobody');
  }
  if (/first rows failed/.test(stopped.message)) {
    counts['sick canaries']++;
    // Also what earlier processes of the run have sent.
    const sent = { ...countsOf(disk.rows(scenario.campaign !== 'none')), rejected: 0, skipped: 0 };
    const canary = limit.inForce ?? { count: 0 };
    if (scenario.canary === 0 || !exceeds(sent, canary, scenario.canary))
      violations.push(`the canary is called sick with ${JSON.stringify(sent)}`);
  }
  if (/that are allowed/.test(stopped.message)) {
    counts['too many failures']++;
    const { inForce } = limit;
    if (!inForce || !exceeds(outcomes, inForce, world.input.rows.length))
      violations.push(`the run stopped with ${JSON.stringify(outcomes)}`);
    limit.inForce = null;
  }
}

/** Whether so many rows have failed that the run has to stop, however the others end. */
function exceeds(outcomes: OutcomeCounts, limit: FailureLimit, all: number): boolean {
  const bad = outcomes.failed + outcomes.enqueue_failed + outcomes.rejected + outcomes.unknown;
  return 'count' in limit ? bad > limit.count : bad * 100 > limit.percent * all;
}

/** What the importer counted while it worked is what its facts say. */
function compareCounts({ violations }: World, rows: readonly RowReport[], told: OutcomeCounts) {
  const counted = countsOf(rows);
  if (JSON.stringify(counted) !== JSON.stringify(told))
    violations.push(`counted ${JSON.stringify(told)}, recorded ${JSON.stringify(counted)}`);
}

function countsOf(rows: readonly RowReport[]): OutcomeCounts {
  const counts = noOutcomes();
  for (const { outcome } of rows) counts[outcome]++;
  return counts;
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
