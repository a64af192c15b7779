import { duplicatesBy } from '../../../src/core/duplicates/duplicate-rule.js';
import type { RunLedger } from '../../../src/core/ledger.js';
import { LedgerError, LedgerInUseError } from '../../../src/core/errors/errors.js';
import type { PreparedChunk } from '../../../src/core/client/prepared.js';
import type { NumberedChunk } from '../../../src/fleet/pack-piece.js';
import { LEASE_TIMES } from '../../../src/ledger/postgres/lease.js';
import { type AdmitContext, admitChunk } from '../../../src/pipeline/admit.js';
import { createSeen } from '../process.js';
import type { Machine } from './machine.js';
import type { Wire } from './wire.js';
import type { World } from './world.js';

/** How often it is looked whether another submitter still has the run. */
const AGAIN_MS = 1000;

/** One process that hands the run over; resolves with whether all of it is. */
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
  const facts = wire.appender({ kind: 'run', epoch });
  const context = await admission(world, wire, (chunk, all) => facts.append(chunk, all));
  try {
    let [piece, rows, next]: [NumberedChunk[], number, number] = [[], 0, taken.handed];
    const hand = async (): Promise<boolean> => {
      const [chunks, number] = [piece, next];
      [piece, rows, next] = [[], 0, next + 1];
      return wire.ask((tables) => tables.addPiece(epoch, number, chunks));
    };
    for (const [number, chunk] of world.input.chunks.entries()) {
      await machine.sleep(1);
      if (machine.signal.aborted) return false;
      await admitChunk(context, chunk, number);
      if (number < taken.chunks) continue;
      piece.push(withoutKeys(chunk, number));
      rows += chunk.count;
      if (rows >= world.story.pieceRows && !(await hand())) return false;
    }
    if (taken.total !== null) return true;
    if (piece.length > 0 && !(await hand())) return false;
    return await wire.ask((tables) => tables.close(epoch, next));
  } finally {
    endRenewing();
    await facts.idle();
    await wire.ask((tables) => tables.renewRun(epoch, -Infinity)).catch(() => undefined);
  }
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
): Promise<AdmitContext> {
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
    ...{ campaign: false, together: false, settles: false },
    limits: { bytes: Infinity, clients: () => scenario.rows.length },
    unsure: 'creation_unknown',
    onOutcome: () => undefined,
  };
}

const NO_WORDS = new Uint32Array();

/** Duplicates have been found: keys are not handed over. */
function withoutKeys(chunk: PreparedChunk, number: number): NumberedChunk {
  const { clients } = chunk;
  const keyEnds = new Uint32Array(clients.at.length);
  return { ...chunk, number, clients: { ...clients, keys: NO_WORDS, keyEnds } };
}
