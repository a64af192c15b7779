import type { Clock } from '../../../src/core/time.js';
import type { LeaseClock } from '../../../src/ledger/lease.js';
import type { Life } from '../life.js';
import type { Timeline } from '../timeline.js';
import type { Trouble } from './story.js';

/** A process on a machine of its own: it may be paused, and its clocks are not those of the database. */
export interface Machine extends Life, LeaseClock {
  readonly clock: Clock;
  /** Waits without being counted as a use of a port. */
  sleep(ms: number): Promise<void>;
}

interface MachineOptions {
  /** How fast its clocks go. */
  readonly rate: number;
  /** What happens to the process, if anything. */
  readonly trouble: Trouble | undefined;
  /** Called when the process is killed. */
  readonly onKilled: () => void;
  /** Called when it is paused. */
  readonly onPaused: () => void;
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/**
 * Starts a process. While it is paused, nothing that it waits for reaches it, and nothing that it begins leaves; requests
 * and statements that have left go their way.
 */
export function startMachine(timeline: Timeline, options: MachineOptions): Machine {
  const { rate, trouble, onKilled, onPaused } = options;
  const stopping = new AbortController();
  const state = { isAlive: true, isPaused: false };
  let calls = 0;
  /** How far each clock is from the time that has passed. */
  const offset = { monotonic: 0, wall: 0 };
  const asleep: (() => void)[] = [];

  const tell = (settle: () => void): void => {
    if (!state.isAlive) return;
    if (state.isPaused) asleep.push(settle);
    else settle();
  };
  const wake = (): void => {
    state.isPaused = false;
    // Each in a turn of its own, as the event loop has it.
    for (const settle of asleep.splice(0)) timeline.after(0, () => tell(settle));
  };
  const befall = (): void => {
    if (!state.isAlive || !trouble) return;
    switch (trouble.kind) {
      case 'kill':
        state.isAlive = false;
        onKilled();
        return;
      case 'stop':
        tell(() => stopping.abort());
        return;
      case 'set_clock':
        offset.wall += trouble.byMs;
        return;
      case 'pause':
      case 'sleep':
        state.isPaused = true;
        onPaused();
        timeline.after(trouble.ms, () => {
          // The clock that nobody sets stands still while the machine sleeps.
          if (trouble.kind === 'sleep') offset.monotonic -= trouble.ms * rate;
          wake();
        });
    }
  };
  const when = trouble?.when;
  if (when && 'ms' in when) timeline.after(when.ms, befall);
  const fatal = when && 'call' in when ? when : undefined;

  const isAlive = (): boolean => state.isAlive;
  const call = <T>(start: () => Promise<T>): Promise<T> => {
    if (!isAlive()) return never();
    const isFatal = ++calls === fatal?.call;
    if (isFatal && fatal.side === 'before') befall();
    if (!isAlive()) return never();
    const started = state.isPaused
      ? new Promise<void>((resolve) => asleep.push(resolve)).then(start)
      : start();
    if (!isFatal || fatal.side === 'before') return started;
    befall();
    if (isAlive()) return started;
    // What was just sent, or the statement that was just begun, goes its way without the process.
    void started.catch(() => undefined);
    return never();
  };

  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const give = (): void => {
        timer.cancel();
        tell(() => reject(signal?.reason as Error));
      };
      const timer = timeline.after(ms, () => {
        signal?.removeEventListener('abort', give);
        tell(resolve);
      });
      if (signal?.aborted) give();
      else signal?.addEventListener('abort', give, { once: true });
    });

  return {
    signal: stopping.signal,
    isAlive,
    call,
    tell,
    end: () => {
      state.isAlive = false;
    },
    sleep: (ms) => sleep(ms, stopping.signal).catch(() => undefined),
    clock: { now: () => timeline.now(), sleep: (ms, signal) => call(() => sleep(ms, signal)) },
    now: () => ({
      monotonic: timeline.now() * rate + offset.monotonic,
      wall: timeline.now() * rate + offset.wall,
    }),
    every: (ms, happen) => {
      let isOver = false;
      const again = (): void => {
        if (isOver || !state.isAlive) return;
        timeline.after(ms / rate, () => {
          if (isOver) return;
          tell(() => {
            if (!isOver) happen();
          });
          again();
        });
      };
      again();
      return () => {
        isOver = true;
      };
    },
  };
}
