import { UNCHANGED_SINCE } from '../../../src/core/duplicates.js';
import { UsageError } from '../../../src/core/errors.js';
import type { Parts } from '../around/ledger.js';
import { CAMPAIGN } from '../books.js';
import { runLife } from '../life.js';
import type { Way } from '../network.js';
import { troublesOf } from '../scenario.js';
import { untilOver } from '../timeline.js';
import { type Tale, onVirtualDates, throwIfWrong } from '../world.js';
import { type RunOver, importList, removeByHand, undo } from './execute.js';
import { clientsOf } from './rows.js';
import type { Night, Nights } from './story.js';
import { type Sabotage, type World, createWorld } from './world.js';

/** Longer than anything that is lost may still be on its way. */
const QUIET_MS = 1_000_000;

/**
 * Lives through some nights and checks what they say of the clients that are as they were, and whom they remove.
 * @throws Error that names what must not have been
 */
export async function simulateNights(story: Nights, sabotage: Sabotage = {}): Promise<Tale> {
  const world = createWorld(story, sabotage);
  await onVirtualDates(world, () => untilOver(world, liveNights(world)));
  throwIfWrong(world);
  world.counts.addAll(world.network.fates);
  return { counts: world.counts };
}

async function liveNights(world: World): Promise<void> {
  const { nights } = world.story;
  let number = 0;
  for (const night of nights) {
    const name = `night ${number++}`;
    world.night.now = night;
    const over = await liveNight(world, night, name);
    if (over) check(world, over, night);
    await sleep(world, night.gapMs);
    if (world.story.campaign && night.removed?.includes(true)) {
      // A lost request that is carried out later would add the client again, and nobody could know.
      await sleep(world, world.story.serverDeadlineMs);
      await once(world, (process) => removeByHand(process, night, name));
      await sleep(world, night.gapMs);
    }
    if (over && over.state !== 'stopped' && night.isUndone) {
      await takeBack(world, over.run);
      await sleep(world, night.gapMs);
    }
  }
  await sleep(world, QUIET_MS);
  await liveQuietly(world, number);
}

/** Two nights without trouble: the first brings everything in order, and the second has nothing to do. */
async function liveQuietly(world: World, number: number): Promise<void> {
  const { books, story, violations } = world;
  world.isQuiet.now = true;
  world.night.now = null;
  const lists = [false, true].flatMap((isOther): readonly Night[] => {
    const last = story.nights.findLast((night) => (night.isOther ?? false) === isOther);
    const quiet = { refused: [], isUndone: false, tries: 0, gapMs: 0 };
    return last ? [{ ...quiet, list: last.list, isOther }] : [];
  });
  const liveAll = async (first: number): Promise<void> => {
    for (const [at, quiet] of lists.entries()) {
      const over = await liveNight(world, quiet, `night ${first + at}`);
      if (over) check(world, over, quiet);
    }
  };
  await liveAll(number);
  inOrder(world, new Map(lists.flatMap(clientsOf)));
  const before = books.effects.length;
  world.isQuiet.isAgain = true;
  await liveAll(number + lists.length);
  if (books.effects.length > before)
    violations.push(`a night without changes changed ${books.effects.length - before} things`);
}

/** After a night without trouble, the campaign has the clients of the lists and nobody else. */
function inOrder({ books, story, violations }: World, clients: ReadonlyMap<number, string>): void {
  for (const [client, value] of clients) {
    const card = books.live(client);
    if (!card) violations.push(`client ${client} has no card`);
    // Mode create changes nothing of a card.
    else if (story.mode !== 'create' && card.name !== value)
      violations.push(`client ${client} is ${card.name}, and not ${value}`);
    else if (story.campaign && !card.campaigns.has(CAMPAIGN))
      violations.push(`client ${client} is not in the campaign`);
  }
  if (story.missing === 'keep') return;
  for (const { client, campaigns, isDeleted } of books.cards)
    if (!isDeleted && campaigns.has(CAMPAIGN) && !clients.has(client))
      violations.push(`client ${client} is in the campaign, and not in the list`);
}

/** How a client may end in the second night without trouble. */
const WELL: ReadonlySet<string> = new Set([
  'enqueued',
  'created',
  'updated',
  'unchanged',
  'skipped',
]);

/** What a run says is as it was, is so; nobody is removed who is in the list. */
function check(world: World, { rows }: RunOver, night: Night): void {
  const { books, isQuiet, story, violations } = world;
  const values = new Map(clientsOf(night));
  for (const { outcome, identifiers, problems } of rows) {
    world.counts.add(outcome);
    const client = Number(identifiers[0]);
    if (isQuiet.isAgain && !WELL.has(outcome))
      violations.push(`client ${client} ends as ${outcome}`);
    const card = books.live(client);
    if (outcome === 'enqueued' && story.campaign && !card?.campaigns.has(CAMPAIGN))
      violations.push(`client ${client} is enqueued, and not in the campaign`);
    if (!problems.some(({ code }) => code === UNCHANGED_SINCE)) continue;
    world.counts.add('as it was');
    if (card?.name !== values.get(client))
      violations.push(
        `client ${client} is said to be ${values.get(client)}, and is ${card?.name ?? 'not there'}`,
      );
    if (story.campaign && !card?.campaigns.has(CAMPAIGN))
      violations.push(`client ${client} is said to be in the campaign, and is not`);
  }
}

/** `null`: its process died, and nobody tried again. */
async function liveNight(world: World, night: Night, name: string): Promise<RunOver | null> {
  for (let tries = 0; tries <= night.tries; tries++) {
    const over = await once(world, (process) => importList(process, night, name));
    if (over) return over;
    await sleep(world, night.gapMs);
  }
  world.counts.add('left');
  return null;
}

async function takeBack(world: World, run: string): Promise<void> {
  // Until it has come to its end, nothing can be imported.
  for (let tries = 0; tries < 10; tries++) {
    const over = await once(world, (process) => undo(process, run));
    if (over && over.state !== 'stopped') {
      world.counts.add('undone');
      return;
    }
  }
}

/** One process; `null`: it died, or was refused. */
async function once(
  world: World,
  work: (process: Parameters<typeof importList>[0]) => Promise<RunOver>,
): Promise<RunOver | null> {
  const { story, timeline, ledger, lives, isQuiet } = world;
  const crash = isQuiet.now ? undefined : (story.crashes[lives.count] ?? undefined);
  lives.count++;
  const ways: Way[] = [];
  const options = {
    troubles: troublesOf(crash, null),
    onKilled: () => {
      world.counts.add('crashes');
      died.parts?.crash(crash?.kept ?? 0);
      for (const way of ways) way.cut(timeline.now() + story.serverDeadlineMs - 1);
    },
  };
  const died: { parts?: Parts } = {};
  return runLife(timeline, options, async (life) => {
    const parts = (died.parts = ledger.partsOf(life));
    try {
      return await work({ world, life, parts, onWay: (way) => ways.push(way) });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      world.counts.add('refused');
      return null;
    }
  });
}

function sleep({ timeline }: World, ms: number): Promise<void> {
  return new Promise((resolve) => timeline.after(ms, resolve));
}
