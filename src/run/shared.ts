import {
  EXIT,
  type ExitCode,
  UsageError,
  CardlineError,
  LedgerError,
  LedgerInUseError,
  CanaryStop,
} from '../core/errors.js';
import { isPostgresAddress, type RunLedger } from '../core/ledger.js';
import { whole, defined } from '../core/text.js';
import {
  openFleet,
  type Fleet,
  takeNext,
  offerAgain,
  endCanaryOf,
  endWork,
  type NumberedChunk,
  unpackChunks,
} from '../fleet/fleet.js';
import { type LeaseTimes, type SharedStop, workerText } from '../ledger/port.js';
import {
  liveShared,
  leasedPieces,
  seenWorkers,
  sharedCounts,
  releaseShared,
  forgetWorker,
  noteSeen,
  openShared,
  planOf,
  noteStopped,
  type OpenShared,
  appenderOfShared,
  isFirstTaking,
  keepPiece,
  mayBeginFor,
  laterFactsOf,
} from '../ledger/shared.js';
import { z } from 'zod';
import { type OutcomeCounts, failuresIn, noOutcomes, rowsIn } from '../core/outcome.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { USER_AGENT } from '../client/contact-center.js';
import type { RunOptions } from './requests.js';
import { connect, connectRun, type Met, type Recovery } from './connect.js';
import type { RowsToSend } from './plan.js';
import { scoped } from './scoped.js';
import { currentLists, noLog, sendRows, serverDeadlineOf } from './send.js';
import { type Fact, reportRows } from '../core/facts.js';
import { MODE_TRAITS, MODES } from '../core/outcome.js';
import { type FailureLimit, changeRuleOf, exceeds } from '../delivery/import.js';
import type { DuplicateRule } from '../core/duplicates.js';
import type { Installation } from '../installation/installation.js';

/** A process that works on the pieces of shared runs. */
export interface WorkerRequest {
  /** Address of the ledger, `postgres://…`. */
  readonly ledger: string;
  /** Pieces that are worked on at a time. @default 2 */
  readonly maxPieces?: number | undefined;
  /** Names of the installations whose runs are taken. @default all */
  readonly installations?: readonly string[] | undefined;
  /** How long to wait for a database that does not answer, in milliseconds. @default 900000 */
  readonly giveUpAfterMs?: number | undefined;
  /** Times of leases: the same on all machines. @default 30 s, renewed every 5 s */
  readonly lease?: LeaseTimes | undefined;
  /** Environment for `${NAME}` in installations. @default that of the process */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Aborted to stop gently: what is in flight ends, and pieces are given back. */
  readonly signal: AbortSignal;
  /** Called with what a person may want to know. */
  readonly onNote: (message: string) => void;
}

/** Pieces of shared runs that a process works on at a time. */
export const PIECES_AT_A_TIME = 2;
/** How long a worker waits for its database, in milliseconds. */
export const GIVE_UP_MS = 900_000;

/**
 * Takes pieces of shared runs until it is stopped.
 * @throws UsageError, NoLedgerError where it cannot begin; LedgerError where its database was away for too long
 */
export async function executeWorker(request: WorkerRequest): Promise<ExitCode> {
  const { ledger, maxPieces = PIECES_AT_A_TIME, installations, onNote, signal, env } = request;
  if (!isPostgresAddress(ledger))
    throw new UsageError(
      'A worker needs the ledger that machines share: give --ledger postgres://…',
    );
  const fleet = await openFleet(ledger, request.lease);
  try {
    await fleet.jobs.sweep(() => liveShared(fleet.connections));
    onNote(`Working on pieces of ${fleet.connections.name}, ${maxPieces} at a time.`);
    await work(fleet, {
      ...{ maxPieces, installations, signal, env, onWarning: onNote },
      giveUpAfterMs: request.giveUpAfterMs ?? GIVE_UP_MS,
      onPiece: (run, number, what) => onNote(`Piece ${number} of run ${run}: ${what}.`),
      onStopped: (run, why) => {
        onNote(`Nothing can be sent for run ${run}: ${why.message} It is tried again.`);
        return true;
      },
      onRunStopped: (run, { by, bad }) => {
        const why =
          by === 'canary'
            ? 'too many of its first rows failed'
            : `${whole(bad)} of its rows did not end well, more than --max-failures allows`;
        onNote(
          `Nothing more is sent for run ${run}: ${why}. The command that began it writes the report.`,
        );
      },
    });
    return EXIT.ok;
  } finally {
    await fleet.close();
  }
}

