import { LedgerError, NotSentError } from '../../../src/core/errors.js';
import type { MayBegin } from '../../../src/core/ledger.js';
import type { RowReport } from '../../../src/core/report.js';
import type { Moment } from '../../../src/core/time.js';
import type { FailureLimit } from '../../../src/delivery/failures.js';
import type { Connections } from '../../../src/ledger/database.js';
import { type KeptLease, type LeaseClock, keepLine } from '../../../src/ledger/lease.js';
import { LEASE_TIMES } from '../../../src/ledger/port.js';
import type { ImportSettings } from '../../kit/import-settings.js';
import { type Books, SIMULATED } from '../books.js';
import type { FactTable } from '../disk.js';
import { type Input, booksOf, inputOf, settingsOf } from '../input.js';
import { checkEnd } from '../invariants.js';
import { type Life, type Trouble, startLife } from '../life.js';
import { type Network, type Request, type Way, createNetwork } from '../network.js';
import type { Crash } from '../scenario.js';
import type { Timeline } from '../timeline.js';
import { type Common, createCommon, throwIfWrong } from '../world.js';
import type { Machines } from './story.js';

/** Wrong behaviour, to see it noticed. */
export interface Sabotage {
  /** What the ledger does not look at. */
  readonly unfenced?: 'facts' | 'end' | 'handing over' | 'canary' | 'order';
  /** Requests leave without a look at the lease. */
  readonly isBlind?: boolean;
  /** Only the clock counts that stands still while the machine sleeps. */
  readonly hasOneClock?: boolean;
  /** Workers go on although the run stops. */
  readonly isDeaf?: boolean;
  /** Who has the canary decides on it by the limit with which it was taken. */
  readonly keepsLimit?: boolean;
  /** Successors do not know what was on its way. */
  readonly forgetsIntents?: boolean;
  /** What others have ended since the command began is nothing to it. */
  readonly forgetsBegin?: boolean;
  readonly settings?: (settings: ImportSettings) => ImportSettings;
}

/** A ledger that several processes reach, in tables. */
interface Shared {
  readonly facts: FactTable;
}

/** Requests of one process. */
interface Sender {
  readonly machine: Life;
  /** The piece that they are for; `null`: the run as a whole. */
  readonly piece: number | null;
  readonly network: Network;
  /** Whether it is settled until when its requests arrive. */
  isCut: boolean;
}

/** Everything that there is where several machines work on one run. */
export interface World<
  Tables extends Shared = Shared,
  Story extends Machines = Machines,
> extends Common {
  readonly story: Story;
  readonly input: Input;
  readonly books: Books;
  readonly tables: Tables;
  readonly sabotage: Sabotage;
  readonly hasCampaign: boolean;
  readonly senders: Sender[];
  /** How many rows may end badly, until somebody lifts that. */
  readonly limit: { inForce: FailureLimit | null };
  /** Who are sent first, as long as nobody else may be. */
  readonly canary: ReadonlySet<number>;
}

export function createWorld<Tables extends Shared, Story extends Machines>(
  story: Story,
  sabotage: Sabotage,
  tablesOn: (timeline: Timeline) => Tables,
  expected: readonly string[],
): World<Tables, Story> {
  const { scenario } = story;
  const common = createCommon(scenario.seed, [...EXPECTED, ...expected]);
  const input = inputOf(scenario);
  return {
    ...common,
    ...{ story, sabotage, input, senders: [], limit: { inForce: scenario.maxFailures } },
    books: booksOf(scenario, input, common.violated),
    tables: tablesOn(common.timeline),
    hasCampaign: scenario.campaign !== 'none',
    canary: new Set(input.clients.slice(0, scenario.canary)),
  };
}

/** What befalls machines in some story. */
const EXPECTED = [
  ...['kills', 'stops', 'pauses', 'lost statements', 'held statements', 'requests held back'],
  ...['canary failed', 'too many failures', 'taken over'],
];

export const rowsOf = ({ tables, hasCampaign }: World): RowReport[] =>
  tables.facts.rows(hasCampaign);

export const importSettings = ({ story, input }: World, limit: FailureLimit | null) =>
  settingsOf(story.scenario, input, limit);

/** How a run is told at its end, whatever befell its machines. @throws Error that names what must not have been */
export function checkRun(world: World): void {
  const { timeline, violations, story, input, books } = world;
  // What is on its way still comes: the report has to be right after that too.
  timeline.pass(story.scenario.serverDeadlineMs + LEASE_TIMES.leaseMs);
  // Answers may have been lost.
  const judged = { ...story.scenario, crashes: [SOME_CRASH] };
  if (violations.length === 0) violations.push(...checkEnd(judged, input, rowsOf(world), books));
  throwIfWrong(world);
}

const SOME_CRASH: Crash = { when: { ms: 0 }, kept: 0, gapMs: 0 };

/** One machine, and what happens to its processes. */
interface Started {
  readonly place: number;
  readonly rate: number;
  /** Of each of its processes in turn. */
  readonly troubles: readonly (Trouble | null)[];
  /** After how long a process is started again that ended by itself although there is work. */
  readonly restartMs: number;
  /** Whether somebody begins anew beside one that is paused, and does not answer. */
  readonly isReplaced: boolean;
}

