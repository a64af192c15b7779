import type { FailureLimit } from '../../../src/delivery/failures.js';
import type { ImportSettings } from '../../kit/import-settings.js';
import { type Books, createBooks } from '../books.js';
import { type Input, inputOf } from '../input.js';
import { type Network, createNetwork } from '../network.js';
import { createRandom } from '../random.js';
import type { Scenario } from '../scenario.js';
import { isReading } from '../watch/watcher.js';
import { type Timeline, createTimeline } from '../timeline.js';
import { Database, type Unfenced } from './database.js';
import type { Machine } from './machine.js';
import type { Story } from './story.js';

/** Wrong behaviour, to see it noticed. */
export interface Sabotage {
  readonly unfenced?: Unfenced;
  /** Workers send without a look at their lease. */
  readonly isBlind?: boolean;
  /** Workers look at the clock alone that stands still while the machine sleeps. */
  readonly hasOneClock?: boolean;
  /** Workers go on although the run stops. */
  readonly isDeaf?: boolean;
  /** Successors do not know what was on its way. */
  readonly forgetsIntents?: boolean;
  readonly settings?: (settings: ImportSettings) => ImportSettings;
}

const COUNTED = [
  'kills',
  'stops',
  'pauses',
  'restarts',
  'lost statements',
  'held statements',
  'pieces lost',
  'pieces given back',
  'requests held back',
  'run taken over',
  'resumed',
  'too many failures',
  'canary failed',
  'canary passed',
] as const;

export type Counts = Record<(typeof COUNTED)[number], number>;

/** Requests of one process for one piece. */
export interface Sender {
  readonly machine: Machine;
  /** `null`: the run as a whole. */
  readonly piece: number | null;
  readonly network: Network;
  /** Whether it is settled until when its requests arrive. */
  isCut: boolean;
}

/** Everything that there is in a simulation. */
export interface World {
  readonly story: Story;
  readonly scenario: Scenario;
  readonly input: Input;
  readonly timeline: Timeline;
  readonly random: () => number;
  readonly books: Books;
  readonly database: Database;
  readonly sabotage: Sabotage;
  readonly violations: string[];
  readonly counts: Counts;
  readonly senders: Sender[];
  /** How many rows may end badly, until somebody lifts that. */
  readonly limit: { inForce: FailureLimit | null };
  /** Who are sent first, as long as nobody else may be. */
  readonly canary: ReadonlySet<number>;
}

export function createWorld(story: Story, sabotage: Sabotage): World {
  const { scenario } = story;
  const input = inputOf(scenario);
  const timeline = createTimeline();
  const clients = input.rows.flatMap(({ kind, offerId }) =>
    offerId === null || kind === 'repeat' ? [] : [offerId],
  );
  return {
    ...{ story, scenario, input, timeline, sabotage },
    limit: { inForce: scenario.maxFailures },
    canary: new Set(clients.slice(0, scenario.canary)),
    random: createRandom(scenario.seed),
    books: createBooks(input.kinds, scenario),
    database: new Database(timeline, sabotage.unfenced),
    violations: [],
    counts: Object.fromEntries(COUNTED.map((what) => [what, 0])) as Counts,
    senders: [],
  };
}

/** Fates of requests that one sender meets. */
const FATES = 10;

/** A way to the contact center for one process and one piece. `isHeld`: whether the piece is still its own. */
export function createSender(
  world: World,
  machine: Machine,
  piece: number | null,
  isHeld: () => boolean,
): Network {
  const { timeline, books, scenario, random, senders, violations, database, input, canary } = world;
  const from = senders.length * FATES;
  const rules = { ...scenario, fates: scenario.fates.slice(from, from + FATES) };
  const network = createNetwork(timeline, books, rules, random, {
    left: (request) => {
      const { operation, offerIds } = request;
      const what = `${operation} for ${offerIds.join()} leaves`;
      if (!isHeld()) violations.push(`${what} although piece ${piece} is another's`);
      if (isReading(request)) return;
      if (piece !== null && database.isWaiting(piece))
        violations.push(`${what} before the pieces for which piece ${piece} waits have ended`);
      const places = offerIds.flatMap((offerId) => input.placeOf.get(offerId) ?? []);
      if (places.some(({ chunk, at }) => database.wasSentInVain(chunk, at)))
        violations.push(`${what}, which began after the run had stopped`);
      if (database.isGated && offerIds.some((offerId) => !canary.has(offerId)))
        violations.push(`${what} before the canary has passed`);
    },
    ended: () => undefined,
  });
  senders.push({ machine, piece, network, isCut: false });
  return network;
}

/**
 * Requests arrive at the latest when the contact center surely no longer works on them, which whoever takes a piece
 * counts from its taking.
 */
export function settleArrivals(world: World, piece: number | null): void {
  const { senders, timeline, scenario } = world;
  for (const sender of senders) {
    if (sender.isCut || (piece !== null && sender.piece !== piece)) continue;
    sender.network.cut(timeline.now() + scenario.serverDeadlineMs - 1);
    sender.isCut = true;
  }
}
