import { LedgerError, LedgerInUseError } from '../../../src/core/errors.js';
import { noOutcomes } from '../../../src/core/outcome.js';
import { reportRows } from '../../../src/core/facts.js';
import type { RunLedger } from '../../../src/core/ledger.js';
import type { Moment } from '../../../src/core/time.js';
import { type FailureLimit, exceeds, runImport } from '../../../src/delivery/import.js';
import type { NumberedChunk } from '../../../src/fleet/fleet.js';
import type { ImportSettings } from '../../kit/import-settings.js';
import { ledgerOn } from '../disk.js';
import { canaryOf, createSeen, inTurn, isTooMany } from '../input.js';
import type { Life } from '../life.js';
import { type FactAppender, factAppender } from '../../../src/ledger/postgres.js';
import type { SharedStop } from '../../../src/ledger/port.js';
import { failedRows } from '../../../src/ledger/shared.js';
import { isReading } from '../network.js';
import type { Database, Fence, TakenPiece, Tally } from './database.js';
import type { SharedRun } from './story.js';
import {
  type Ask,
  type World as MachinesWorld,
  NO_CONNECTIONS,
  clockOf,
  importSettings,
  keptLease,
  settleArrivals,
  wayOf,
} from './world.js';

export type World = MachinesWorld<Database, SharedRun>;

/** How often a process looks for pieces: less often than a real one, so that fewer events pass. */
const POLL_MS = 2000;
/** How long it rests when nothing can be sent. */
const REST_MS = 30_000;

interface Taken extends TakenPiece {
  /** When the statement that took it was sent. */
  readonly at: Moment;
}

/** One process that takes pieces until it is stopped, or the run is at its end. */
export async function workOnce(
  world: World,
  machine: Life,
  ask: Ask<Database>,
  maxPieces: number,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let restsUntil = 0;
  while (!machine.signal.aborted && world.tables.outcomes() === null) {
    if (underWay.size < maxPieces && world.timeline.now() >= restsUntil) {
      const taken = await take(world, machine, ask);
      if (taken) {
        const task: Promise<void> = workOnPiece(world, machine, ask, taken)
          .then((rests) => {
            if (rests) restsUntil = world.timeline.now() + REST_MS;
          })
          .finally(() => underWay.delete(task));
        underWay.add(task);
        continue;
      }
    }
    await machine.sleep(Math.max(POLL_MS, restsUntil - world.timeline.now()));
  }
  await Promise.all(underWay);
}

async function take(world: World, machine: Life, ask: Ask<Database>): Promise<Taken | undefined> {
  const before = clockOf(world.sabotage, machine).now();
  try {
    const taken = await ask((tables) => {
      const found = tables.take();
      if (found && found.epoch > 1) settleArrivals(world, found.number);
      return found;
    });
    return taken && { ...taken, at: before };
  } catch (error) {
    if (error instanceof LedgerError) return undefined;
    throw error;
  }
}

/** Resolves with whether nothing could be sent. */
async function workOnPiece(
  world: World,
  machine: Life,
  ask: Ask<Database>,
  taken: Taken,
): Promise<boolean> {
  const { number, epoch, at } = taken;
  const { counts } = world;
  const lease = {
    renew: () => ask((tables) => tables.renewPiece(number, epoch)),
    giveBack: () => ask((tables) => tables.giveBack(number, epoch)),
  };
  const kept = keptLease(world, machine, lease, at);
  try {
    const stopped = await sendPiece(world, machine, ask, taken, () => kept.isHeld());
    if (stopped === 'ended') return false;
    if (stopped instanceof LedgerInUseError || !kept.isHeld()) {
      counts.add('pieces lost');
      return false;
    }
    counts.add('pieces given back');
    await kept.release(true);
    await ask((tables) => tables.offerAgain(number));
    return !(stopped instanceof LedgerError);
  } catch (error) {
    if (error instanceof LedgerError || error instanceof LedgerInUseError) return false;
    throw error;
  } finally {
    await kept.release(false);
  }
}

/** Resolves with why it stopped. */
async function sendPiece(
  world: World,
  machine: Life,
  ask: Ask<Database>,
  taken: Taken,
  isHeld: () => boolean,
): Promise<Error | 'ended'> {
  const { number, epoch, chunks } = taken;
  const { tables, violated, sabotage, random } = world;
  let outcomes = noOutcomes();
  const over = new AbortController();
  const facts = appender(
    ask,
    { kind: 'piece', number, epoch },
    (failed) => ({ failed, unknown: outcomes.unknown }),
    () => {
      if (!sabotage.isDeaf) over.abort();
    },
  );
  // Whoever had the piece before may have lost answers.
  let isUnsettled = epoch > 1;
  const ledger = await ledgerOf(world, ask, chunks, (chunk, all) => {
    isUnsettled ||= all.some(({ kind }) => kind.endsWith('_unknown'));
    return facts.append(chunk, all);
  });
  const settings = {
    ...importSettings(world, null),
    ...canaryShare(world, ask, taken),
  };
  const { stopped } = await runImport({
    chunks: inTurn(chunks),
    ...{ ledger, random, seen: createSeen() },
    center: senderOf(world, machine, number, isHeld, () => tables.isHeldBy(number, epoch)),
    clock: machine.clock,
    signal: AbortSignal.any([machine.signal, over.signal]),
    onOpen: (state) => {
      outcomes = state.outcomes;
    },
    ...(sabotage.settings?.(settings) ?? settings),
  });
  await facts.idle();
  if (stopped) return stopped;
  const rows = chunks.reduce((sum, { count }) => sum + count, 0);
  const ended = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  if (rows !== ended) violated(`of ${rows} rows of piece ${number}, ${ended} have ended`);
  const unsettledMs = isUnsettled ? world.story.scenario.serverDeadlineMs : 0;
  if (!(await ask((tables) => tables.endPiece(number, epoch, outcomes, unsettledMs))))
    world.counts.add('pieces lost');
  return 'ended';
}

