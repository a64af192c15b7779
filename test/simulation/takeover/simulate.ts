import {
  LedgerError,
  LedgerInUseError,
  NotSentError,
  RunTakenError,
  CanaryStop,
  TooManyStop,
} from '../../../src/core/errors.js';
import { reportRows, waitingIn } from '../../../src/core/facts.js';
import type { MayBegin } from '../../../src/core/ledger.js';
import type { RowReport } from '../../../src/core/report.js';
import { factAppender } from '../../../src/ledger/postgres.js';
import type { Connections, Queries } from '../../../src/ledger/database.js';
import { type KeptLease, type LookAgain, keepLine, patiently } from '../../../src/ledger/lease.js';
import { runTaken } from '../../../src/ledger/store.js';
import { type RunRequest, LEASE_TIMES } from '../../../src/ledger/port.js';
import type { FailureLimit } from '../../../src/delivery/failures.js';
import { runImport } from '../../../src/delivery/import.js';
import type { ImportSettings } from '../../kit/import-settings.js';
import { type Books, createBooks } from '../books.js';
import { type Machine, startMachine } from '../fleet/machine.js';
import { type Input, inputOf } from '../input.js';
import { checkEnd } from '../invariants.js';
import { type Network, createNetwork } from '../network.js';
import { allMicrotasks, createSeen, settingsOf } from '../process.js';
import { createRandom } from '../random.js';
import type { Crash } from '../scenario.js';
import { type Timeline, createTimeline } from '../timeline.js';
import { isReading } from '../watch/watcher.js';
import type { Starter, Story } from './story.js';
import { type OpenedOnce, Tables, type Unfenced } from './tables.js';

/** Wrong behaviour, to see it noticed. */
export interface Sabotage {
  readonly unfenced?: Unfenced;
  /** Requests leave without a look at the lease. */
  readonly isBlind?: boolean;
  /** Only the clock counts that stands still while the machine sleeps. */
  readonly hasOneClock?: boolean;
  /** What others have ended since the command began is nothing to it. */
  readonly forgetsBegin?: boolean;
  readonly settings?: (settings: ImportSettings) => ImportSettings;
}

const COUNTED = [
  'kills',
  'stops',
  'pauses',
  'lost statements',
  'held statements',
  'refused',
  'lost',
  'requests held back',
  'canary failed',
  'too many failures',
] as const;
type Counts = Record<(typeof COUNTED)[number], number>;

/** What a simulation came to. */
export interface Tale {
  readonly counts: Counts & Tables['counts'];
}

interface Sender {
  readonly machine: Machine;
  readonly network: Network;
  isCut: boolean;
}

interface World {
  readonly story: Story;
  readonly input: Input;
  readonly timeline: Timeline;
  readonly random: () => number;
  readonly books: Books;
  readonly tables: Tables;
  readonly sabotage: Sabotage;
  readonly violations: string[];
  readonly counts: Counts;
  readonly senders: Sender[];
  readonly limit: { inForce: FailureLimit | null };
  /** When a process stopped last for its canary. */
  readonly sick: { at: number };
}

const MAX_EVENTS = 300_000;
const LONGEST_MS = 12 * 3_600_000;
/** After how long somebody begins the import again that has not come to its end. */
const AGAIN_MS = 20_000;
const STATEMENT_MS = LEASE_TIMES.leaseMs / 2;
/** Fates of requests that one process meets. */
const FATES = 10;
const SOME_CRASH: Crash = { when: { ms: 0 }, kept: 0, gapMs: 0 };

const REQUEST: RunRequest = {
  identity: {
    ...{ inputs: ['leads.csv'], content: 'cc', mapping: 'mm', campaignId: 1 },
    installation: 'demo http://localhost offerId',
  },
  settings: {},
  out: () => 'runs',
};

const rowsOf = ({ tables, story }: World): RowReport[] => [
  ...reportRows(tables.allFacts(), story.scenario.campaign !== 'none'),
];

