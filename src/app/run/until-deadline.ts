import { DeadlineStop, UsageError } from '../../core/errors.js';
import { systemClock } from '../../core/time.js';
import { nextTimeOfDay, parseTimeOfDay, timeOfDayText } from '../../core/time-of-day.js';
import { EVERY_DAY } from '../../core/hours.js';
import type { ImportResult, RunOptions } from '../requests.js';

/** A machine that slept, or whose clock was set, is noticed after so long, in milliseconds. */
const LOOK_AGAIN_MS = 60_000;

/** Executes a run; at its deadline it is stopped as by Ctrl-C, and says so. @throws UsageError where it is no time */
export async function untilDeadline<R extends RunOptions>(
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
