import {
  LedgerError,
  LedgerInUseError,
  RunTakenError,
  CanaryStop,
  TooManyStop,
} from '../../../src/core/errors.js';
import type { MayBegin } from '../../../src/core/ledger.js';
import { factAppender } from '../../../src/ledger/postgres.js';
import type { Queries } from '../../../src/ledger/database.js';
import { type KeptLease, type LookAgain, patiently } from '../../../src/ledger/lease.js';
import { runTaken } from '../../../src/ledger/store.js';
import { type RunRequest, LEASE_TIMES } from '../../../src/ledger/port.js';
import { runImport } from '../../../src/delivery/import.js';
import { ledgerOn } from '../disk.js';
import { createSeen, inTurn } from '../input.js';
import type { Life } from '../life.js';
import { isReading } from '../network.js';
import { untilOver } from '../timeline.js';
import type { Tale } from '../world.js';
import type { Starter, Takeover } from './story.js';
import { type OpenedOnce, Tables } from './tables.js';
import {
  type Ask,
  type Sabotage,
  type World as MachinesWorld,
  NO_CONNECTIONS,
  again,
  checkRun,
  createWorld,
  importSettings,
  keptLease,
  rowsOf,
  settleArrivals,
  wayOf,
} from './world.js';

interface World extends MachinesWorld<Tables, Takeover> {
  /** When a process stopped last for its canary. */
  readonly sick: { at: number };
}

/** After how long somebody begins the import again that has not come to its end. */
const RESTART_MS = 20_000;

const REQUEST: RunRequest = {
  identity: {
    ...{ inputs: ['leads.csv'], content: 'cc', mapping: 'mm', campaignId: 1 },
    installation: 'demo http://localhost offerId',
  },
  settings: {},
  out: () => 'runs',
};

/**
 * The same import on several machines, which are killed, paused, put to sleep and cut off, until it is at its end. The same
 * story gives the same tale.
 * @throws Error that names what must not have been.
 */
export async function simulateTakeover(story: Takeover, sabotage: Sabotage = {}): Promise<Tale> {
  const tablesOn = (timeline: World['timeline']) =>
    new Tables(timeline, story.ledger === 'file', sabotage.unfenced);
  const world: World = {
    ...createWorld(story, sabotage, tablesOn, ['refused', 'lost', 'facts refused']),
    sick: { at: -Infinity },
  };
  const { violations, tables, counts } = world;
  await untilOver(
    world,
    Promise.all(story.starters.map((starter, place) => startAgain(world, starter, place))),
    { hours: 12 },
  );
  const state = tables.row?.state;
  if (violations.length === 0 && state !== 'finished')
    violations.push(`the run is ${state} on record`);
  checkRun(world);
  counts.addAll(new Map(Object.entries(tables.counts)));
  return { counts };
}

/** Begins the import, and again whenever it has not come to its end. */
async function startAgain(world: World, starter: Starter, place: number): Promise<void> {
  const { at, rate, troubles, preparesMs } = starter;
  await new Promise<void>((resolve) => world.timeline.after(at, resolve));
  const isReplaced = world.story.starters.length === 1;
  const started = { place, rate, troubles, restartMs: RESTART_MS, isReplaced };
  await again(world, started, (machine, ask) => command(world, machine, ask, preparesMs));
}

/** One command; resolves with whether the import is at its end. */
async function command(
  world: World,
  machine: Life,
  ask: Ask<Tables>,
  preparesMs: number,
): Promise<boolean> {
  const { counts } = world;
  try {
    const taken = await open(world, machine, ask, preparesMs);
    return taken === 'done' || (await workOn(world, machine, ask, taken));
  } catch (error) {
    if (error instanceof RunTakenError) counts.add('lost');
    else if (error instanceof LedgerInUseError) counts.add('refused');
    else if (!(error instanceof LedgerError)) throw error;
    return false;
  }
}

interface Taken extends OpenedOnce {
  readonly begun: number;
  readonly kept: KeptLease | null;
}

