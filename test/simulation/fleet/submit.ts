import { duplicatesBy } from '../../../src/core/duplicates.js';
import { LedgerError, LedgerInUseError } from '../../../src/core/errors.js';
import type { RunLedger } from '../../../src/core/ledger.js';
import type { PreparedChunk } from '../../../src/core/prepared.js';
import type { NumberedChunk } from '../../../src/fleet/fleet.js';
import { type SharedStop, LEASE_TIMES } from '../../../src/ledger/port.js';

import { type Admitting, admitChunk } from '../../../src/delivery/admit.js';
import { allowedOf } from '../../../src/delivery/failures.js';
import { createSeen } from '../process.js';
import type { Machine } from './machine.js';
import type { Wire } from './wire.js';
import type { World } from './world.js';

/** How often it is looked whether another submitter still has the run. */
const AGAIN_MS = 1000;
/** How often it is looked how far workers have come. */
const LOOK_MS = 2000;

/** One process that hands the run over and waits for its end; resolves with whether that has come. */
export async function submitOnce(world: World, machine: Machine, wire: Wire): Promise<boolean> {
  try {
    return await submit(world, machine, wire);
  } catch (error) {
    if (error instanceof LedgerError || error instanceof LedgerInUseError) return false;
    throw error;
  }
}

async function submit(world: World, machine: Machine, wire: Wire): Promise<boolean> {
  const taken = await takeRun(machine, wire);
  if (!taken) return false;
  const { epoch } = taken;
  if (epoch > 1) world.counts['run taken over']++;
  const endRenewing = machine.every(LEASE_TIMES.renewMs, () => {
    wire.ask((tables) => tables.renewRun(epoch, LEASE_TIMES.leaseMs)).catch(() => undefined);
  });
  const tally = { rejected: 0, allowed: allowedIn(world) };
  const stopped: { by?: SharedStop } = {};
  const facts = wire.appender(
    { kind: 'run', epoch },
    () => tally,
    (stop) => (stopped.by ??= stop),
  );
  try {
    const canary = world.scenario.canary;
    const mayGoOn = await wire.ask((tables) => tables.limit(epoch, tally.allowed, canary));
    if (mayGoOn === undefined) return false;
    if (!mayGoOn) stopped.by = { by: 'canary', bad: 0 };
    const record: RunLedger['record'] = (chunk, all) => facts.append(chunk, all);
    const context = await admission(world, wire, record, tally);
    const isHanded = await handOver(world, machine, wire, { taken, context, stopped });
    return await awaitEnd(world, machine, wire, stopped, isHanded);
  } finally {
    endRenewing();
    await facts.idle();
    await wire.ask((tables) => tables.renewRun(epoch, -Infinity)).catch(() => undefined);
  }
}

function allowedIn({ limit, input }: World): number | null {
  return limit.inForce ? allowedOf(limit.inForce, input.rows.length) : null;
}

interface HandingOver {
  readonly taken: NonNullable<Awaited<ReturnType<typeof takeRun>>>;
  readonly context: Admitting;
  readonly stopped: { readonly by?: SharedStop };
}

/** Resolves with whether all pieces are handed over. */
async function handOver(
  world: World,
  machine: Machine,
  wire: Wire,
  { taken, context, stopped }: HandingOver,
): Promise<boolean> {
  const { epoch } = taken;
  let [piece, rows, next]: [NumberedChunk[], number, number] = [[], 0, taken.handed];
  let canary = taken.handed === 0 ? world.scenario.canary : 0;
  const hand = async (): Promise<boolean> => {
    const [chunks, number] = [piece, next];
    [piece, rows, next] = [[], 0, next + 1];
    const waits = world.story.waits[number % world.story.waits.length] ?? false;
    return wire.ask((tables) => tables.addPiece(epoch, number, chunks, waits));
  };
  for (const [number, chunk] of world.input.chunks.entries()) {
    await machine.sleep(1);
    if (machine.signal.aborted || stopped.by) return false;
    const { open } = await admitChunk(context, chunk, number);
    if (number < taken.chunks) continue;
    piece.push(withoutKeys(chunk, number));
    rows += chunk.count;
    const isCanary = canary > 0;
    canary -= open.reduce((sum, [, { members }]) => sum + members.length, 0);
    const isFull = rows >= world.story.pieceRows || (isCanary && canary <= 0);
    if (isFull && !(await hand())) return false;
  }
  if (taken.total !== null) return true;
  if (piece.length > 0 && !(await hand())) return false;
  return wire.ask((tables) => tables.close(epoch, next));
}

/** Waits for workers. Where the run stops, the person learns why, and starts it again with a limit that permits it. */
async function awaitEnd(
  world: World,
  machine: Machine,
  wire: Wire,
  stopped: { by?: SharedStop },
  isHanded: boolean,
): Promise<boolean> {
  const { counts, limit, scenario } = world;
  while (isHanded && !stopped.by && !machine.signal.aborted) {
    const { stop, outcomes } = await wire.ask((tables) => ({
      stop: tables.stop(),
      outcomes: tables.outcomes(),
    }));
    if (outcomes) return true;
    if (stop) stopped.by = stop;
    else await machine.sleep(LOOK_MS);
  }
  if (stopped.by?.by === 'failures') {
    if (!scenario.maxFailures) world.violations.push('stopped for failures that any may have');
    counts['too many failures']++;
    limit.inForce = null;
  }
  if (stopped.by?.by === 'canary') {
    counts['canary failed']++;
    await wire.ask((tables) => tables.knowCanary());
  }
  return false;
}

async function takeRun(machine: Machine, wire: Wire) {
  while (!machine.signal.aborted) {
    const taken = await wire.ask((tables) => tables.submit());
    if (taken) return taken;
    await machine.sleep(AGAIN_MS);
  }
  return undefined;
}

/** What puts chunks on record and leaves sending them to others, as an import that is shared does. */
async function admission(
  { scenario }: World,
  wire: Wire,
  record: RunLedger['record'],
  tally: { rejected: number },
): Promise<Admitting> {
  const continued = await wire.ask((tables) => tables.allFacts().length > 0);
  return {
    ledger: {
      ...{ run: 'simulated', continued, settlesAll: false, record },
      factsOf: (chunk) => wire.ask((tables) => tables.factsOf(chunk)),
      rows: () => Promise.resolve([]),
      waiting: () => Promise.resolve({ rows: 0, withCard: 0 }),
      end: () => Promise.resolve(),
    },
    ...{ duplicates: duplicatesBy('sync'), inputs: ['leads.csv'], seen: createSeen() },
    campaign: null,
    limits: { bytes: Infinity, clients: () => scenario.rows.length },
    mode: 'create',
    ended: (outcome, count) => {
      if (outcome === 'rejected') tally.rejected += count;
    },
  };
}

const NO_WORDS = new Uint32Array();

/** Duplicates have been found: keys are not handed over. */
function withoutKeys(chunk: PreparedChunk, number: number): NumberedChunk {
  const { clients } = chunk;
  const keyEnds = new Uint32Array(clients.at.length);
  return { ...chunk, number, clients: { ...clients, keys: NO_WORDS, keyEnds } };
}
