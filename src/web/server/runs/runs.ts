import { type StartedRun, startRun, type WatchedOptions } from '../../../run/import.js';
import { type OriginOfRejects, showRun, originOfRejects } from '../../../history/history.js';
import type { ImportResult } from '../../../run/requests.js';
import type { RunMode } from '../../../core/outcome.js';
import { maskedWords, type PageProblem, problemOf, problemOfStop, refusal } from '../problem.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError, UsageError } from '../../../core/errors.js';
import type { RunRecord } from '../../../core/ledger.js';
import { type OutcomeCounts, occurring } from '../../../core/outcome.js';
import { basename } from 'node:path';
import type { SiteBase, SiteSettings } from '../settings.js';

interface RunToStart {
  /** What it is: while such a run is at work, it is not started once more. Such as `import <list>`. */
  readonly key: string;
  /** The mode of an import, `undo` or `reconcile`. */
  readonly mode: RunMode;
  /** Such as `(options) => importFiles({ ...request, ...options })`. */
  readonly execute: (options: WatchedOptions) => Promise<ImportResult>;
  /** Called where all of it was done before, so that nothing was begun. */
  readonly onDone?: () => void;
}

export const undoKey = (run: string): string => `undo ${run}`;

interface Entry extends Pick<RunToStart, 'mode'> {
  readonly started: StartedRun;
  /** Set when it has ended early. */
  problem: PageProblem | null;
}

interface SiteOfRuns extends Pick<SiteBase, 'stop' | 'keep'> {
  readonly settings: Pick<SiteSettings, 'ledger' | 'mask'>;
}

/**
 * The runs that this server has started, by their ids; others are looked up in the ledger. A run of the page is a run
 * like any other: only its live state is kept here.
 */
export class Runs {
  readonly #entries = new Map<string, Entry>();
  readonly #starting = new Map<string, Promise<string>>();
  /** How many of them have no id yet. */
  #opening = 0;

  constructor(private readonly site: SiteOfRuns) {}

  /**
   * Starts a run, or finds the one of the same key that is at work. When the server ends, it stops gently.
   * @returns its id, as soon as it is open
   * @throws as the run does when it cannot begin
   */
  start(wanted: RunToStart): Promise<string> {
    const { key } = wanted;
    const found = this.#starting.get(key);
    if (found) return found;
    const started = startRun(wanted.execute);
    this.#opening++;
    const opened = this.#opened(started, wanted).finally(() => this.#opening--);
    this.#starting.set(key, opened);
    const over = Promise.allSettled([started.result]);
    this.site.keep(over);
    const { stop } = this.site;
    const stopRun = (): void => started.stop();
    if (stop.aborted) stopRun();
    stop.addEventListener('abort', stopRun, { once: true });
    void over.then(() => {
      this.#starting.delete(key);
      stop.removeEventListener('abort', stopRun);
    });
    return opened;
  }

  /** How a run stands now. @throws Refusal when there is no such run */
  async get(run: string): Promise<Live> {
    const entry = await this.#latest(run);
    return entry ? liveOf(run, entry, this.site.settings) : this.#recorded(run);
  }

  /** Whether this server works on the run at this moment. */
  isAtWork(run: string): boolean {
    const phase = this.#entries.get(run)?.started.state().phase;
    return phase !== undefined && !['finished', 'stopped', 'failed'].includes(phase);
  }

  /** Whether this server has begun a run of this key, which may have no id yet. */
  isBegun(key: string): boolean {
    return this.#starting.has(key);
  }

  /** Whether this server takes a run back at this moment: for all others it is at work then. */
  isUndoing(run: string): boolean {
    return this.isBegun(undoKey(run));
  }

  /** How a run stands from now on, to its end. @throws as `get` does, with the first state */
  async *live(run: string, signal: AbortSignal): AsyncGenerator<Live, void, undefined> {
    const entry = await this.#latest(run);
    if (!entry) {
      // For as long as another process works on it.
      while (!signal.aborted) {
        const began = performance.now();
        const live = await this.#recorded(run);
        const took = performance.now() - began;
        yield live;
        if (!live.elsewhere) return;
        await pause(Math.max(ASK_MS, took / ASKING_SHARE), signal);
      }
      return;
    }
    const { started } = entry;
    const over = Promise.allSettled([started.result]);
    for await (const { phase } of started.watch(signal)) {
      // What went wrong is known a moment after the last state.
      if (['stopped', 'failed'].includes(phase)) await started.result.catch(() => undefined);
      yield liveOf(run, entry, this.site.settings);
      await pause(EVERY_MS, signal, over);
    }
  }

  /** @throws Refusal when this server does not work on it */
  async control(run: string, what: 'pause' | 'continue' | 'stop'): Promise<Live> {
    const entry = await this.#latest(run);
    if (!entry) {
      const { elsewhere } = await this.#recorded(run);
      throw refusal(elsewhere ? 'works_elsewhere' : 'not_at_work', { values: { run } });
    }
    entry.started[what]();
    return liveOf(run, entry, this.site.settings);
  }