async function open(
  world: World,
  machine: Life,
  ask: Ask<Tables>,
  preparesMs: number,
): Promise<Taken | 'done'> {
  const { timeline, story, sabotage, tables } = world;
  const begun = timeline.now();
  await machine.sleep(preparesMs);
  const openOnce = async (lookAgain: LookAgain): Promise<Taken | 'done'> => {
    const opened = await ask(async () => {
      await lookAgain(leasesAtOnce(tables));
      const begunMs = sabotage.forgetsBegin ? 0 : timeline.now() - begun;
      const found = tables.open(REQUEST, machine, begunMs);
      if (found.kind === 'open') settleArrivals(world, null);
      return found;
    });
    if (opened.kind === 'done') return 'done';
    if (opened.kind !== 'open') throw new Error(`The run is ${opened.kind}.`);
    return { ...opened, begun, kept: null };
  };
  if (story.ledger === 'file') return openOnce(() => Promise.resolve());
  // The moment before the statement is sent, as the process has it.
  const before = { at: machine.now() };
  const found = await patiently(
    { ...NO_CONNECTIONS, rows: <Row>() => ask((now) => now.leases() as Row[]) },
    LEASE_TIMES,
    (lookAgain) => {
      before.at = machine.now();
      return openOnce(lookAgain);
    },
    { clock: { now: () => machine.now().monotonic, sleep: (ms) => machine.sleep(ms) } },
  );
  if (found === 'done') return found;
  const { epoch } = found;
  const lease = {
    renew: () => ask((now) => now.renew(epoch)),
    giveBack: () => ask((now) => now.giveBack(epoch)),
  };
  return { ...found, kept: keptLease(world, machine, lease, before.at) };
}

// Of this sim's one statement with rows, only what it finds is of interest.
const leasesAtOnce = (tables: Tables): Queries => ({
  ...NO_CONNECTIONS,
  rows: <Row>() => Promise.resolve(tables.leases() as Row[]),
});

/** Sends the rows of a run that was opened; resolves with whether it is at its end. */
async function workOn(
  world: World,
  machine: Life,
  ask: Ask<Tables>,
  { epoch, continued, brokeOff, begun, kept }: Taken,
): Promise<boolean> {
  const { tables, sabotage, random, input, counts, limit, sick, hasCampaign } = world;
  const mayBegin: MayBegin = () =>
    kept === null || (kept.isLost() ? runTaken('simulated') : kept.isHeld());
  const facts = factAppender(NO_CONNECTIONS, 'simulated', (all) =>
    ask((now) => now.append(epoch, all)),
  );
  const settings = importSettings(world, limit.inForce);
  try {
    const { stopped } = await runImport({
      chunks: inTurn(input.chunks),
      ledger: ledgerOn(tables.facts, hasCampaign, {
        ...{ continued, brokeOff },
        record: (chunk, all) => facts.append(chunk, all),
        factsOf: (chunk) => ask((now) => now.facts.factsOf(chunk)),
        rows: () => ask(() => rowsOf(world)),
        waiting: () => ask((now) => now.facts.waiting(hasCampaign)),
      }),
      ...{ random, seen: createSeen(), clock: machine.clock, signal: machine.signal },
      center: senderOf(world, machine, mayBegin, epoch, begun),
      ...(sabotage.settings?.(settings) ?? settings),
    });
    await facts.idle();
    if (stopped instanceof RunTakenError) throw stopped;
    const isSick = stopped instanceof CanaryStop;
    if (stopped instanceof TooManyStop) {
      counts.add('too many failures');
      limit.inForce = null;
    }
    const unknown = rowsOf(world).some(({ outcome }) => outcome === 'unknown');
    const state = stopped ? 'stopped' : unknown ? 'open' : 'finished';
    const isOwn = await ask((now) => {
      const isRecorded = now.end(epoch, state);
      if (isRecorded && !now.isOwn(epoch))
        world.violated(`"${state}" is put on record although the run is another's`);
      if (isRecorded && isSick) sick.at = world.timeline.now();
      return isRecorded;
    });
    if (!isOwn) throw runTaken('simulated');
    if (isSick) counts.add('canary failed');
    return state === 'finished';
  } finally {
    if (kept) await kept.release(true).catch(() => undefined);
    else tables.giveBack(epoch);
  }
}

function senderOf(
  world: World,
  machine: Life,
  mayBegin: MayBegin,
  epoch: number,
  begun: number,
): ReturnType<typeof wayOf> {
  const { violated, tables, sick, canary } = world;
  return wayOf(world, machine, null, mayBegin, (request, what) => {
    if (!tables.isOwn(epoch)) violated(`${what} although the run is another's`);
    if (isReading(request)) return;
    if (begun < sick.at && request.offerIds.some((offerId) => !canary.has(offerId)))
      violated(`${what}, by a command that began before the canary had stopped`);
  });
}