/** The canary, as far as it is left to a piece. */
function canaryShare(
  world: World,
  ask: Ask<Database>,
  { number, epoch, canary, maxFailures }: Taken,
): Pick<ImportSettings, 'canary' | 'canaryShare'> {
  if (!canary) return { canary: 0 };
  const { sabotage, story } = world;
  const canaryShare = (failed: number): Promise<boolean> =>
    ask((tables) =>
      tables.endCanary(number, epoch, (now) => {
        const limit = (sabotage.keepsLimit ? maxFailures : now) ?? NONE;
        const passes = !exceeds(canary.failed + failed, limit, story.scenario.canary);
        checkCanary(world, now ?? NONE, passes);
        return passes;
      }),
    );
  return { canary: canary.clients, canaryShare };
}

const NONE: FailureLimit = { count: 0 };

/**
 * A canary that is decided on has ended, and well enough or not, by what is on record and the limit of the last command.
 * A row of a machine before, of which the contact center cannot be asked, stays on record as it was, and counts as failed.
 */
function checkCanary(
  { tables, input, story: { scenario }, counts, violated }: World,
  limit: FailureLimit,
  passes: boolean,
): void {
  const { bad, onTheWay } = canaryOf(input, scenario, tables.facts.factsOf);
  if (onTheWay === null) violated('the canary is decided on before it has ended');
  const failed = bad + (onTheWay ?? 0);
  if (passes === isTooMany(failed, limit, scenario.canary))
    violated(`the canary ${passes ? 'passes' : 'does not pass'} although ${failed} of it failed`);
  if (passes) counts.add('canary passed');
}

async function ledgerOf(
  { sabotage, tables, hasCampaign }: World,
  ask: Ask<Database>,
  chunks: readonly NumberedChunk[],
  record: RunLedger['record'],
): Promise<RunLedger> {
  const later = await ask(
    (now) =>
      new Map(
        chunks.map(({ number, read }) => [
          number,
          [
            { kind: 'read' as const, data: read },
            ...now.facts
              .factsOf(number)
              .filter(({ kind }) => kind !== 'read')
              .filter(({ kind }) => !sabotage.forgetsIntents || !/creating|enqueuing/.test(kind)),
          ],
        ]),
      ),
  );
  return ledgerOn(tables.facts, hasCampaign, {
    ...{ continued: true, record },
    factsOf: (chunk) => Promise.resolve(later.get(chunk) ?? []),
    rows: () => Promise.resolve(reportRows(later.values(), hasCampaign)),
    waiting: () => Promise.resolve({ rows: 0, withCard: 0 }),
  });
}

/** Puts facts on record; `tally`: what is counted beside the failed rows among them. */
export function appender(
  ask: Ask<Database>,
  fence: Fence,
  tally: (failed: number) => Tally,
  onStop: (stop: SharedStop) => void = () => undefined,
): FactAppender {
  return factAppender(
    NO_CONNECTIONS,
    'simulated',
    async (facts, counted) => {
      const { appended, stop } = await ask((tables) => tables.append(fence, facts, tally(counted)));
      if (stop) onStop(stop);
      return appended;
    },
    (facts) => failedRows(facts, 'create'),
  );
}

/** The way to the contact center for one process and one piece. `isHeld`: whether the process knows it as its own. */
export function senderOf(
  world: World,
  machine: Life,
  piece: number | null,
  isHeld: () => boolean,
  isOwn: () => boolean = () => true,
): ReturnType<typeof wayOf> {
  const { tables, input, canary, violated } = world;
  return wayOf(world, machine, piece, isHeld, (request, what) => {
    const { offerIds } = request;
    if (!isOwn()) violated(`${what} although piece ${piece} is another's`);
    if (isReading(request)) return;
    if (piece !== null && tables.isWaiting(piece))
      violated(`${what} before the pieces for which piece ${piece} waits have ended`);
    const places = offerIds.flatMap((offerId) => input.placeOf.get(offerId) ?? []);
    if (places.some(({ chunk, at }) => tables.wasSentInVain(chunk, at)))
      violated(`${what}, which began after the run had stopped`);
    if (tables.isGated && offerIds.some((offerId) => !canary.has(offerId)))
      violated(`${what} before the canary has passed`);
  });
}