const process = z.object({ pid: z.number(), host: z.string(), since: z.number() });
const about = z.object({
  version: z.string(),
  maxPieces: z.number(),
  /** Names of the installations that it works for; absent: all. */
  installations: z.array(z.string()).optional(),
  /** The one run that it works on, whose submitter it is. */
  only: z.string().optional(),
});

/** Who works on which runs now. */
/** Who works on which runs now. `since` is ISO 8601, `worker` is `pid on host`. */
export type FleetState = Awaited<ReturnType<typeof stateOf>>;

/** Looks again and again while it is open. @throws UsageError, LedgerError */
export async function openFleetView(
  ledger: string,
): Promise<{ look(): Promise<FleetState>; close(): Promise<void> }> {
  refuseOtherLedger(ledger);
  const fleet = await openFleet(ledger);
  return { look: () => stateOf(fleet), close: () => fleet.close() };
}

async function stateOf({ connections }: Fleet) {
  const workers = (await seenWorkers(connections)).flatMap(({ id, data, secondsAgo }) => {
    const [who, what] = [process.safeParse(JSON.parse(id)), about.safeParse(JSON.parse(data))];
    if (!who.success || !what.success) return [];
    const { pid, host, since } = who.data;
    return [{ host, pid, ...what.data, since: new Date(since).toISOString(), secondsAgo }];
  });
  const pieces = (await leasedPieces(connections)).map(({ worker, ...piece }) => {
    const who = process.safeParse(worker === '' ? null : JSON.parse(worker)).data;
    return { ...piece, worker: who ? `${who.pid} on ${who.host}` : '' };
  });
  return { workers, runs: await sharedCounts(connections), pieces };
}

/**
 * Takes a run back from the machines that share it, so that other commands work on it.
 * @throws UsageError, LedgerInUseError, LedgerError
 */
export async function releaseRun(ledger: string, run: string): Promise<void> {
  refuseOtherLedger(ledger);
  const fleet = await openFleet(ledger);
  try {
    await releaseShared(fleet.connections, run);
    await fleet.jobs.end(run);
  } finally {
    await fleet.close();
  }
}

/** @throws UsageError: a ledger in a file is that of one machine */
function refuseOtherLedger(ledger: string): void {
  if (!isPostgresAddress(ledger))
    throw new UsageError('Machines share a ledger in PostgreSQL: give --ledger postgres://…');
}

interface WorkOptions {
  readonly env: RunOptions['env'];
  /** Aborted to give pieces back gently. */
  readonly signal: AbortSignal;
  /** Called with what does not stop the work, in words for a person. */
  readonly onWarning: (message: string) => void;
  /** Names of the installations whose runs are taken. @default all */
  readonly installations?: readonly string[] | undefined;
  /** The one run whose pieces are taken. @default any */
  readonly only?: string | undefined;
  /** Pieces that are worked on at a time. */
  readonly maxPieces: number;
  /** Called when a piece was taken, and when it has ended. */
  readonly onPiece?: ((run: string, number: number, what: 'taken' | 'ended') => void) | undefined;
  /** Called when nothing can be sent for a run; whether work goes on. */
  readonly onStopped: (run: string, why: CardlineError) => boolean;
  /** Called when a run stops, whoever found out why. */
  readonly onRunStopped: (run: string, stop: SharedStop) => void;
  /** Called after each look for work; whether there is an end to it. */
  readonly isOver?: (() => Promise<boolean>) | undefined;
  /** How long the database may be away, in milliseconds. */
  readonly giveUpAfterMs: number;
}

/** How often work is looked for, in milliseconds. */
const POLL_MS = 500;
/** Pauses while the database is away, in milliseconds: the first, and the longest. */
const AWAY = { first: 500, longest: 30_000 };
/** How long nothing is taken of a run for which nothing could be sent, in milliseconds. */
const REST_MS = 30_000;

/**
 * Takes pieces and works on them until it is stopped, or there is an end to the work. While the database is away, it waits.
 * @throws LedgerError when it was away for too long
 */
export async function work(fleet: Fleet, options: WorkOptions): Promise<void> {
  const worker = new Worker(fleet, options);
  const presence = announce(fleet, worker.name, options);
  try {
    await worker.work();
  } finally {
    await worker.ended();
    await presence.end();
  }
  worker.throwFailure();
}

