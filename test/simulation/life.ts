import type { Clock } from '../../src/core/time.js';
import type { LeaseClock } from '../../src/ledger/lease.js';
import type { Timeline } from './timeline.js';

/** When something happens to a process: at its nth use of a port, or after some time. */
export type When =
  { readonly call: number; readonly side: 'before' | 'after' } | { readonly ms: number };

/** What happens to a process. */
export type Trouble =
  /** SIGKILL and SIGTERM; another one is started after a while. */
  | { readonly kind: 'kill' | 'stop'; readonly when: When; readonly gapMs: number }
  /** SIGSTOP, and the lid of a laptop: then the monotonic clock stands still. */
  | { readonly kind: 'pause' | 'sleep'; readonly when: When; readonly ms: number }
  | { readonly kind: 'set_clock'; readonly when: When; readonly byMs: number };

/** One process, from its start to its end. Whatever a dead one still waits for never comes. */
export interface Life extends LeaseClock {
  readonly clock: Clock;
  /** Aborted when the process is asked to end gently. */
  readonly signal: AbortSignal;
  isAlive(): boolean;
  /** Every use of a port passes here: a crash may come just before it or just after it. */
  call<T>(start: () => Promise<T>): Promise<T>;
  /** Settles a promise of this process, unless it has died meanwhile. */
  tell(settle: () => void): void;
  /** Waits until it is asked to end, without being counted as a use of a port. */
  sleep(ms: number): Promise<void>;
  end(): void;
}

interface LifeOptions {
  /** How fast its clocks go. */
  readonly rate?: number;
  readonly troubles?: readonly (Trouble | null | undefined)[];
  /** Called at the instant of the crash. */
  readonly onKilled?: () => void;
  /** Called at the instant at which the process is asked to end. */
  readonly onStop?: () => void;
  readonly onPaused?: () => void;
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/**
 * Starts a process. While it is paused, nothing that it waits for reaches it, and nothing that it begins leaves; requests
 * and statements that have left go their way.
 */
export function startLife(timeline: Timeline, options: LifeOptions = {}): Life {
  const { rate = 1 } = options;
  const troubles = (options.troubles ?? []).flatMap((one) => one ?? []);
  const stopping = new AbortController();
  const state = { isAlive: true, isPaused: false };
  let calls = 0;
  /** How far each clock is from the time that has passed. */
  const offset = { monotonic: 0, wall: 0 };
  const asleep: (() => void)[] = [];

  const isAlive = (): boolean => state.isAlive;
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
  const befall = (trouble: Trouble): void => {
    if (!state.isAlive) return;
    switch (trouble.kind) {
      case 'kill':
        state.isAlive = false;
        options.onKilled?.();
        return;
      case 'stop':
        tell(() => {
          options.onStop?.();
          stopping.abort();
        });
        return;
      case 'set_clock':
        offset.wall += trouble.byMs;
        return;
      case 'pause':
      case 'sleep':
        state.isPaused = true;
        options.onPaused?.();
        timeline.after(trouble.ms, () => {
          // The clock that nobody sets stands still while the machine sleeps.
          if (trouble.kind === 'sleep') offset.monotonic -= trouble.ms * rate;
          wake();
        });
    }
  };
  const timers = troubles.flatMap((trouble) =>
    'ms' in trouble.when ? [timeline.after(trouble.when.ms, () => befall(trouble))] : [],
  );
  const befallAt = (side: 'before' | 'after'): void => {
    for (const trouble of troubles) {
      const { when } = trouble;
      if ('call' in when && when.call === calls && when.side === side) befall(trouble);
    }
  };

  const call = <T>(start: () => Promise<T>): Promise<T> => {
    if (!isAlive()) return never();
    calls++;
    befallAt('before');
    if (!isAlive()) return never();
    const started = state.isPaused
      ? new Promise<void>((resolve) => asleep.push(resolve)).then(start)
      : start();
    befallAt('after');
    if (isAlive()) return started;
    // The request that was just sent, or the write that was just begun, goes its way without the process.
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
    ...{ isAlive, call, tell },
    end: () => {
      state.isAlive = false;
      for (const timer of timers) timer.cancel();
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

/** Runs one process to its end; `null`: it died. */
export async function runLife<T>(
  timeline: Timeline,
  { onKilled, ...options }: Omit<LifeOptions, 'onKilled'> & { onKilled: (life: Life) => void },
  work: (life: Life) => Promise<T>,
): Promise<T | null> {
  let died = (): void => undefined;
  const death = new Promise<null>((resolve) => (died = () => resolve(null)));
  const life: Life = startLife(timeline, {
    ...options,
    onKilled: () => {
      onKilled(life);
      died();
    },
  });
  try {
    return await Promise.race([work(life), death]);
  } finally {
    life.end();
  }
}
