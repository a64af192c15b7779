import type { RunLedger } from '../../../core/ledger.js';
import { noOutcomes } from '../../../core/outcome.js';
import { isInterruption } from '../../../core/errors.js';
import { systemClock } from '../../../core/time.js';
import { type ReadSoFar, totalOf } from '../../../pipeline/failures.js';
import type { ImportState } from '../../../pipeline/import-ports.js';
import { createPause } from '../../../pipeline/sending.js';
import type { ImportResult, RunOptions } from '../../requests.js';
import { Latest } from '../../watch/latest.js';
import { RecentReasons } from './recent-reasons.js';
import type { RunState } from './run-state.js';
import type { RunWatcher } from './run-watcher.js';

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

const EVERY_MS = 100;
const MAX_WARNINGS = 20;
const MAX_REASONS = 20;

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
  const latest = new Latest(() => progress.state(), EVERY_MS);
  progress.onChange = () => {
    latest.announce();
  };
  const onWarning = (message: string): void => {
    progress.warn(message);
  };
  const result = execute({ signal, watcher: progress, onWarning })
    .then(
      (ended) => {
        progress.end(ended.stopped === undefined ? 'finished' : 'stopped', ended);
        return ended;
      },
      (error: unknown) => {
        progress.end(isInterruption(error) ? 'stopped' : 'failed');
        throw error;
      },
    )
    .finally(() => {
      latest.announce(true);
    });
  // Whoever asks for the result gets the error.
  result.catch(() => undefined);
  return {
    state: () => progress.state(),
    watch: (signal) => latest.watch(signal),
    result,
    pause: () => {
      pause.pause();
      progress.announceUntilIdle();
    },
    continue: () => {
      progress.forgetRate();
      pause.continue();
      latest.announce();
    },
    stop: () => {
      stop.abort();
      progress.announceUntilIdle();
    },
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

  /** At this time, with so many rows by now. */
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

/** What is known of a run while it is at work. A state is put together when somebody asks for it. */
class RunProgress implements RunWatcher {
  onChange: () => void = () => undefined;
  readonly #started = systemClock.now();
  readonly #reasons = new RecentReasons(() => systemClock.now());
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
      run: ledger.run,
      continued: ledger.continued,
      settlesAll: ledger.settlesAll,
      record: (chunk, facts) => {
        this.#reasons.addFacts(facts);
        return ledger.record(chunk, facts);
      },
      factsOf: (chunk) => ledger.factsOf(chunk),
      rows: () => ledger.rows(),
      waiting: () => ledger.waiting(),
      end: (state) => ledger.end(state),
    };
  }

  onState(state: ImportState, counted: ReadSoFar | undefined): void {
    this.#state = state;
    this.#counted = counted;
    this.#rate.add(systemClock.now(), endedRows(state));
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
    const rows = summary?.rows ?? endedRows({ outcomes });
    const total = state ? totalOf(state, this.#counted) : null;
    const rate = this.#ended || this.pause.isPaused ? 0 : this.#rate.at(now, rows);
    return {
      phase: this.#phase(),
      run: this.#run?.id ?? summary?.run ?? null,
      isContinued: this.#run?.isContinued ?? false,
      out: this.#run?.out ?? this.#result?.out ?? null,
      ...{ rows, outcomes: { ...outcomes }, total },
      waiting: summary ? (summary.waiting ?? 0) : Math.max(0, (state?.rows ?? 0) - rows),
      share: this.#ended?.phase === 'finished' ? 1 : shareOf(rows, total?.rows ?? 0),
      seconds: (now - this.#started) / 1000,
      rowsPerSecond: rate,
      secondsLeft: rate > 0 && total ? Math.max(0, total.rows - rows) / rate : null,
      requests: summary?.requests ?? state?.requests ?? 0,
      retries: summary?.retries ?? state?.retries ?? 0,
      inFlight: state?.inFlight ?? 0,
      reasons: this.#reasons.list(MAX_REASONS),
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

const endedRows = ({ outcomes }: Pick<ImportState, 'outcomes'>): number =>
  Object.values(outcomes).reduce((sum, count) => sum + count, 0);

const shareOf = (rows: number, total: number): number =>
  total === 0 ? 0 : Math.min(1, rows / total);
