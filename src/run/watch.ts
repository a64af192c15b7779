import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunLedger } from '../core/ledger.js';
import {
  noOutcomes,
  type OutcomeCounts,
  type Outcome,
  rowsIn,
  type ProblemCount,
} from '../core/outcome.js';
import { isInterruption, UsageError, DeadlineStop } from '../core/errors.js';
import {
  type Clock,
  systemClock,
  momentNow,
  nextTimeOfDay,
  parseTimeOfDay,
  timeOfDayText,
  EVERY_DAY,
} from '../core/time.js';
import {
  type ImportState,
  type PausePort,
  type ReadSoFar,
  type RowTotal,
  totalOf,
} from '../delivery/import.js';
import type { ImportResult, RunOptions, RunWatcher } from './requests.js';
import type { Fact } from '../core/facts.js';
import { shortened } from '../core/text.js';
import type { RunObserver } from '../core/report.js';

/** What a run that is watched is given in addition to its request. */
export type WatchedOptions = Required<Pick<RunOptions, 'signal' | 'watcher' | 'onWarning'>>;

/** A run under way, or at its end. */
export interface StartedRun<R = ImportResult> {
  state(): RunState;
  /** The states from now on, at most ten a second, to the last one. `signal`: ends the watching, and not the run. */
  watch(signal?: AbortSignal): AsyncGenerator<RunState, void, undefined>;
  /** As the run resolves and rejects. */
  readonly result: Promise<R>;
  /** Sends nothing new until `continue`; what is in flight ends. */
  pause(): void;
  continue(): void;
  /** As Ctrl-C does: what is in flight ends, the report is written, and the run can be continued. */
  stop(): void;
}

/** How long a watcher waits from one state to the next. */
const EVERY_MS = 100;
const MAX_WARNINGS = 20;
const MAX_SHOWN = 20;

/**
 * Starts a run, such as `(options) => importFiles({ ...request, ...options })`, to be watched, paused and stopped.
 * @param from aborted to stop it, as `stop` does
 */
export function startRun(
  execute: (options: WatchedOptions) => Promise<ImportResult>,
  from?: AbortSignal,
): StartedRun {
  const stop = new AbortController();
  const signal = from ? AbortSignal.any([from, stop.signal]) : stop.signal;
  const pause = createPause(systemClock);
  const progress = new RunProgress(pause, signal);
  const onWarning = (message: string): void => {
    progress.warn(message);
  };
  const running = execute({ signal, watcher: progress, onWarning }).then(
    (ended) => {
      progress.end(ended.stopped === undefined ? 'finished' : 'stopped', ended);
      return ended;
    },
    (error: unknown) => {
      progress.end(isInterruption(error) ? 'stopped' : 'failed');
      throw error;
    },
  );
  return {
    ...watchable(progress, running),
    pause: () => {
      pause.pause();
      progress.announceUntilIdle();
    },
    continue: () => {
      progress.forgetRate();
      pause.continue();
      progress.onChange();
    },
    stop: () => {
      stop.abort();
      progress.announceUntilIdle();
    },
  };
}

/** Some work with its states, for whoever watches it. `progress`: knows them, and says when there is another one. */
export function watchable<S, R>(progress: { state(): S; onChange: () => void }, work: Promise<R>) {
  const latest = new Latest(() => progress.state());
  progress.onChange = () => {
    latest.announce();
  };
  const result = work.finally(() => {
    latest.announce(true);
  });
  // Whoever asks for the result gets the error.
  result.catch(() => undefined);
  return {
    state: () => progress.state(),
    watch: (signal?: AbortSignal) => latest.watch(signal),
    result,
  };
}

/** Rows in a second over the last few seconds. */
class RecentRate {
  #samples: { readonly at: number; readonly rows: number }[] = [];

