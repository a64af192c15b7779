import { reportRows } from '../../../src/core/facts.js';
import type { RowReport } from '../../../src/core/report.js';
import { runImport } from '../../../src/delivery/import.js';
import { createSeen, settingsOf } from '../process.js';
import { startMachine } from './machine.js';
import { createWire } from './wire.js';
import { type World, createSender, settleArrivals } from './world.js';

export function rowsOf({ database, scenario }: World): RowReport[] {
  return [...reportRows(database.allFacts(), scenario.campaign !== 'none')];
}

/** How long until somebody starts a run again that has stopped. */
const RESTART_MS = 30_000;

/**
 * One process goes on with a run whose pieces have all ended, and looks up what is unknown; it is started again where it
 * could not send.
 */
export async function resume(world: World): Promise<void> {
  while (!(await resumeOnce(world))) world.timeline.pass(RESTART_MS);
}

/** Resolves with whether it came to its end. */
async function resumeOnce(world: World): Promise<boolean> {
  const { timeline, database, input, random, counts } = world;
  counts.resumed++;
  settleArrivals(world, null);
  const machine = startMachine(timeline, {
    ...{ rate: 1, trouble: undefined, onKilled: () => undefined, onPaused: () => undefined },
  });
  const wire = createWire({ ...world, story: { ...world.story, partitions: [] } }, machine, -1);
  let taken = database.submit();
  for (; !taken; taken = database.submit()) await machine.sleep(1000);
  const { epoch } = taken;
  const facts = wire.appender(
    { kind: 'run', epoch },
    () => ({ rejected: 0, allowed: null }),
    () => undefined,
  );
  const network = createSender(world, machine, null, () => true);
  const { stopped } = await runImport({
    chunks: (async function* () {
      for (const chunk of input.chunks) yield await Promise.resolve(chunk);
    })(),
    ledger: {
      ...{ run: 'simulated', settlesAll: false, continued: true },
      record: (chunk, all) => facts.append(chunk, all),
      factsOf: (chunk) => Promise.resolve(database.factsOf(chunk)),
      rows: () => Promise.resolve(rowsOf(world)),
      waiting: () => Promise.resolve({ rows: 0, withCard: 0 }),
      end: () => Promise.resolve(),
    },
    ...{ random, seen: createSeen(), center: network.deliveryOf(machine) },
    ...{ clock: machine.clock, signal: machine.signal },
    ...settingsOf({ ...world, limit: { inForce: null } }),
    canary: 0,
  });
  await facts.idle();
  database.renewRun(epoch, -Infinity);
  return stopped === undefined;
}
