import { LedgerInUseError, LostFactsError, UsageError } from '../../../src/core/errors.js';
import { CAMPAIGN } from '../books.js';
import { type Life, runLife } from '../life.js';
import { troublesOf } from '../scenario.js';
import { untilOver } from '../timeline.js';
import { type Tale, onVirtualDates, throwIfWrong } from '../world.js';
import { type End, carryOut, listed } from './command.js';
import type { Command, ImportCommand } from './run.js';
import type { Death, Step, Story } from './story.js';
import { type Sabotage, type World, createWorld } from './world.js';

const MOST_TRIES = 60;
/** How often a run with something unknown is continued before the person leaves it. */
const TRIES_OPEN = 2;
/** How often an undo is tried when facts of the run are lost: whoever lost them has to go on first. */
const TRIES_UNDO = 5;
/** How long a person waits for another process before the same command is tried again. */
const WAIT_MS = 30_000;
/**
 * Lives a story to its end: every command is tried until it has come to an end or is refused for good. The same story
 * gives the same tale.
 * @throws Error that names what must not have been
 */
export async function simulateStory(story: Story, sabotage: Sabotage = {}): Promise<Tale> {
  const world = createWorld(story, sabotage);
  const { timeline, violations, counts, network, watch } = world;
  await onVirtualDates(world, async () => {
    await untilOver(world, livePerson(world));
    if (violations.length > 0) return;
    while (timeline.next());
    watch.over();
  });
  throwIfWrong(world);
  counts.addAll(network.fates);
  return { counts };
}

/** The person begins one command after the other, or while earlier ones are at work. */
async function livePerson(world: World): Promise<void> {
  const { isLeft } = world.story;
  const first = firstCommand(world);
  const begin: Step = { kind: 'same', isOn: false, after: null, isLeft };
  let latest = first;
  const under: Promise<void>[] = [];
  for (const step of [begin, ...world.story.steps]) {
    if (step.after === null) await Promise.all(under);
    else {
      world.counts.add('overlapping');
      await sleep(world, step.after);
    }
    if (step.kind !== 'undo')
      latest = changed(step.isOn ? { ...latest, again: false } : first, step.kind);
    const command = step.kind === 'undo' ? undoCommand(world) : latest;
    if (command) under.push(persist(world, command, step.isLeft));
  }
  await Promise.all(under);
}

function sleep({ timeline }: World, ms: number): Promise<void> {
  return new Promise((resolve) => timeline.after(ms, resolve));
}

function firstCommand({ story: { mode, campaign } }: World): ImportCommand {
  const creates = mode === 'create' || mode === 'upsert';
  const isBound = mode === 'enqueue' || mode === 'dequeue' || mode === 'callbacks';
  return {
    ...{ kind: 'import', mode, version: { content: 0, part: 0 }, again: false },
    campaignId: isBound || (creates && campaign) ? CAMPAIGN : null,
  };
}

/** The import with what a step changes of it. */
function changed(command: ImportCommand, kind: Step['kind']): ImportCommand {
  const { mode, version, campaignId } = command;
  const creates = mode === 'create' || mode === 'upsert';
  switch (kind) {
    case 'again':
      return { ...command, again: true };
    case 'part':
      return { ...command, version: { ...version, part: 1 - version.part } };
    case 'corrected':
      return { ...command, version: { ...version, content: 1 - version.content } };
    case 'campaign':
      return { ...command, campaignId: creates ? otherCampaign(campaignId) : campaignId };
    case 'mode':
      return creates ? { ...command, mode: mode === 'create' ? 'upsert' : 'create' } : command;
    case 'same':
    case 'undo':
      return command;
  }
}

const otherCampaign = (campaignId: number | null): number =>
  campaignId === CAMPAIGN ? CAMPAIGN + 1 : CAMPAIGN;

const UNDOABLE: ReadonlySet<string> = new Set(['create', 'upsert', 'update', 'enqueue']);

/** Takes the latest run back. */
function undoCommand(world: World): Command | null {
  const run = listed(world).find(({ mode }) => UNDOABLE.has(mode));
  return run ? { kind: 'undo', undoes: run.run } : null;
}

/** Tries a command until it has come to an end: after a crash, a stop, and when another process was in the way. */
async function persist(world: World, wanted: Command, isLeft: boolean): Promise<void> {
  let command = wanted;
  let settleAll = false;
  let open = 0;
  for (let tries = 1; ; tries++) {
    if (tries > MOST_TRIES) throw new Error('A command is tried for ever.');
    const tried = await tryOnce(world, command, settleAll);
    if (tried.kind === 'refused') {
      if (tried.error instanceof LostFactsError) {
        world.watch.refusedLoss();
        // Whoever lost it is to go on first.
        if (command.kind === 'undo' && tries > TRIES_UNDO) return;
        if (command.kind === 'undo') await sleep(world, WAIT_MS);
        settleAll = true;
      } else if (tried.error instanceof LedgerInUseError) {
        world.counts.add('refused in use');
        await sleep(world, WAIT_MS);
      } else {
        world.watch.refusedChange();
        return;
      }
      continue;
    }
    const isUnfinished =
      tried.kind === 'died' || (tried.end.kind === 'ended' && tried.end.state === 'stopped');
    if (isUnfinished && isLeft) {
      world.counts.add('left');
      return;
    }
    if (tried.kind === 'died') {
      await sleep(world, tried.gapMs);
      // What was begun anew is continued, and not begun anew once more.
      if (tried.hasBegun && command.kind === 'import') command = { ...command, again: false };
      continue;
    }
    const { end } = tried;
    if (end.kind === 'done' || end.state === 'finished') return;
    if (end.state === 'open' && ++open > TRIES_OPEN) return;
    settleAll = false;
    if (command.kind === 'import') command = { ...command, again: false };
  }
}

type Tried =
  | { readonly kind: 'ended'; readonly end: End }
  | { readonly kind: 'refused'; readonly error: Error }
  | { readonly kind: 'died'; readonly gapMs: number; readonly hasBegun: boolean };

async function tryOnce(world: World, command: Command, settleAll: boolean): Promise<Tried> {
  const { story, timeline, alive, lives, ledger } = world;
  const number = lives.count++;
  const crash = story.crashes[number] ?? undefined;
  const stop = story.stops[number] ?? undefined;
  const runsBefore = ledger.runs().length;
  const died = { gapMs: crash?.gapMs ?? 0, hasBegun: false };
  const options = {
    troubles: troublesOf(crash, stop),
    onStop: () => world.counts.add('stops'),
    onKilled: (life: Life) => {
      world.counts.add('crashes');
      world.processOf(life).crash(crash?.kept ?? 0);
      alive.delete(life);
      loseTail(world, crash);
      died.hasBegun = ledger.runs().length > runsBefore;
    },
  };
  const ended = await runLife(timeline, options, async (life): Promise<Tried> => {
    alive.add(life);
    try {
      return { kind: 'ended', end: await carryOut(world, life, command, settleAll) };
    } catch (error) {
      const isRefusal =
        error instanceof LedgerInUseError ||
        error instanceof LostFactsError ||
        error instanceof UsageError;
      if (isRefusal) return { kind: 'refused', error };
      throw error;
    } finally {
      alive.delete(life);
    }
  });
  return ended ?? { kind: 'died', ...died };
}

/** With its process, the ledger loses its end. While others have it open, nobody takes anything from it. */
function loseTail({ ledger, watch, alive }: World, crash: Death | undefined): void {
  if (crash?.loss && alive.size === 0) watch.lost(ledger.lose(crash.loss), !crash.loss.withMarks);
}
