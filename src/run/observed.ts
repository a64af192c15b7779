import type { RunObserver } from '../core/report.js';
import { momentNow, systemClock } from '../core/time.js';
import type { ImportResult, RunOptions } from './requests.js';
import { DeadlineStop, UsageError } from '../core/errors.js';
import { nextTimeOfDay, parseTimeOfDay, timeOfDayText, EVERY_DAY } from '../core/hours.js';

/**
 * Executes a run under the eyes of all who want to know of it: the caller's observer, the metrics that the request
 * names, and traces where an SDK is registered. Without any, nothing is loaded and nothing is called.
 */
export async function observed<R extends RunOptions>(
  asked: R,
  execute: (request: R) => Promise<ImportResult>,
): Promise<ImportResult> {
  const request = { ...asked, begun: asked.begun ?? momentNow() };
  const metrics = await openMetrics(request);
  const trace = await openTrace(request);
  const observers = [request.observer, metrics?.ofRuns(), trace].filter((one) => one !== undefined);
  if (observers.length === 0) return untilDeadline(request, execute);
  const observer = allObservers(observers);
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

async function openMetrics({
  metricsFile: file,
  metricsListen: listen,
  onWarning = () => undefined,
}: RunOptions) {
  if (file === undefined && listen === undefined) return undefined;
  const { openMetrics: open } = await import('../metrics/open-metrics.js');
  return open({ file, listen, onWarning });
}

/** Where the API keeps what is registered with it, in this and every other copy of its first version. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/** Whether an SDK takes spans: looked at once a run, so that the API is not even loaded for nobody. */
function isTraced(): boolean {
  const registered: unknown = Reflect.get(globalThis, REGISTERED);
  return typeof registered === 'object' && registered !== null && 'trace' in registered;
}

/** Makes spans of a run, its phases and its requests; `undefined` where no SDK is registered. */
async function openTrace(request: RunOptions): Promise<RunObserver | undefined> {
  if (!isTraced()) return undefined;
  const { traceRun } = await import('./trace-run.js');
  return traceRun(request);
}

/** One observer for several: each gets everything. */
const allObservers = (all: readonly RunObserver[]): RunObserver => ({
  onPhase: (phase) => {
    for (const one of all) one.onPhase?.(phase);
  },
  onRun: (run) => {
    for (const one of all) one.onRun?.(run);
  },
  onSending: (state) => {
    for (const one of all) one.onSending?.(state);
  },
  onRequest: (request) => {
    for (const one of all) one.onRequest?.(request);
  },
  onEnd: (end) => {
    for (const one of all) one.onEnd?.(end);
  },
});

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
  void waitUntil(at, ended.signal).then(
    () => over.abort(new DeadlineStop(textOf(timeOfDayText(time)))),
    // The run has ended before.
    () => undefined,
  );
  try {
    return await execute({ ...request, signal: AbortSignal.any(signals) });
  } finally {
    ended.abort();
  }
}

async function waitUntil(at: number, signal: AbortSignal): Promise<void> {
  for (let left = at - systemClock.now(); left > 0; left = at - systemClock.now())
    await systemClock.sleep(Math.min(left, LOOK_AGAIN_MS), signal);
}

const textOf = (time: string): string =>
  `It is ${time}, at which the run was to stop. The same command goes on from here.`;
