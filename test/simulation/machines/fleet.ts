import { failuresIn } from '../../../src/core/outcome.js';
import { runImport } from '../../../src/delivery/import.js';
import { ledgerOn } from '../disk.js';
import { createSeen, inTurn } from '../input.js';
import { startLife } from '../life.js';
import { countsOf } from '../simulate.js';
import { untilOver } from '../timeline.js';
import type { Tale } from '../world.js';
import { Database } from './database.js';
import type { SharedRun } from './story.js';
import { submitOnce } from './submit.js';
import { type World, appender, senderOf, workOnce } from './work.js';
import {
  type Sabotage,
  again,
  checkRun,
  createWire,
  createWorld,
  importSettings,
  rowsOf,
  settleArrivals,
} from './world.js';

const EXPECTED = [
  ...['restarts', 'pieces lost', 'pieces given back', 'run taken over', 'resumed'],
  ...['canary passed', 'refused', 'taken'],
];

const MAX_RESUMES = 30;
/** After how long a process is started again that ended although there is work. */
const RESTART_MS = 5000;
/** How long until somebody starts a run again that has stopped. */
const RESUME_MS = 30_000;

/**
 * Runs a shared import from its submission until every row has ended: those who work on it are killed, paused and cut off.
 * The same story gives the same tale.
 * @throws Error that names what must not have been.
 */
export async function simulateFleet(story: SharedRun, sabotage: Sabotage = {}): Promise<Tale> {
  const tablesOn = (timeline: World['timeline']) => new Database(timeline, sabotage.unfenced);
  const world: World = createWorld(story, sabotage, tablesOn, EXPECTED);
  const { violations, tables, counts } = world;
  await untilOver(world, Promise.all(processesOf(world)), { hours: 6 });
  compareCounts(world);
  for (let resumes = 0; violations.length === 0 && hasUnknown(world); resumes++) {
    if (resumes > MAX_RESUMES) violations.push('something stays unknown for ever');
    await untilOver(world, resume(world), { hours: 6 });
  }
  checkRun(world);
  counts.addAll(new Map(Object.entries(tables.counts)));
  return { counts };
}

const hasUnknown = (world: World): boolean =>
  rowsOf(world).some(({ outcome }) => outcome === 'unknown');

/** What workers counted is what their facts say. */
function compareCounts(world: World): void {
  const { tables, violated } = world;
  const counted = countsOf(rowsOf(world));
  const [found, ended] = [JSON.stringify(counted), JSON.stringify(tables.outcomes())];
  if (found !== ended) violated(`recorded ${found}, pieces ended with ${ended}`);
  const [bad, { unknown }] = [failuresIn(counted), counted];
  // What is not known counts as failed until the run is submitted again.
  if (tables.bad > bad || tables.bad < bad - unknown)
    violated(`${bad} rows ended badly, ${unknown} of them unknown; counted were ${tables.bad}`);
}

function processesOf(world: World): Promise<void>[] {
  const { submitter, workers } = world.story;
  // Somebody submits the same file elsewhere while the submitter is paused.
  const submitted = { rate: 1, troubles: submitter, isReplaced: true };
  const submitting = again(
    world,
    { place: 0, restartMs: RESTART_MS, ...submitted },
    (machine, ask) => submitOnce(world, machine, ask),
  );
  const working = workers.map(({ maxPieces, ...of }, index) =>
    again(
      world,
      { place: index + 1, restartMs: RESTART_MS, isReplaced: false, ...of },
      async (machine, ask) => {
        await workOnce(world, machine, ask, maxPieces);
        return world.tables.outcomes() !== null;
      },
    ),
  );
  return [submitting, ...working];
}

/**
 * One process goes on with a run whose pieces have all ended, and looks up what is unknown; it is started again where it
 * could not send.
 */
async function resume(world: World): Promise<void> {
  while (!(await resumeOnce(world))) world.timeline.pass(RESUME_MS);
}

/** Resolves with whether it came to its end. */
async function resumeOnce(world: World): Promise<boolean> {
  const { timeline, tables, input, random, counts, hasCampaign } = world;
  counts.add('resumed');
  settleArrivals(world, null);
  const machine = startLife(timeline);
  const ask = createWire({ ...world, story: { ...world.story, partitions: [] } }, machine, -1);
  let taken = tables.submit(null);
  for (; !taken; taken = tables.submit(null)) await machine.sleep(1000);
  const { epoch } = taken;
  const facts = appender(ask, { kind: 'run', epoch }, () => ({ rejected: 0, allowed: null }));
  const { stopped } = await runImport({
    chunks: inTurn(input.chunks),
    ledger: ledgerOn(tables.facts, hasCampaign, {
      ...{ continued: true, waiting: () => Promise.resolve({ rows: 0, withCard: 0 }) },
      record: (chunk, all) => facts.append(chunk, all),
    }),
    ...{ random, seen: createSeen(), center: senderOf(world, machine, null, () => true) },
    ...{ clock: machine.clock, signal: machine.signal },
    ...importSettings(world, null),
    canary: 0,
  });
  await facts.idle();
  tables.renewRun(epoch, -Infinity);
  return stopped === undefined;
}
