import { setTimeout as sleep } from 'node:timers/promises';
import { CardlineError, LedgerError, LedgerInUseError } from '../../core/errors.js';
import type { Fleet } from '../../fleet/fleet.js';
import { takeNext, type TakenWork } from '../../fleet/take-next.js';
import { type SharedStop, workerText } from '../../ledger/ledger.js';
import {
  type PieceOptions,
  type SuitedRun,
  type WorkedPiece,
  workOnPiece,
} from './work-on-piece.js';
import { USER_AGENT } from '../../client/user-agent.js';
import { forgetWorker, noteSeen, openShared, planOf } from '../../ledger/shared.js';
import type { RunOptions } from '../requests.js';
import { readSharedPlan, type ReadPlan, type SharedPlan } from './shared-plan.js';
import { connect } from '../connect/connect.js';
import { currentLists } from '../run/send-rows.js';

/** How a process works on pieces of shared runs. */
interface WorkOptions extends PieceOptions, SuitedRunsOptions {
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
      .catch((error: unknown) => this.#lose(error))
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#underWay.delete(task));
    this.#underWay.add(task);
  }

  async #workOn(run: SuitedRun, work: TakenWork): Promise<void> {
    const { onPiece, onWarning } = this.options;
    const { number } = work.lease;
    onPiece?.(run.run, number, 'taken');
    const worked = await workOnPiece(this.fleet, run, work, this.options);
    switch (worked.kind) {
      case 'ended':
        onPiece?.(run.run, number, 'ended');
        if (worked.endsRun) await this.fleet.jobs.end(run.run);
        return;
      case 'lost':
        onWarning(
          `Piece ${number} of run ${run.run} was not answered for in time, and is for others now.`,
        );
        return;
      case 'stopped':
        await this.#giveBack(worked.giveBack);
        this.#stop(run.run, worked);
    }
  }

  #stop(run: string, { why, stop }: Extract<WorkedPiece, { readonly kind: 'stopped' }>): void {
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

/** What others may want to know of a worker. */
interface Announced {
  readonly maxPieces: number;
  readonly installations?: readonly string[] | undefined;
  /** The one run that it works on. */
  readonly only?: string | undefined;
}

/** Lets others see this worker for as long as it is there. */
function announce(
  { connections, times }: Fleet,
  id: string,
  { maxPieces, installations, only }: Announced,
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

/** A run as it was looked at. */
interface Looked {
  readonly epoch: number;
  readonly at: number;
  readonly run: SuitedRun | null;
}

interface SuitedRunsOptions {
  readonly env: RunOptions['env'];
  /** Names of the installations whose runs are taken. @default all */
  readonly installations?: readonly string[] | undefined;
  /** The one run whose pieces are taken. @default any */
  readonly only?: string | undefined;
  readonly onWarning: (message: string) => void;
}

/** The runs whose pieces this process can take. Why it takes none of the others is said once. */
class SuitedRuns {
  readonly #looked = new Map<number, Looked>();

  constructor(
    private readonly fleet: Fleet,
    private readonly options: SuitedRunsOptions,
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

  async #look(one: Omit<SuitedRun, 'plan' | 'met'>, before: Looked | undefined): Promise<Looked> {
    const { env, installations, onWarning } = this.options;
    const text = await planOf(this.fleet.connections, one.place);
    const found =
      text === undefined
        ? ({ kind: 'not' } as const)
        : await suits(readSharedPlan(text), installations, env);
    const run =
      found.kind === 'suits'
        ? { ...one, plan: found.plan, met: before?.run?.met ?? { known: 'not asked' as const } }
        : null;
    if (found.kind === 'not' && found.why !== undefined && before?.epoch !== one.epoch)
      onWarning(`Nothing of run ${one.run} is taken: ${found.why}.`);
    const looked = { epoch: one.epoch, at: Date.now(), run };
    this.#looked.set(one.place, looked);
    return looked;
  }
}

/** Whether a process can work on a run. `why`: absent where the person did not want it to. */
type Suits =
  | { readonly kind: 'suits'; readonly plan: SharedPlan }
  | { readonly kind: 'not'; readonly why?: string };

/**
 * Looks whether this process has all that a run needs: the version that has handed it over, the secrets and certificates of
 * its installation, and its lists of numbers.
 */
async function suits(
  read: ReadPlan,
  installations: readonly string[] | undefined,
  env: RunOptions['env'],
): Promise<Suits> {
  const name = read.kind === 'own' ? read.plan.installation.name : read.installation;
  if (installations && !installations.includes(name)) return { kind: 'not' };
  if (read.kind === 'other')
    return {
      kind: 'not',
      why: `it was handed over by ${read.version}, and this is ${USER_AGENT}: use one version on all machines`,
    };
  const { plan } = read;
  const lists = currentLists(plan);
  try {
    const request: RunOptions = { installation: name, ...(env ? { env } : {}) };
    await connect(request, plan.installation).center.close();
    await lists?.current();
    return { kind: 'suits', plan };
  } catch (error) {
    if (!(error instanceof CardlineError)) throw error;
    return { kind: 'not', why: error.message };
  } finally {
    lists?.close();
  }
}