class Worker {
  readonly #runs: SuitedRuns;
  readonly name = workerText();
  readonly #underWay = new Set<Promise<void>>();
  /** Runs for which nothing could be sent, with the time until which nothing of them is taken. */
  readonly #resting = new Map<string, number>();
  /** What gives pieces back that could not be given back while the database was away. */
  readonly #owed: (() => Promise<void>)[] = [];
  #turn = 0;
  #isOver = false;
  #failure: unknown;
  /** When the database was lost, and the pause before it is asked again. */
  #away: { readonly since: number; pause: number } | undefined;

  constructor(
    private readonly fleet: Fleet,
    private readonly options: WorkOptions,
  ) {
    this.#runs = new SuitedRuns(fleet, options);
  }

  async work(): Promise<void> {
    const { signal, maxPieces, isOver } = this.options;
    while (!signal.aborted && !this.#isOver) {
      this.throwFailure();
      try {
        const isFull = this.#underWay.size >= maxPieces;
        const found = isFull ? undefined : await this.#take();
        if (isFull && this.#away) await this.#runs.list();
        await this.#back();
        if (found) {
          this.#begin(found);
          continue;
        }
        if (await isOver?.()) return;
      } catch (error) {
        this.#lose(error);
      }
      await this.#rest();
    }
  }

  /** Resolves when the pieces that were taken have ended or were given back. */
  async ended(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** @throws what has ended the work on a piece, where that was none of its ends */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure as Error;
  }

  async #take(): Promise<{ readonly run: SuitedRun; readonly work: TakenWork } | undefined> {
    const now = Date.now();
    const runs = (await this.#runs.list()).filter(
      ({ run }) => (this.#resting.get(run) ?? 0) <= now,
    );
    this.#turn++;
    for (const at of runs.keys()) {
      const run = runs[(at + this.#turn) % runs.length];
      const work = run && (await takeNext(this.fleet, run, this.name));
      if (work) return { run, work };
    }
    return undefined;
  }

  #begin({ run, work }: { readonly run: SuitedRun; readonly work: TakenWork }): void {
    const task: Promise<void> = this.#workOn(run, work)
      .then(async (afterwards) => {
        await afterwards();
      })
      .catch((error: unknown) => this.#lose(error))
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#underWay.delete(task));
    this.#underWay.add(task);
  }

  /**
   * Sends the clients of a piece, as an import that is continued does, and puts on record how its rows ended.
   * @returns what is to be done once the piece is let go of
   */
  async #workOn(run: SuitedRun, { lease, data, taken, canary }: TakenWork): Promise<() => unknown> {
    const { fleet, options } = this;
    options.onPiece?.(run.run, lease.number, 'taken');
    const { connections, times } = fleet;
    const { plan } = run;
    const over = new AbortController();
    const found: { outcomes: OutcomeCounts; stop?: SharedStop } = { outcomes: noOutcomes() };
    const stopFor = (stop: SharedStop): void => {
      found.stop ??= stop;
      over.abort();
    };
    const kept = keepPiece(connections, lease, times, taken, () => found.outcomes);
    const tally = { mode: plan.mode, unknown: () => found.outcomes.unknown, onStop: stopFor };
    const fence = { kind: 'piece', piece: lease, tally } as const;
    const facts = appenderOfShared(connections, run.run, run.place, fence);
    let isKept = true;
    try {
      const chunks = await unpackChunks(data);
      const [from, to] = [chunks[0]?.number ?? 0, chunks.at(-1)?.number ?? 0];
      const before = await laterFactsOf(connections, run.place, from, to);
      const factsBefore = [...before.values()].flat();
      // Whoever had the piece before, or the run before it was shared, may have lost answers.
      let isUnsettled =
        !isFirstTaking(lease) ||
        factsBefore.some(({ kind }) => INTENDED.has(kind) || LOST.has(kind));
      const ledger = ledgerOf(run, chunks, before, (chunk, all) => {
        isUnsettled ||= all.some(({ kind }) => LOST.has(kind));
        return facts.append(chunk, all);
      });
      const { env, onWarning } = options;
      const request: RunOptions = {
        ...{ ...defined(plan.options), installation: plan.installation.name, onWarning },
        ...{ ledger: connections.name, signal: AbortSignal.any([options.signal, over.signal]) },
        ...defined({ env, canary: canary?.clients }),
      };
      const canaryShare =
        canary &&
        ((failed: number) =>
          endCanaryOf(fleet, run.run, lease, (text) => passesBy(text, canary.failed + failed)));
      const {
        stopped,
        probes: _,
        ...sent
      } = await scoped(async (closing) => {
        const of = { run: run.run, met: run.met };
        const connection = await connectRun(request, plan.installation, closing, of);
        connection.gates.add(mayBeginFor(run.run, kept));
        return sendRows(request, rowsOf(plan, chunks), {
          ...{ run: ledger, connection, log: noLog(), warn: onWarning, counted: undefined },
          ...{ mappedAt: plan.mappedAt, canaryShare: canaryShare ?? undefined },
          onRead: ({ outcomes }) => {
            found.outcomes = outcomes;
          },
        });
      });
      await facts.idle();
      const { outcomes } = found;
      const lost = (): void =>
        onWarning(
          `Piece ${lease.number} of run ${run.run} was not answered for in time, and is for others now.`,
        );
      if (!stopped) {
        const [rows, ended] = [chunks.reduce((sum, { count }) => sum + count, 0), rowsIn(outcomes)];
        if (ended !== rows) throw new Error(`Of ${rows} rows of a piece, ${ended} have ended.`);
        const asBefore = factsBefore.reduce(
          (sum, fact) => (fact.kind === 'unchanged' ? sum + fact.rows.length : sum),
          0,
        );
        const unsettledMs = isUnsettled ? serverDeadlineOf(plan.installation.transport) : 0;
        const end = { ...sent, outcomes, asBefore, unsettledMs };
        const { isOwn, endsRun } = await endWork(fleet, run.run, lease, end);
        if (!isOwn) return lost;
        return async () => {
          options.onPiece?.(run.run, lease.number, 'ended');
          if (endsRun) await fleet.jobs.end(run.run);
        };
      }
      if (stopped instanceof LedgerInUseError || !kept.isHeld()) return lost;
      if (stopped instanceof CanaryStop) stopFor({ by: 'canary', bad: failuresIn(outcomes) });
      isKept = false;
      const { stop } = found;
      return async () => {
        // So that others need not wait for the end of its lease.
        await this.#giveBack(async () => {
          await kept.release(true);
          await offerAgain(fleet, run.run, lease.number);
          if (stop) await connections.transaction((queries) => noteStopped(queries, run.place));
        });
        this.#stop(run.run, stopped, stop);
      };
    } finally {
      if (isKept) await kept.release(false);
    }
  }