/**
 * The same import on several machines, which are killed, paused, put to sleep and cut off, until it is at its end. The same
 * story gives the same tale.
 * @throws Error that names what must not have been.
 */
export async function simulate(story: Story, sabotage: Sabotage = {}): Promise<Tale> {
  const { scenario, starters } = story;
  const input = inputOf(scenario);
  const timeline = createTimeline();
  const world: World = {
    ...{ story, input, timeline, sabotage, violations: [], senders: [], sick: { at: -Infinity } },
    random: createRandom(scenario.seed),
    books: createBooks(input.kinds, scenario),
    tables: new Tables(timeline, story.ledger === 'file', sabotage.unfenced),
    counts: Object.fromEntries(COUNTED.map((what) => [what, 0])) as Counts,
    limit: { inForce: scenario.maxFailures },
  };
  await finish(world, Promise.all(starters.map((starter, place) => again(world, starter, place))));
  timeline.pass(scenario.serverDeadlineMs + LEASE_TIMES.leaseMs);
  const { violations, tables, books, counts } = world;
  const judged = { ...scenario, crashes: [SOME_CRASH] };
  const state = tables.row?.state;
  if (violations.length === 0 && state !== 'finished')
    violations.push(`the run is ${state} on record`);
  if (violations.length === 0)
    violations.push(...checkEnd(judged, input, { rows: rowsOf(world), books }));
  if (violations.length > 0) throw new Error(violations.slice(0, 5).join('\n'));
  return { counts: { ...counts, ...tables.counts } };
}

/** Begins the import, and again whenever it has not come to its end. */
async function again(world: World, starter: Starter, place: number): Promise<void> {
  const { at, rate, troubles, preparesMs } = starter;
  const { timeline, counts, senders, story } = world;
  await new Promise<void>((resolve) => timeline.after(at, resolve));
  for (let life = 0; ; life++) {
    const trouble = troubles[life] ?? undefined;
    const isDone = await new Promise<boolean>((resolve) => {
      const machine = startMachine(timeline, {
        ...{ rate, trouble },
        onPaused: () => {
          counts.pauses++;
          // Somebody begins it anew beside the one that does not answer.
          if (story.starters.length === 1) resolve(false);
        },
        onKilled: () => {
          counts.kills++;
          const until = timeline.now() + LEASE_TIMES.leaseMs + story.scenario.serverDeadlineMs;
          for (const sender of senders)
            if (sender.machine === machine && !sender.isCut) sender.network.cut(until);
          resolve(false);
        },
      });
      command(world, machine, place, preparesMs).then(
        (isAtEnd) => {
          if (machine.signal.aborted) counts.stops++;
          machine.end();
          resolve(isAtEnd);
        },
        (error: unknown) =>
          world.violations.push(error instanceof Error ? `${error.stack}` : 'thrown'),
      );
    });
    if (isDone) return;
    const gapMs = trouble && 'gapMs' in trouble ? trouble.gapMs : AGAIN_MS;
    await new Promise<void>((resolve) => timeline.after(gapMs, resolve));
  }
}

/** One command; resolves with whether the import is at its end. */
async function command(
  world: World,
  machine: Machine,
  place: number,
  preparesMs: number,
): Promise<boolean> {
  const { counts } = world;
  const ask = createWire(world, machine, place);
  try {
    const taken = await open(world, machine, ask, preparesMs);
    if (taken === 'done') return true;
    return await workOn(world, machine, ask, taken);
  } catch (error) {
    if (error instanceof RunTakenError) counts.lost++;
    else if (error instanceof LedgerInUseError) counts.refused++;
    else if (!(error instanceof LedgerError)) throw error;
    return false;
  }
}

type Ask = <T>(execute: (tables: Tables) => T | Promise<T>) => Promise<T>;

interface Taken extends OpenedOnce {
  readonly begun: number;
  readonly kept: KeptLease | null;
}