  add(at: number, rows: number): void {
    const last = this.#samples.at(-1);
    if (last && at - last.at < STEP_MS) return;
    this.#samples.push({ at, rows });
    // One that is older is kept, so that the window is full.
    while ((this.#samples[1]?.at ?? at) < at - WINDOW_MS) this.#samples.shift();
  }

  /** Forgets what was: the time of a pause is no time of work. */
  clear(): void {
    this.#samples = [];
  }

  at(now: number, rows: number): number {
    const [first] = this.#samples;
    const ms = first ? now - first.at : 0;
    return first && ms >= STEP_MS ? ((rows - first.rows) * 1000) / ms : 0;
  }
}

/** How far two samples are apart at least. */
const STEP_MS = 200;

/** How long back the rate looks, in milliseconds. */
const WINDOW_MS = 5000;

/** Counts why rows of a run do not end well, from its facts. Memory does not grow with the rows. */
class RecentReasons {
  readonly #reasons = new Map<string, RecentReason>();

  addFacts(facts: readonly Fact[]): void {
    for (const fact of facts)
      if (fact.kind === 'created')
        for (const [, , refusal] of fact.results) this.#addRefusal('failed', refusal);
      else if (fact.kind === 'enqueued')
        for (const [, refusal] of fact.results) this.#addRefusal('enqueue_failed', refusal);
      else if (fact.kind === 'changed')
        for (const [, refusal] of fact.results) this.#addRefusal('failed', refusal ?? undefined);
  }

  addProblems(problems: readonly ProblemCount[]): void {
    for (const { column, code, message, count } of problems)
      this.#add({ outcome: 'rejected', column, code, message }, count);
  }

  /** The latest first. */
  list(count: number): RecentReason[] {
    return [...this.#reasons.values()]
      .sort((a, b) => b.at - a.at || b.rows - a.rows)
      .slice(0, count);
  }

  #addRefusal(outcome: RecentReason['outcome'], refusal: string | undefined): void {
    if (refusal === undefined) return;
    const message = shortened(refusal).replace(NUMBER, '…');
    this.#add({ outcome, column: null, code: null, message }, 1);
  }

  #add(reason: Omit<RecentReason, 'rows' | 'at'>, rows: number): void {
    const key = JSON.stringify(Object.values(reason));
    const found = this.#reasons.get(key);
    if (!found && this.#reasons.size >= MAX_KEPT) return;
    this.#reasons.set(key, { ...reason, rows: (found?.rows ?? 0) + rows, at: systemClock.now() });
  }
}

/** The contact center may put a row's values into each message. */
const MAX_KEPT = 1000;

const NUMBER = /\d+/g;

/** What is known of a run while it is at work. A state is put together when somebody asks for it. */
class RunProgress implements RunWatcher {
  onChange: () => void = () => undefined;
  readonly #started = systemClock.now();
  readonly #reasons = new RecentReasons();
  readonly #rate = new RecentRate();
  readonly #warnings: string[] = [];
  #run: { readonly id: string; readonly isContinued: boolean; readonly out: string } | undefined;
  #state: ImportState | undefined;
  #counted: ReadSoFar | undefined;
  #ended: { readonly phase: RunState['phase']; readonly at: number } | undefined;
  #result: ImportResult | undefined;

  constructor(
    readonly pause: RunWatcher['pause'],
    private readonly signal: AbortSignal,
  ) {}

  onRun({ run, continued }: Pick<RunLedger, 'run' | 'continued'>, out: string): void {
    this.#run = { id: run, isContinued: continued, out };
    this.onChange();
  }

  onChunk({ problems }: Parameters<RunWatcher['onChunk']>[0]): void {
    this.#reasons.addProblems(problems);
  }

  watched(ledger: RunLedger): RunLedger {
    return {
      ...ledger,
      record: (chunk, facts) => {
        this.#reasons.addFacts(facts);
        return ledger.record(chunk, facts);
      },
    };
  }

  onState(state: ImportState, counted: ReadSoFar | undefined): void {
    this.#state = state;
    this.#counted = counted;
    this.#rate.add(systemClock.now(), rowsIn(state.outcomes));
    this.onChange();
  }

  warn(message: string): void {
    this.#warnings.push(message);
    if (this.#warnings.length > MAX_WARNINGS) this.#warnings.shift();
    this.onChange();
  }

  forgetRate(): void {
    this.#rate.clear();
  }

  end(phase: RunState['phase'], result?: ImportResult): void {
    this.#ended = { phase, at: systemClock.now() };
    this.#result = result;
  }

  /** Nothing says when the last request in flight has ended. */
  announceUntilIdle(): void {
    this.onChange();
    if (this.#ended || (this.#state?.inFlight ?? 0) === 0) return;
    setTimeout(() => {
      this.announceUntilIdle();
    }, EVERY_MS).unref();
  }

  state(): RunState {
    const now = this.#ended?.at ?? systemClock.now();
    const summary = this.#result?.summary;
    const state = this.#state;
    const outcomes = summary?.outcomes ?? state?.outcomes ?? noOutcomes();
    const rows = summary?.rows ?? rowsIn(outcomes);
    const total = state ? totalOf(state, this.#counted) : null;
    const share = total && total.rows > 0 ? Math.min(1, rows / total.rows) : 0;
    const rate = this.#ended || this.pause.isPaused ? 0 : this.#rate.at(now, rows);
    return {
      phase: this.#phase(),
      run: this.#run?.id ?? summary?.run ?? null,
      isContinued: this.#run?.isContinued ?? false,
      out: this.#run?.out ?? this.#result?.out ?? null,
      ...{ rows, outcomes: { ...outcomes }, total },
      waiting: summary ? (summary.waiting ?? 0) : Math.max(0, (state?.rows ?? 0) - rows),
      share: this.#ended?.phase === 'finished' ? 1 : share,
      seconds: (now - this.#started) / 1000,
      rowsPerSecond: rate,
      secondsLeft: rate > 0 && total ? Math.max(0, total.rows - rows) / rate : null,
      requests: summary?.requests ?? state?.requests ?? 0,
      retries: summary?.retries ?? state?.retries ?? 0,
      inFlight: state?.inFlight ?? 0,
      reasons: this.#reasons.list(MAX_SHOWN),
      warnings: [...this.#warnings],
    };
  }

  #phase(): RunState['phase'] {
    if (this.#ended) return this.#ended.phase;
    if (this.signal.aborted) return 'stopping';
    if (!this.pause.isPaused) return this.#run ? 'sending' : 'opening';
    return (this.#state?.inFlight ?? 0) > 0 ? 'pausing' : 'paused';
  }
}

/** Where a run stands. It holds no personal data but what the contact center puts into its words. */
export interface RunState {
  /**
   * `pausing`, `stopping`: nothing new is sent, and requests in flight are waited for; `stopped`: it can be continued;
   * `failed`: it did not begin, or met an internal error.
   */
  readonly phase:
    'opening' | 'sending' | 'pausing' | 'paused' | 'stopping' | 'finished' | 'stopped' | 'failed';
  /** Its id; `null` before it is open. */
  readonly run: string | null;
  /** Whether it goes on with what an earlier process began. */
  readonly isContinued: boolean;
  /** Folder of its report. */
  readonly out: string | null;
  /** Rows that have ended. */
  readonly rows: number;
  readonly outcomes: OutcomeCounts;
  /** Rows that have been read and have not ended. */
  readonly waiting: number;
  /** Rows of the input; `null` before the first one is read. */
  readonly total: RowTotal | null;
  /** Share of all rows that has ended, 0 to 1. */
  readonly share: number;
  readonly seconds: number;
  /** Rows that ended in a second, of late; 0 while the run is paused. */
  readonly rowsPerSecond: number;
  /** Estimated; `null` as long as nothing can be said. */
  readonly secondsLeft: number | null;
  readonly requests: number;
  readonly retries: number;
  /** Requests that have left and are not answered yet. */
  readonly inFlight: number;
  /** Why rows did not end well, in this process: at most 20, the latest first. */
  readonly reasons: readonly RecentReason[];
  /** What was said to the person, at most the last 20. */
  readonly warnings: readonly string[];
}

/** Why rows of a run do not end well. */
export interface RecentReason {
  readonly outcome: Extract<Outcome, 'failed' | 'enqueue_failed' | 'rejected'>;
  /** Column and code of a rejected row's problem; `null` for words of the contact center. */
  readonly column: string | null;
  readonly code: string | null;
  /** Messages that differ in numbers only are one reason, with … in place of the numbers. */
  readonly message: string;
  readonly rows: number;
  /** When the last such row was noticed, in milliseconds since the epoch. */
  readonly at: number;
}

/** The latest state of some work, for those who watch it. Nothing is put together while nobody does. */
class Latest<T> {
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #over = new AbortController();
  #version = 0;

  /** `make`: the state as it is now. */
  constructor(private readonly make: () => T) {}

  /** Says that there is another state. `ended`: it is the last one, and is shown at once. */
  announce(ended = false): void {
    this.#version++;
    if (ended) this.#over.abort();
    this.#changes.emit('change');
  }

  /** The states from now on, to the last one. A slow watcher misses those between. `signal`: ends the watching. */
  async *watch(signal?: AbortSignal): AsyncGenerator<T, void, undefined> {
    const over = this.#over.signal;
    const stopped = { signal: signal ? AbortSignal.any([signal, over]) : over };
    // A wait that ends early is followed by a look at what has ended it.
    const early = (): void => undefined;
    for (let seen = -1; !signal?.aborted;) {
      if (seen === this.#version) {
        if (over.aborted) return;
        await once(this.#changes, 'change', stopped).catch(early);
        continue;
      }
      seen = this.#version;
      yield this.make();
      await sleep(EVERY_MS, undefined, stopped).catch(early);
    }
  }
}

/** A pause that a person begins and ends, any number of times. */
export function createPause(clock: Pick<Clock, 'now'>) {
  const ended: { readonly from: number; readonly to: number }[] = [];
  let current: { readonly from: number; readonly over: AbortController } | null = null;
  return {
    get isPaused() {
      return current !== null;
    },
    pause: (): void => {
      current ??= { from: clock.now(), over: new AbortController() };
    },
    continue: (): void => {
      if (!current) return;
      const { from, over } = current;
      current = null;
      ended.push({ from, to: clock.now() });
      over.abort();
    },
    untilContinued: async (signal: AbortSignal): Promise<void> => {
      while (current && !signal.aborted)
        await once(AbortSignal.any([current.over.signal, signal]), 'abort');
    },
    pausedMs: (since: number): number => {
      const all = current ? [...ended, { from: current.from, to: clock.now() }] : ended;
      return all.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, since)), 0);
    },
  } satisfies PausePort & Record<'pause' | 'continue', () => void>;
}

/**
 * Executes a run under the eyes of all who want to know of it: the caller's observer, the metrics that the request
 * names, and traces where an SDK is registered. Without any, nothing is loaded and nothing is called.
 */
export async function observed<R extends RunOptions>(
  asked: R,
  execute: (request: R) => Promise<ImportResult>,
): Promise<ImportResult> {
  const request = { ...asked, begun: asked.begun ?? momentNow() };
  const { metricsFile: file, metricsListen: listen, onWarning = () => undefined } = request;
  const metrics =
    file === undefined && listen === undefined
      ? undefined
      : await (await import('../metrics/open-metrics.js')).openMetrics({ file, listen, onWarning });
  // Spans are made where an SDK takes them; where none does, the API is not even loaded.
  const registered: unknown = Reflect.get(globalThis, REGISTERED);
  const isTraced = typeof registered === 'object' && registered !== null && 'trace' in registered;
  const trace = isTraced ? (await import('./trace-run.js')).traceRun(request) : undefined;
  const all = [request.observer, metrics?.ofRuns(), trace].filter((one) => one !== undefined);
  if (all.length === 0) return untilDeadline(request, execute);
  const observer: RunObserver = {
    onPhase: (phase) => all.forEach((one) => one.onPhase?.(phase)),
    onRun: (run) => all.forEach((one) => one.onRun?.(run)),
    onSending: (state) => all.forEach((one) => one.onSending?.(state)),
    onRequest: (sent) => all.forEach((one) => one.onRequest?.(sent)),
    onEnd: (end) => all.forEach((one) => one.onEnd?.(end)),
  };
  observer.onPhase?.('open');
  try {
    const result = await untilDeadline({ ...request, observer }, execute);
    observer.onEnd?.({ result });
    return result;
  } catch (error) {
    observer.onEnd?.({ error });
    throw error;
  } finally {
    await metrics?.close();
  }
}

/** Where the API keeps what is registered with it, in this and every other copy of its first version. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/** A machine that slept, or whose clock was set, is noticed after so long, in milliseconds. */
const LOOK_AGAIN_MS = 60_000;

/** Executes a run; at its deadline it is stopped as by Ctrl-C, and says so. @throws UsageError where it is no time */
async function untilDeadline<R extends RunOptions>(
  request: R,
  execute: (request: R) => Promise<ImportResult>,
): Promise<ImportResult> {
  if (request.deadline === undefined) return execute(request);
  const time = parseTimeOfDay(request.deadline);
  if ('mistake' in time) throw new UsageError(`deadline: ${time.mistake}`);
  const [over, ended] = [new AbortController(), new AbortController()];
  const signals = [over.signal, ...(request.signal ? [request.signal] : [])];
  const at = nextTimeOfDay(time, EVERY_DAY, systemClock.now());
  const untilThen = async (): Promise<void> => {
    for (let left = at - systemClock.now(); left > 0; left = at - systemClock.now())
      await systemClock.sleep(Math.min(left, LOOK_AGAIN_MS), ended.signal);
  };
  void untilThen().then(
    () =>
      over.abort(
        new DeadlineStop(
          `It is ${timeOfDayText(time)}, at which the run was to stop. The same command goes on from here.`,
        ),
      ),
    // The run has ended before.
    () => undefined,
  );
  try {
    return await execute({ ...request, signal: AbortSignal.any(signals) });
  } finally {
    ended.abort();
  }
}
