import { duplicatesBy } from '../../../src/core/duplicates.js';
import { LedgerError, LedgerInUseError } from '../../../src/core/errors.js';
import type { RunLedger } from '../../../src/core/ledger.js';
import type { PreparedChunk } from '../../../src/core/prepared.js';
import type { NumberedChunk } from '../../../src/fleet/fleet.js';
import { type SharedStop, LEASE_TIMES } from '../../../src/ledger/port.js';
import { type Admitting, admitChunk } from '../../../src/delivery/import.js';
import { type FailureLimit, allowedOf } from '../../../src/delivery/failures.js';
import { ledgerOn } from '../disk.js';
import { createSeen } from '../input.js';
import type { Life } from '../life.js';
import type { Database } from './database.js';
import { type World, appender } from './work.js';
import type { Ask } from './world.js';

/** How often it is looked whether another submitter still has the run. */
const AGAIN_MS = 1000;
/** How often it is looked how far workers have come. */
const LOOK_MS = 2000;

/** One process that hands the run over and waits for its end; resolves with whether that has come. */
export async function submitOnce(
  world: World,
  machine: Life,
  ask: Ask<Database>,
): Promise<boolean> {
  try {
    return await submit(world, machine, ask);
  } catch (error) {
    if (error instanceof LedgerError || error instanceof LedgerInUseError) return false;
    throw error;
  }
}

async function submit(world: World, machine: Life, ask: Ask<Database>): Promise<boolean> {
  const { limit, input } = world;
  const maxFailures = limit.inForce;
  const allowed = maxFailures && allowedOf(maxFailures, input.rows.length);
  const taken = await takeRun(machine, ask, maxFailures);
  if (!taken) return false;
  const { epoch } = taken;
  if (epoch > 1) world.counts.add('run taken over');
  const endRenewing = machine.every(LEASE_TIMES.renewMs, () => {
    ask((tables) => tables.renewRun(epoch, LEASE_TIMES.leaseMs)).catch(() => undefined);
  });
  const tally = { rejected: 0, allowed };
  const stopped: { by?: SharedStop } = {};
  const facts = appender(
    ask,
    { kind: 'run', epoch },
    () => tally,
    (stop) => (stopped.by ??= stop),
  );
  try {
    const canary = world.story.scenario.canary;
    const mayGoOn = await ask((tables) => tables.limit(epoch, tally.allowed, canary));
    if (mayGoOn === undefined) return false;
    if (!mayGoOn) stopped.by = { by: 'canary', bad: 0 };
    const record: RunLedger['record'] = (chunk, all) => facts.append(chunk, all);
    const context = await admission(world, ask, record, tally);
    const isHanded = await handOver(world, machine, ask, { taken, context, stopped });
    return await awaitEnd(world, machine, ask, stopped, isHanded);
  } finally {
    endRenewing();
    await facts.idle();
    await ask((tables) => tables.renewRun(epoch, -Infinity)).catch(() => undefined);
  }
}

interface HandingOver {
  readonly taken: NonNullable<Awaited<ReturnType<typeof takeRun>>>;
  readonly context: Admitting;
  readonly stopped: { readonly by?: SharedStop };
}

/** Resolves with whether all pieces are handed over. */
async function handOver(
  world: World,
  machine: Life,
  ask: Ask<Database>,
  { taken, context, stopped }: HandingOver,
): Promise<boolean> {
  const { epoch } = taken;
  let [piece, rows, next]: [NumberedChunk[], number, number] = [[], 0, taken.handed];
  let canary = taken.handed === 0 ? world.story.scenario.canary : 0;
  const hand = async (): Promise<boolean> => {
    const [chunks, number] = [piece, next];
    [piece, rows, next] = [[], 0, next + 1];
    const waits = world.story.waits[number % world.story.waits.length] ?? false;
    return ask((tables) => tables.addPiece(epoch, number, chunks, waits));
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
  return ask((tables) => tables.close(epoch, next));
}

/** Waits for workers. Where the run stops, the person learns why, and starts it again with a limit that permits it. */
async function awaitEnd(
  world: World,
  machine: Life,
  ask: Ask<Database>,
  stopped: { by?: SharedStop },
  isHanded: boolean,
): Promise<boolean> {
  const { counts, limit, story } = world;
  while (isHanded && !stopped.by && !machine.signal.aborted) {
    const { stop, outcomes } = await ask((tables) => ({
      stop: tables.stop(),
      outcomes: tables.outcomes(),
    }));
    if (outcomes) return true;
    if (stop) stopped.by = stop;
    else await machine.sleep(LOOK_MS);
  }
  if (stopped.by?.by === 'failures') {
    if (!story.scenario.maxFailures) world.violated('stopped for failures that any may have');
    counts.add('too many failures');
    limit.inForce = null;
  }
  if (stopped.by?.by === 'canary') {
    counts.add('canary failed');
    await ask((tables) => tables.knowCanary());
  }
  return false;
}

async function takeRun(machine: Life, ask: Ask<Database>, maxFailures: FailureLimit | null) {
  while (!machine.signal.aborted) {
    const taken = await ask((tables) => tables.submit(maxFailures));
    if (taken) return taken;
    await machine.sleep(AGAIN_MS);
  }
  return undefined;
}

/** What puts chunks on record and leaves sending them to others, as an import that is shared does. */
async function admission(
  { story, tables }: World,
  ask: Ask<Database>,
  record: RunLedger['record'],
  tally: { rejected: number },
): Promise<Admitting> {
  const continued = await ask((now) => now.facts.all().length > 0);
  return {
    ledger: ledgerOn(tables.facts, false, {
      ...{ continued, record },
      factsOf: (chunk) => ask((now) => now.facts.factsOf(chunk)),
    }),
    ...{ duplicates: duplicatesBy('sync'), inputs: ['leads.csv'], seen: createSeen() },
    campaign: null,
    limits: { bytes: Infinity, clients: () => story.scenario.rows.length },
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