async function open(
  world: World,
  machine: Machine,
  ask: Ask,
  preparesMs: number,
): Promise<Taken | 'done'> {
  const { timeline, story, sabotage, senders, tables } = world;
  const begun = timeline.now();
  await machine.sleep(preparesMs);
  const openOnce = async (lookAgain: LookAgain): Promise<Taken | 'done'> => {
    const opened = await ask(async () => {
      await lookAgain(leasesAtOnce(tables));
      const begunMs = sabotage.forgetsBegin ? 0 : timeline.now() - begun;
      const found = tables.open(REQUEST, machine, begunMs);
      // Requests of those who had it before arrive as long as a contact center works on them, counted from now on.
      if (found.kind === 'open')
        for (const sender of senders)
          if (!sender.isCut) {
            sender.network.cut(timeline.now() + story.scenario.serverDeadlineMs - 1);
            sender.isCut = true;
          }
      return found;
    });
    if (opened.kind === 'done') return 'done';
    if (opened.kind !== 'open') throw new Error(`The run is ${opened.kind}.`);
    return { ...opened, begun, kept: null };
  };
  if (story.ledger === 'file') return openOnce(() => Promise.resolve());
  // The moment before the statement is sent, as the process has it.
  const before = { at: machine.now() };
  const found = await patiently(
    { ...NO_CONNECTIONS, rows: (_text, values) => ask((now) => leasesIn(now, values)) },
    LEASE_TIMES,
    (lookAgain) => {
      before.at = machine.now();
      return openOnce(lookAgain);
    },
    { clock: { now: () => machine.now().monotonic, sleep: (ms) => machine.sleep(ms) } },
  );
  if (found === 'done') return found;
  const { epoch } = found;
  const clock = sabotage.hasOneClock
    ? { ...machine, now: () => ({ ...machine.now(), wall: -Infinity }) }
    : machine;
  const kept = keepLine(
    {
      renew: () => ask((now) => now.renew(epoch)),
      giveBack: () => ask((now) => now.giveBack(epoch)),
    },
    ...([LEASE_TIMES, before.at, clock] as const),
  );
  return { ...found, kept };
}

// Of this sim's one statement with rows, only what it finds is of interest.
const leasesIn = <Row>(tables: Tables, _values: unknown): Row[] => tables.leases() as Row[];

const leasesAtOnce = (tables: Tables): Queries => ({
  ...NO_CONNECTIONS,
  rows: <Row>() => Promise.resolve(leasesIn<Row>(tables, [])),
});

/** Sends the rows of a run that was opened; resolves with whether it is at its end. */
async function workOn(
  world: World,
  machine: Machine,
  ask: Ask,
  { epoch, continued, brokeOff, begun, kept }: Taken,
): Promise<boolean> {
  const { story, tables, sabotage, random, input, counts, limit, sick } = world;
  const campaign = story.scenario.campaign !== 'none';
  const mayBegin: MayBegin = () =>
    kept === null || (kept.isLost() ? runTaken('simulated') : kept.isHeld());
  const facts = factAppender(NO_CONNECTIONS, {
    run: 'simulated',
    insert: (_queries, all) => ask((now) => now.append(epoch, all)),
  });
  const network = createSender(world, machine, epoch, begun);
  const settings = settingsOf({ ...story, ...world });
  try {
    const { stopped } = await runImport({
      chunks: (async function* () {
        for (const chunk of input.chunks) yield await Promise.resolve(chunk);
      })(),
      ledger: {
        ...{ run: 'simulated', continued, brokeOff, settlesAll: false },
        record: (chunk, all) => facts.append(chunk, all),
        factsOf: (chunk) => ask((now) => now.factsOf(chunk)),
        rows: () => ask(() => rowsOf(world)),
        waiting: () => ask((now) => waitingIn(now.allFacts(), campaign)),
        end: () => Promise.resolve(),
      },
      ...{ random, seen: createSeen(), clock: machine.clock, signal: machine.signal },
      center: network.deliveryOf(looking(world, machine, mayBegin)),
      ...(sabotage.settings?.(settings) ?? settings),
    });
    await facts.idle();
    if (stopped instanceof RunTakenError) throw stopped;
    const isSick = stopped instanceof CanaryStop;
    if (stopped instanceof TooManyStop) {
      counts['too many failures']++;
      limit.inForce = null;
    }
    const unknown = rowsOf(world).some(({ outcome }) => outcome === 'unknown');
    const state = stopped ? 'stopped' : unknown ? 'open' : 'finished';
    const isOwn = await ask((now) => {
      const isRecorded = now.end(epoch, state);
      if (isRecorded && !now.isOwn(epoch))
        world.violations.push(`"${state}" is put on record although the run is another's`);
      if (isRecorded && isSick) sick.at = world.timeline.now();
      return isRecorded;
    });
    if (!isOwn) throw runTaken('simulated');
    if (isSick) counts['canary failed']++;
    return state === 'finished';
  } finally {
    if (kept) await kept.release(true).catch(() => undefined);
    else tables.giveBack(epoch);
  }
}

