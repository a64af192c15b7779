import {
  LedgerError,
  LedgerInUseError,
  NotSentError,
  CanaryStop,
} from '../../../src/core/errors.js';
import { noOutcomes } from '../../../src/core/outcome.js';
import { foldChunk, reportRows } from '../../../src/core/facts.js';
import type { RunLedger } from '../../../src/core/ledger.js';
import type { Moment } from '../../../src/core/time.js';
import { type LeaseClock, keepLine } from '../../../src/ledger/lease.js';
import { LEASE_TIMES } from '../../../src/ledger/port.js';
import { runImport } from '../../../src/delivery/import.js';
import type { ImportSettings } from '../../kit/import-settings.js';
import type { NumberedChunk } from '../../../src/fleet/fleet.js';
import { exceeds } from '../../../src/delivery/failures.js';
import { BAD_STAGES } from '../watch/canary.js';
import { createSeen, settingsOf } from '../process.js';
import type { TakenPiece } from './database.js';
import type { Machine } from './machine.js';
import type { Wire } from './wire.js';
import { type World, createSender, settleArrivals } from './world.js';

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
  machine: Machine,
  wire: Wire,
  maxPieces: number,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let restsUntil = 0;
  while (!machine.signal.aborted && world.database.outcomes() === null) {
    if (underWay.size < maxPieces && world.timeline.now() >= restsUntil) {
      const taken = await take(world, machine, wire);
      if (taken) {
        const task: Promise<void> = workOnPiece(world, machine, wire, taken)
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

async function take(world: World, machine: Machine, wire: Wire): Promise<Taken | undefined> {
  const before = clocksOf(world, machine).now();
  try {
    const taken = await wire.ask((tables) => {
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

function clocksOf({ sabotage }: World, machine: Machine): LeaseClock {
  if (!sabotage.hasOneClock) return machine;
  const now = () => ({ ...machine.now(), wall: -Infinity });
  return { ...machine, now };
}

/** Resolves with whether nothing could be sent. */
async function workOnPiece(
  world: World,
  machine: Machine,
  wire: Wire,
  taken: Taken,
): Promise<boolean> {
  const { number, epoch, at } = taken;
  const { counts } = world;
  const kept = keepLine(
    {
      renew: () => wire.ask((tables) => tables.renewPiece(number, epoch)),
      giveBack: () => wire.ask((tables) => tables.giveBack(number, epoch)),
    },
    ...([LEASE_TIMES, at, clocksOf(world, machine)] as const),
  );
  try {
    const stopped = await sendPiece(world, machine, wire, taken, () => kept.isHeld());
    if (stopped === 'ended') return false;
    if (stopped instanceof LedgerInUseError || !kept.isHeld()) {
      counts['pieces lost']++;
      return false;
    }
    counts['pieces given back']++;
    await kept.release(true);
    await wire.ask((tables) => tables.offerAgain(number));
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
  machine: Machine,
  wire: Wire,
  taken: Taken,
  isHeld: () => boolean,
): Promise<Error | 'ended'> {
  const { number, epoch, chunks } = taken;
  const { database, violations, sabotage, random } = world;
  let outcomes = noOutcomes();
  const over = new AbortController();
  const facts = wire.appender(
    { kind: 'piece', number, epoch },
    (failed) => ({ failed, unknown: outcomes.unknown }),
    () => {
      if (!sabotage.isDeaf) over.abort();
    },
  );
  // Whoever had the piece before may have lost answers.
  let isUnsettled = epoch > 1;
  const ledger = await ledgerOf(world, wire, chunks, (chunk, all) => {
    isUnsettled ||= all.some(({ kind }) => kind.endsWith('_unknown'));
    return facts.append(chunk, all);
  });
  const network = createSender(world, machine, number, () => database.isHeldBy(number, epoch));
  const settings = {
    ...settingsOf({ ...world, limit: { inForce: null } }),
    ...canaryOf(world, wire, taken),
  };
  const { stopped } = await runImport({
    chunks: inOrder(chunks),
    ...{ ledger, random, seen: createSeen() },
    center: network.deliveryOf(looking(world, machine, isHeld)),
    clock: machine.clock,
    signal: AbortSignal.any([machine.signal, over.signal]),
    onOpen: (state) => {
      outcomes = state.outcomes;
    },
    ...(sabotage.settings?.(settings) ?? settings),
  });
  await facts.idle();
  if (stopped instanceof CanaryStop)
    await wire.ask((tables) => tables.endCanary(number, epoch, false));
  if (stopped) return stopped;
  const rows = chunks.reduce((sum, { count }) => sum + count, 0);
  const ended = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  if (rows !== ended) violations.push(`of ${rows} rows of piece ${number}, ${ended} have ended`);
  const unsettledMs = isUnsettled ? world.scenario.serverDeadlineMs : 0;
  if (!(await wire.ask((tables) => tables.endPiece(number, epoch, outcomes, unsettledMs))))
    world.counts['pieces lost']++;
  return 'ended';
}

/** The canary, as far as it is left to a piece. */
function canaryOf(
  world: World,
  wire: Wire,
  { number, epoch, canary }: Taken,
): Pick<ImportSettings, 'canary' | 'canaryShare'> {
  if (!canary) return { canary: 0 };
  const { clients, failed } = canary;
  const { scenario, limit, counts } = world;
  const passed = async (): Promise<void> => {
    checkCanary(world);
    await wire.ask((tables) => tables.endCanary(number, epoch, true));
    counts['canary passed']++;
  };
  const share = { clients: scenario.canary, failed, limit: limit.inForce ?? undefined, passed };
  return { canary: clients, canaryShare: share };
}

/** A canary that is found to have passed has ended, and well enough, by what is on record. */
function checkCanary({ canary, database, input, scenario, limit, violations }: World): void {
  const stages = [...canary].map((offerId) => {
    const place = input.placeOf.get(offerId);
    const states = place && foldChunk(database.factsOf(place.chunk))?.states;
    return states?.[place?.at ?? -1]?.stage ?? 'pending';
  });
  const good = scenario.campaign === 'none' ? 'created' : 'enqueued';
  const bad = stages.filter((stage) => BAD_STAGES.has(stage)).length;
  if (stages.some((stage) => stage !== good && !BAD_STAGES.has(stage)))
    violations.push('the canary passes before it has ended');
  if (exceeds(bad, limit.inForce ?? { count: 0 }, scenario.canary))
    violations.push(`the canary passes although ${bad} of it failed`);
}

/** The lease is looked at in the very turn in which a request leaves. */
function looking({ sabotage, counts }: World, machine: Machine, isHeld: () => boolean): Machine {
  if (sabotage.isBlind) return machine;
  return {
    ...machine,
    call: (start) =>
      machine.call(() => {
        if (isHeld()) return start();
        counts['requests held back']++;
        return Promise.reject(new NotSentError('Given up before it was sent.', 'any'));
      }),
  };
}

async function* inOrder(
  chunks: readonly NumberedChunk[],
): AsyncGenerator<NumberedChunk, void, undefined> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

async function ledgerOf(
  { sabotage, scenario }: World,
  wire: Wire,
  chunks: readonly NumberedChunk[],
  record: RunLedger['record'],
): Promise<RunLedger> {
  const later = await wire.ask(
    (tables) =>
      new Map(
        chunks.map(({ number, read }) => [
          number,
          [
            { kind: 'read' as const, data: read },
            ...tables
              .factsOf(number)
              .filter(({ kind }) => kind !== 'read')
              .filter(({ kind }) => !sabotage.forgetsIntents || !/creating|enqueuing/.test(kind)),
          ],
        ]),
      ),
  );
  return {
    ...{ run: 'simulated', settlesAll: false, continued: true, record },
    factsOf: (chunk) => Promise.resolve(later.get(chunk) ?? []),
    rows: () => Promise.resolve(reportRows(later.values(), scenario.campaign !== 'none')),
    waiting: () => Promise.resolve({ rows: 0, withCard: 0 }),
    end: () => Promise.resolve(),
  };
}
