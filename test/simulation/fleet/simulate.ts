import { failuresIn, noOutcomes } from '../../../src/core/outcome.js';
import { LEASE_TIMES } from '../../../src/ledger/port.js';
import { checkEnd } from '../invariants.js';
import { allMicrotasks } from '../process.js';
import type { Crash } from '../scenario.js';
import { type Machine, startMachine } from './machine.js';
import { resume, rowsOf } from './resume.js';
import type { Story, Trouble } from './story.js';
import { submitOnce } from './submit.js';
import { type Wire, createWire } from './wire.js';
import { workOnce } from './work.js';
import { type Counts, type Sabotage, type World, createWorld } from './world.js';

const MAX_EVENTS = 300_000;
const LONGEST_MS = 6 * 3_600_000;
const MAX_RESUMES = 30;
/** After how long a process is started again that ended although there is work. */
const RESTART_MS = 5000;

/** What a simulation came to. */
export interface Tale {
  readonly counts: Counts & { readonly refused: number; readonly 'taken over': number };
  readonly virtualMs: number;
}

/**
 * Runs a shared import from its submission until every row has ended: those who work on it are killed, paused and cut off.
 * The same story gives the same tale.
 * @throws Error that names what must not have been.
 */
export async function simulate(story: Story, sabotage: Sabotage = {}): Promise<Tale> {
  const world = createWorld(story, sabotage);
  const { violations, database, timeline, scenario, input } = world;
  await finish(world, Promise.all(processesOf(world)));
  compareCounts(world);
  for (let resumes = 0; violations.length === 0 && hasUnknown(world); resumes++) {
    if (resumes > MAX_RESUMES) violations.push('something stays unknown for ever');
    await finish(world, resume(world));
  }
  // What is on its way still comes: the report has to be right after that too.
  timeline.pass(scenario.serverDeadlineMs + LEASE_TIMES.leaseMs);
  const judged = { ...scenario, crashes: [SOME_CRASH] };
  const { books } = world;
  if (violations.length === 0)
    violations.push(...checkEnd(judged, input, { rows: rowsOf(world), books }));
  if (violations.length > 0) throw new Error(violations.slice(0, 5).join('\n'));
  return { counts: { ...world.counts, ...database.counts }, virtualMs: timeline.now() };
}

/** Answers may have been lost. */
const SOME_CRASH: Crash = { when: { ms: 0 }, kept: 0, gapMs: 0 };

const hasUnknown = (world: World): boolean =>
  rowsOf(world).some(({ outcome }) => outcome === 'unknown');

/** What workers counted is what their facts say. */
function compareCounts(world: World): void {
  const counted = noOutcomes();
  for (const { outcome } of rowsOf(world)) counted[outcome]++;
  const [found, ended] = [JSON.stringify(counted), JSON.stringify(world.database.outcomes())];
  if (found !== ended) world.violations.push(`recorded ${found}, pieces ended with ${ended}`);
  const [bad, { unknown }] = [failuresIn(counted), counted];
  // What is not known counts as failed until the run is submitted again.
  if (world.database.bad > bad || world.database.bad < bad - unknown)
    world.violations.push(
      `${bad} rows ended badly, ${unknown} of them unknown; counted were ${world.database.bad}`,
    );
}

function processesOf(world: World): Promise<void>[] {
  const { submitter, workers } = world.story;
  const submitting = again(world, { place: 0, rate: 1, troubles: submitter }, (machine, wire) =>
    submitOnce(world, machine, wire),
  );
  const working = workers.map(({ maxPieces, ...of }, index) =>
    again(world, { place: index + 1, ...of }, async (machine, wire) => {
      await workOnce(world, machine, wire, maxPieces);
      return world.database.outcomes() !== null;
    }),
  );
  return [submitting, ...working];
}

interface Started {
  readonly place: number;
  readonly rate: number;
  readonly troubles: readonly (Trouble | null)[];
}

/** Starts a process, and another one whenever it ends before its work does. */
async function again(
  world: World,
  { place, rate, troubles }: Started,
  once: (machine: Machine, wire: Wire) => Promise<boolean>,
): Promise<void> {
  const { timeline, counts, scenario, senders, violations } = world;
  for (let life = 0; ; life++) {
    const trouble = troubles[life] ?? undefined;
    const hasEnded = await new Promise<boolean>((resolve) => {
      const machine = startMachine(timeline, {
        ...{ rate, trouble },
        onPaused: () => {
          counts.pauses++;
          // Somebody submits the same file elsewhere meanwhile.
          if (place === 0) resolve(false);
        },
        onKilled: () => {
          counts.kills++;
          const until = timeline.now() + LEASE_TIMES.leaseMs + scenario.serverDeadlineMs;
          for (const sender of senders)
            if (sender.machine === machine && !sender.isCut) sender.network.cut(until);
          resolve(false);
        },
      });
      once(machine, createWire(world, machine, place)).then(
        (isDone) => {
          if (machine.signal.aborted) counts.stops++;
          machine.end();
          resolve(isDone);
        },
        (error: unknown) => violations.push(error instanceof Error ? `${error.stack}` : 'thrown'),
      );
    });
    if (hasEnded) return;
    counts.restarts++;
    const gapMs = trouble && 'gapMs' in trouble ? trouble.gapMs : RESTART_MS;
    await new Promise<void>((resolve) => timeline.after(gapMs, resolve));
  }
}

/** Lets time pass until something has come to its end. */
async function finish({ timeline, violations }: World, work: Promise<unknown>): Promise<void> {
  const end: { isDone: boolean; thrown?: unknown } = { isDone: false };
  work.then(
    () => (end.isDone = true),
    (error: unknown) => (end.thrown = error),
  );
  for (let events = 0; violations.length === 0; events++) {
    await allMicrotasks();
    if (end.thrown !== undefined) throw end.thrown as Error;
    if (end.isDone) return;
    if (events > MAX_EVENTS || timeline.now() > LONGEST_MS)
      violations.push('the run goes on for ever');
    else if (!timeline.next()) violations.push('nothing will ever happen again');
  }
}