/** The lease is looked at in the very turn in which a request leaves. */
function looking({ sabotage, counts }: World, machine: Machine, mayBegin: MayBegin): Machine {
  if (sabotage.isBlind) return machine;
  return {
    ...machine,
    call: (start) =>
      machine.call(() => {
        const may = mayBegin();
        if (may === true) return start();
        counts['requests held back']++;
        return Promise.reject(may || new NotSentError('Given up before it was sent.', 'any'));
      }),
  };
}

/** A way to the contact center for one process. */
function createSender(world: World, machine: Machine, epoch: number, begun: number): Network {
  const { timeline, books, story, random, senders, violations, tables, sick, input } = world;
  const { scenario } = story;
  const from = senders.length * FATES;
  const rules = { ...scenario, fates: scenario.fates.slice(from, from + FATES) };
  const clients = input.rows.flatMap(({ kind, offerId }) =>
    offerId === null || kind === 'repeat' ? [] : [offerId],
  );
  const canary = new Set(clients.slice(0, scenario.canary));
  const network = createNetwork(timeline, books, rules, random, {
    left: (request) => {
      const { operation, offerIds } = request;
      const what = `${operation} for ${offerIds.join()} leaves`;
      if (!tables.isOwn(epoch)) violations.push(`${what} although the run is another's`);
      if (isReading(request)) return;
      if (begun < sick.at && offerIds.some((offerId) => !canary.has(offerId)))
        violations.push(`${what}, by a command that began before the canary had stopped`);
    },
    ended: () => undefined,
  });
  senders.push({ machine, network, isCut: false });
  return network;
}

/** The way from a machine to the ledger. In a file, a statement is at most late. */
function createWire(world: World, machine: Machine, place: number): Ask {
  const { timeline, story, random, tables, counts } = world;
  const isFile = story.ledger === 'file';
  const latency = (): number => random() * (isFile ? story.scenario.flushMs : story.databaseMs);
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
      counts[cut.isHeld ? 'held statements' : 'lost statements']++;
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
          const answer = async (): Promise<void> => {
            try {
              // A process that has died writes nothing to a file.
              if (isFile && !machine.isAlive()) return;
              const found = await execute(tables);
              carry(() => {
                timeout.cancel();
                machine.tell(() => resolve(found));
              });
            } catch (error) {
              carry(() => {
                timeout.cancel();
                machine.tell(() => reject(asError(error)));
              });
            }
          };
          carry(() => void answer());
        }),
    );
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
      violations.push(`the run goes on for ever: ${events} events, ${timeline.now()} ms`);
    else if (!timeline.next()) violations.push('nothing will ever happen again');
  }
}

const noConnection = (): Promise<never> => Promise.reject(new Error('There are no connections.'));

const NO_CONNECTIONS: Connections = {
  name: 'simulated',
  rows: noConnection,
  run: noConnection,
  transaction: noConnection,
  close: () => Promise.resolve(),
};

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