  /** Waits until the run has its id. */
  async #opened(started: StartedRun, { mode, onDone }: RunToStart): Promise<string> {
    for await (const { run, phase } of started.watch()) {
      if (run === null) continue;
      if (phase === 'finished' && (await started.result).already) onDone?.();
      const entry: Entry = { started, mode, problem: null };
      this.#entries.set(run, entry);
      void noteProblem(entry);
      return run;
    }
    // It has ended before it had one.
    return (await started.result).summary.run;
  }

  /** What is known here of a run, unless another process has gone on with it since: the ledger knows more then. */
  async #latest(run: string): Promise<Entry | undefined> {
    const entry = this.#entries.get(run);
    const phase = entry?.started.state().phase;
    if ((phase !== 'stopped' && phase !== 'failed') || this.#opening > 0) return entry;
    const { state } = await this.#recorded(run);
    const now = this.#entries.get(run);
    const isElsewhere = state === 'running' || state === 'finished' || state === 'open';
    // It may be continued right here meanwhile.
    return isElsewhere && now === entry && this.#opening === 0 ? undefined : now;
  }

  async #recorded(run: string): Promise<Live> {
    try {
      const record = await showRun(run, this.site.settings.ledger);
      const isDone = record.state === 'running' && this.isUndoing(run);
      return liveOfRecord(isDone ? { ...record, state: 'finished' } : record);
    } catch (error) {
      throw noSuchRun(error);
    }
  }
}

async function noteProblem(entry: Entry): Promise<void> {
  try {
    const { stopped, stoppedBy } = await entry.started.result;
    if (stopped !== undefined) entry.problem = problemOfStop(stopped, stoppedBy);
  } catch (error) {
    entry.problem = problemOf(error).problem;
  }
}

/** How long a watcher waits from one state to the next, in milliseconds: more often nobody can read. */
const EVERY_MS = 250;
/** How often the ledger is asked of a run of another process, in milliseconds. */
const ASK_MS = 2_000;
/** The ledger counts the rows of a run that is at work: that takes at most this share of the time. */
const ASKING_SHARE = 0.05;

/** Waits so long, or until nobody waits any more. */
async function pause(ms: number, signal: AbortSignal, over?: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const time = sleep(ms, undefined, { signal: AbortSignal.any([signal, timer.signal]) });
  await Promise.race([time.catch(() => undefined), ...(over ? [over] : [])]);
  timer.abort();
}

/** What is thrown where a run could not be looked up. */
export function noSuchRun(error: unknown): unknown {
  const isMissing =
    error instanceof UsageError || (error instanceof InputError && error.code === 'no_such_file');
  if (!isMissing) return error;
  return refusal('no_such_run');
}

const SHOWN_REASONS = 8;

/** Rows by outcome, without those that no row has. */
export const outcomesOf = (counts: Readonly<Partial<OutcomeCounts>>) =>
  occurring(counts).map(([outcome, count]) => ({ outcome, count }));

type LiveState =
  | Exclude<ReturnType<StartedRun['state']>['phase'], 'sending'>
  /** `running`: a process works on it; `open`: all is sent, and of some rows it is not known how they ended. */
  | RunRecord['state'];

/** How a run stands. */
export type Live = ReturnType<typeof liveOf>;

/** How a run stands that this server works on. */
function liveOf(
  run: string,
  { started, mode, problem }: Entry,
  { mask }: Pick<SiteSettings, 'mask'>,
) {
  const state = started.state();
  const { phase, total, outcomes, rows, share, waiting, warnings } = state;
  const { rowsPerSecond, inFlight, secondsLeft, seconds } = state;
  const isOpen = phase === 'finished' && outcomes.unknown > 0;
  return {
    ...{ run, mode, problem, rows, share, waiting, warnings },
    ...{ rowsPerSecond, inFlight, secondsLeft, seconds },
    state: (isOpen ? 'open' : phase === 'sending' ? 'running' : phase) as LiveState,
    /** Whether another process works on it: it cannot be paused or stopped from here. */
    elsewhere: false,
    /** Rows of the input; `null` while it is not known. */
    of: total?.rows ?? null,
    estimated: total?.exact === false,
    outcomes: outcomesOf(outcomes),
    reasons: state.reasons
      .slice(0, SHOWN_REASONS)
      .map(({ outcome, column, message: words, rows: count }) => ({
        ...{ outcome, column, rows: count },
        // Words of the contact center may repeat values of a row.
        message: column === null && mask ? maskedWords(words) : words,
      })),
  };
}

/** How a run stands that another process works on, or none any more, by what is on record. */
function liveOfRecord(record: RunRecord): Live {
  const { run, mode, state, rows, outcomes, waiting, createdAt, endedAt } = record;
  const isOver = state === 'finished' || state === 'open';
  return {
    ...{ run, mode, problem: null },
    state,
    elsewhere: state === 'running',
    rows: rows ?? 0,
    of: isOver ? rows : null,
    estimated: false,
    share: isOver ? 1 : 0,
    outcomes: outcomesOf(outcomes ?? {}),
    waiting: waiting?.rows ?? 0,
    ...{ rowsPerSecond: 0, inFlight: 0, secondsLeft: null },
    // Of one that broke off nobody knows when.
    seconds: state === 'broken_off' ? 0 : ((endedAt ?? Date.now()) - createdAt) / 1000,
    reasons: [],
    warnings: [],
  };
}

/** Where the rows of a file come from, as far as it is one of rejects. */
export async function rejectsOf(
  path: string | undefined,
  { ledger }: Pick<SiteSettings, 'ledger'>,
): Promise<OriginOfRejects | null> {
  return shownOrigin(path === undefined ? null : await originOfRejects(ledger, path));
}

/** Without the folder, which is nobody's concern but the server's. */
export const shownOrigin = (origin: OriginOfRejects | null): OriginOfRejects | null =>
  origin && { run: origin.run, file: basename(origin.file) };
