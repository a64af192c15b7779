import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedRun } from '../../../app/run/watch/start-run.js';
import type { Live } from '../../shared/run.js';

/** How long a watcher waits from one state to the next, in milliseconds: more often nobody can read. */
const EVERY_MS = 250;
/** How often the ledger is asked of a run of another process, in milliseconds. */
const ASK_MS = 2_000;
/** The ledger counts the rows of a run that is at work: that takes at most this share of the time. */
const ASKING_SHARE = 0.05;

type RunState = ReturnType<StartedRun['state']>;

/** The states of a run, at most four a second, to the last one. */
export async function* coalesced(
  run: StartedRun,
  signal: AbortSignal,
): AsyncGenerator<RunState, void, undefined> {
  const over = run.result.then(
    () => undefined,
    () => undefined,
  );
  for await (const state of run.watch(signal)) {
    yield state;
    await pause(EVERY_MS, signal, over);
  }
}

/** What is on record of a run, again and again for as long as another process works on it. */
export async function* everyNowAndThen(
  ask: () => Promise<Live>,
  signal: AbortSignal,
): AsyncGenerator<Live, void, undefined> {
  while (!signal.aborted) {
    const began = performance.now();
    const live = await ask();
    const took = performance.now() - began;
    yield live;
    if (!live.elsewhere) return;
    await pause(Math.max(ASK_MS, took / ASKING_SHARE), signal);
  }
}

/** Waits so long, or until nobody waits any more. */
async function pause(ms: number, signal: AbortSignal, over?: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const time = sleep(ms, undefined, { signal: AbortSignal.any([signal, timer.signal]) });
  await Promise.race([time.catch(() => undefined), ...(over ? [over] : [])]);
  timer.abort();
}