  /** `stop`: why nobody is to send anything more for the run; absent: somebody may. */
  #stop(run: string, why: CardlineError, stop: SharedStop | undefined): void {
    const { signal, onStopped, onRunStopped } = this.options;
    if (stop) onRunStopped(run, stop);
    if (stop || signal.aborted) return;
    if (why instanceof LedgerError) {
      this.#lose(why);
      return;
    }
    this.#resting.set(run, Date.now() + REST_MS);
    if (!onStopped(run, why)) this.#isOver = true;
  }

  /** Gives a piece back: where the database is away, once it answers. */
  async #giveBack(giveBack: () => Promise<void>): Promise<void> {
    try {
      await giveBack();
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      this.#owed.push(giveBack);
    }
  }

  /** @throws what is no loss of the database, or one that lasts for too long */
  #lose(error: unknown): void {
    if (error instanceof LedgerInUseError) return;
    if (!(error instanceof LedgerError)) throw error;
    const { onWarning, giveUpAfterMs } = this.options;
    if (!this.#away) {
      this.#away = { since: performance.now(), pause: AWAY.first };
      onWarning(`${error.message} Nothing new is sent until it answers.`);
    }
    if (performance.now() - this.#away.since > giveUpAfterMs) throw error;
  }

  async #back(): Promise<void> {
    if (!this.#away) return;
    const seconds = Math.round((performance.now() - this.#away.since) / 1000);
    this.#away = undefined;
    this.options.onWarning(`The ledger answers again after ${seconds} s, and work goes on.`);
    for (const giveBack of this.#owed.splice(0)) await this.#giveBack(giveBack);
  }

  /** Waits until there may be work; a piece that ends makes room for another. */
  async #rest(): Promise<void> {
    const away = this.#away;
    const pause = away ? away.pause : POLL_MS;
    if (away) away.pause = Math.min(AWAY.longest, away.pause * 2);
    const isFull = this.#underWay.size >= this.options.maxPieces;
    const waits: Promise<unknown>[] = [
      sleep(pause, undefined, { signal: this.options.signal }).catch(() => undefined),
    ];
    if (!away && isFull) waits.push(...this.#underWay);
    await Promise.race(waits);
  }
}

/** Lets others see this worker for as long as it is there. */
function announce(
  { connections, times }: Fleet,
  id: string,
  { maxPieces, installations, only }: WorkOptions,
): { readonly end: () => Promise<void> } {
  const data = JSON.stringify({ version: USER_AGENT, maxPieces, installations, only });
  let noting: Promise<void> = Promise.resolve();
  const note = (): void => {
    // One after the other: none may arrive behind the end. While the database is away, nobody sees anything of anybody.
    noting = noting.then(() => noteSeen(connections, id, data)).catch(ifAway);
  };
  note();
  const timer = setInterval(note, times.renewMs);
  timer.unref();
  return {
    end: async () => {
      clearInterval(timer);
      await noting;
      await forgetWorker(connections, id).catch(ifAway);
    },
  };
}

function ifAway(error: unknown): void {
  if (!(error instanceof LedgerError)) throw error;
}

/** After so long a run that did not suit is looked at again, in milliseconds: what it lacks may be there by now. */
const AGAIN_MS = 60_000;

interface Looked {
  readonly epoch: number;
  readonly at: number;
  readonly run: SuitedRun | null;
}

/** The runs whose pieces this process can take. Why it takes none of the others is said once. */
class SuitedRuns {
  readonly #looked = new Map<number, Looked>();

  constructor(
    private readonly fleet: Fleet,
    private readonly options: WorkOptions,
  ) {}

  /** Those that are open now, in turn: each time another one is the first. */
  async list(): Promise<SuitedRun[]> {
    const { only } = this.options;
    const open = await openShared(this.fleet.connections);
    const suited: SuitedRun[] = [];
    for (const one of open) {
      if (only !== undefined && one.run !== only) continue;
      const known = this.#looked.get(one.place);
      const isKnown =
        known?.epoch === one.epoch && (known.run !== null || Date.now() - known.at < AGAIN_MS);
      const looked = isKnown ? known : await this.#look(one, known);
      if (looked.run) suited.push(looked.run);
    }
    const places = new Set(open.map(({ place }) => place));
    for (const place of this.#looked.keys()) if (!places.has(place)) this.#looked.delete(place);
    return suited;
  }

  async #look(one: OpenShared, before: Looked | undefined): Promise<Looked> {
    const found = await suitedPlan(await planOf(this.fleet.connections, one.place), this.options);
    if (typeof found === 'string' && before?.epoch !== one.epoch)
      this.options.onWarning(`Nothing of run ${one.run} is taken: ${found}.`);
    const run =
      typeof found === 'object'
        ? { ...one, plan: found, met: before?.run?.met ?? { known: 'not asked' as const } }
        : null;
    const looked = { epoch: one.epoch, at: Date.now(), run };
    this.#looked.set(one.place, looked);
    return looked;
  }
}

/**
 * Looks whether this process has all that a run needs: the version that has handed it over, the secrets and certificates of
 * its installation, and its lists of numbers.
 * @returns its plan, or why the run does not suit: `undefined` where the person did not want it to
 */
async function suitedPlan(
  text: string | undefined,
  { installations, env }: Pick<WorkOptions, 'installations' | 'env'>,
): Promise<SharedPlan | string | undefined> {
  if (text === undefined) return undefined;
  const json: unknown = JSON.parse(text);
  const { version, installation } = versionOnly.parse(json);
  if (installations && !installations.includes(installation.name)) return undefined;
  if (version !== USER_AGENT)
    return `it was handed over by ${version}, and this is ${USER_AGENT}: use one version on all machines`;
  const plan = sharedPlan.parse(json);
  const lists = currentLists(plan);
  try {
    const request: RunOptions = { installation: installation.name, ...(env ? { env } : {}) };
    await connect(request, plan.installation).center.close();
    await lists?.current();
    return plan;
  } catch (error) {
    if (!(error instanceof CardlineError)) throw error;
    return error.message;
  } finally {
    lists?.close();
  }
}

type TakenWork = NonNullable<Awaited<ReturnType<typeof takeNext>>>;

interface SuitedRun extends OpenShared {
  readonly plan: SharedPlan;
  /** What a first request has shown of the contact center. */
  readonly met: Met;
}

/** Facts of requests whose answers were lost, and of those that were about to be sent. */
const LOST: ReadonlySet<Fact['kind']> = new Set([
  'create_unknown',
  'enqueue_unknown',
  'change_unknown',
]);
const INTENDED: ReadonlySet<Fact['kind']> = new Set(['creating', 'enqueuing', 'changing']);

/** The ledger as an import has it, for the chunks of a piece. `later`: what is on record of them beside the rows. */
function ledgerOf(
  { run, settlesAll, plan }: SuitedRun,
  chunks: readonly NumberedChunk[],
  later: ReadonlyMap<number, readonly Fact[]>,
  record: RunLedger['record'],
): RunLedger {
  const facts = new Map(
    chunks.map(({ number, read }): [number, readonly Fact[]] => [
      number,
      [{ kind: 'read', data: read }, ...(later.get(number) ?? [])],
    ]),
  );
  const enqueues = MODE_TRAITS[plan.mode].enqueues && plan.campaign !== null;
  return {
    ...{ run, settlesAll, record, continued: true },
    factsOf: (chunk) => Promise.resolve(facts.get(chunk) ?? []),
    // Those of the piece as it was taken, of which a canary may have been sent.
    rows: () => Promise.resolve(reportRows(facts.values(), enqueues)),
    waiting: () => Promise.resolve({ rows: 0, withCard: 0 }),
    end: () => Promise.resolve(),
  };
}

function rowsOf(plan: SharedPlan, chunks: readonly NumberedChunk[]): RowsToSend {
  const { mode, campaign } = plan;
  return {
    ...plan,
    chunks: async function* () {
      for (const chunk of chunks) yield await Promise.resolve(chunk);
    },
    changeRule: (changes) => changeRuleOf(mode, changes, campaign?.id ?? null),
  };
}

const countOrAuto = z.union([z.number(), z.literal('auto')]);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** What workers need to know of a run. The same version has written it: what is inside of it is not checked again. */
const sharedPlan = z.object({
  version: z.string(),
  /** As its file describes it, with placeholders in place of secrets. */
  installation: z.custom<Installation>(isObject),
  mode: z.enum(MODES),
  campaign: z.custom<RowsToSend['campaign']>(),
  duplicates: z.custom<DuplicateRule>(),
  identifierNames: z.array(z.string()),
  inputs: z.array(z.string()),
  recovery: z.custom<Recovery>(isObject),
  /** When rows began to be mapped, in milliseconds since the epoch. */
  mappedAt: z.number(),
  options: z.object({
    batchSize: countOrAuto.optional(),
    concurrency: countOrAuto.optional(),
    giveUpAfterMs: z.number().optional(),
    requestsPerSecond: z.number().optional(),
    clientsPerSecond: z.number().optional(),
    priority: z.number().optional(),
  }),
  /** Clients that go first over all pieces, and how many rows may end badly. */
  canary: z.number(),
  maxFailures: z.custom<FailureLimit>(isObject).optional(),
});

type SharedPlan = z.infer<typeof sharedPlan>;

/** Whether a canary with so many failures passes by this plan: not that of its taking, which a command may have replaced. */
function passesBy(plan: string, failed: number): boolean {
  const { canary, maxFailures = { count: 0 } } = sharedPlan.parse(JSON.parse(plan));
  return !exceeds(failed, maxFailures, canary);
}

const versionOnly = z.object({
  version: z.string(),
  installation: z.object({ name: z.string() }),
});

/** What workers need to know of a run, as it is kept with it. */
export function sharedPlanText(request: RunOptions, plan: RowsToSend): string {
  const { installation, mode, campaign, duplicates, identifierNames, inputs, recovery } = plan;
  const { batchSize, concurrency, giveUpAfterMs, requestsPerSecond, clientsPerSecond } = request;
  const { priority, canary = 0, maxFailures } = request;
  return JSON.stringify({
    version: USER_AGENT,
    ...{ installation, mode, campaign, duplicates, identifierNames, inputs, recovery },
    ...{ mappedAt: Date.now(), canary, maxFailures },
    options: defined({
      ...{ batchSize, concurrency, giveUpAfterMs, requestsPerSecond, clientsPerSecond, priority },
    }),
  });
}