/** Starts a process, and another one whenever it ends before its work does. */
export async function again<Tables extends Shared>(
  world: World<Tables>,
  { place, rate, troubles, restartMs, isReplaced }: Started,
  once: (machine: Life, ask: Ask<Tables>) => Promise<boolean>,
): Promise<void> {
  const { timeline, counts, senders, story, violated } = world;
  for (let number = 0; ; number++) {
    const trouble = troubles[number] ?? undefined;
    const hasEnded = await new Promise<boolean>((resolve) => {
      const machine = startLife(timeline, {
        ...{ rate, troubles: [trouble] },
        onPaused: () => {
          counts.add('pauses');
          if (isReplaced) resolve(false);
        },
        onKilled: () => {
          counts.add('kills');
          const until = timeline.now() + LEASE_TIMES.leaseMs + story.scenario.serverDeadlineMs;
          for (const sender of senders)
            if (sender.machine === machine && !sender.isCut) sender.network.cut(until);
          resolve(false);
        },
      });
      once(machine, createWire(world, machine, place)).then(
        (isDone) => {
          if (machine.signal.aborted) counts.add('stops');
          machine.end();
          resolve(isDone);
        },
        (error: unknown) => violated(asError(error).stack ?? 'thrown'),
      );
    });
    if (hasEnded) return;
    counts.add('restarts');
    const gapMs = trouble && 'gapMs' in trouble ? trouble.gapMs : restartMs;
    await new Promise<void>((resolve) => timeline.after(gapMs, resolve));
  }
}

/** How long a process waits for the answer to a statement. */
const STATEMENT_MS = LEASE_TIMES.leaseMs / 2;

/**
 * Executes a statement or a transaction; it rejects with a LedgerError when no answer comes, and may have been executed
 * all the same.
 */
export type Ask<Tables> = <T>(execute: (tables: Tables) => T | Promise<T>) => Promise<T>;

/** The way from a machine to the ledger. In a file, a statement is at most late. */
export function createWire<Tables extends Shared>(
  { timeline, story, random, tables, counts }: World<Tables>,
  machine: Life,
  place: number,
): Ask<Tables> {
  const isFile = story.ledger === 'file';
  const latency = (): number => random() * (isFile ? story.scenario.flushMs : story.databaseMs);
  /** Carries something over; what is lost in a partition never comes. */
  const carry = (come: () => void): void => {
    timeline.after(latency(), () => {
      const now = timeline.now();
      const cut = story.partitions.find(
        ({ machine: of, at, ms }) => (of === null || of === place) && now >= at && now < at + ms,
      );
      if (!cut || isFile) {
        come();
        return;
      }
      counts.add(cut.isHeld ? 'held statements' : 'lost statements');
      if (cut.isHeld) timeline.after(cut.at + cut.ms - now + latency(), come);
    });
  };
  return (execute) =>
    machine.call(
      () =>
        new Promise((resolve, reject) => {
          const timeout = timeline.after(STATEMENT_MS, () =>
            machine.tell(() => reject(new LedgerError('The ledger does not answer.'))),
          );
          const answer = (settle: () => void): void =>
            carry(() => {
              timeout.cancel();
              machine.tell(settle);
            });
          const refuse = (error: unknown): void => answer(() => reject(asError(error)));
          carry(() => {
            // A process that has died writes nothing to a file.
            if (isFile && !machine.isAlive()) return;
            try {
              const found = execute(tables);
              if (found instanceof Promise) found.then((one) => answer(() => resolve(one)), refuse);
              else answer(() => resolve(found));
            } catch (error) {
              refuse(error);
            }
          });
        }),
    );
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

const noConnection = (): Promise<never> => Promise.reject(new Error('There are no connections.'));

/** For what is asked of the tables alone. */
export const NO_CONNECTIONS: Connections = {
  ...{ name: 'simulated', rows: noConnection, run: noConnection, transaction: noConnection },
  close: () => Promise.resolve(),
};

/** Keeps a lease that was asked for at a moment. */
export const keptLease = (
  { sabotage }: World,
  machine: Life,
  lease: Parameters<typeof keepLine>[0],
  at: Moment,
): KeptLease => keepLine(lease, LEASE_TIMES, at, clockOf(sabotage, machine));

/** The clocks by which a machine judges its leases. */
export const clockOf = ({ hasOneClock = false }: Sabotage, machine: Life): LeaseClock =>
  hasOneClock ? { ...machine, now: () => ({ ...machine.now(), wall: -Infinity }) } : machine;

/** Fates of requests that one sender meets. */
const FATES = 10;

/** The way to the contact center of one process, which looks at its lease in the very turn in which a request leaves. */
export function wayOf(
  world: World,
  machine: Life,
  piece: number | null,
  mayBegin: MayBegin,
  left: (request: Request, what: string) => void,
): Way {
  const { books, story, senders, sabotage, counts } = world;
  const { scenario } = story;
  const from = senders.length * FATES;
  const rules = { ...scenario, fates: scenario.fates.slice(from, from + FATES) };
  const network = createNetwork(world, books, rules, {
    left: (request) => {
      const { operation, offerIds } = request;
      left(request, `${operation} for ${offerIds.join()} leaves`);
    },
  });
  senders.push({ machine, piece, network, isCut: false });
  const looking: Life = {
    ...machine,
    call: (start) =>
      machine.call(() => {
        const may = sabotage.isBlind || mayBegin();
        if (may === true) return start();
        counts.add('requests held back');
        return Promise.reject(may || new NotSentError('Given up before it was sent.', 'any'));
      }),
  };
  return network.wayOf(looking, SIMULATED);
}

/**
 * Requests of those before arrive at the latest when the contact center surely no longer works on them, which whoever
 * takes over counts from the taking.
 */
export function settleArrivals(world: World, piece: number | null): void {
  const { senders, timeline, story } = world;
  for (const sender of senders) {
    if (sender.isCut || (piece !== null && sender.piece !== piece)) continue;
    sender.network.cut(timeline.now() + story.scenario.serverDeadlineMs - 1);
    sender.isCut = true;
  }
}
