import type { Clock } from '../../src/core/time.js';
import type { Crash, Stop } from './scenario.js';
import type { Timeline } from './timeline.js';

/** One process, from its start to its end. Whatever a dead one still waits for never comes. */
export interface Life {
  readonly clock: Clock;
  /** Aborted when the process is asked to end gently. */
  readonly signal: AbortSignal;
  isAlive(): boolean;
  /** Every use of a port passes here: a crash may come just before it or just after it. */
  call<T>(start: () => Promise<T>): Promise<T>;
  /** Settles a promise of this process, unless it has died meanwhile. */
  tell(settle: () => void): void;
  end(): void;
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** How a process comes to its end, if not by itself. */
export interface Death {
  readonly crash?: Crash | undefined;
  readonly stop?: Stop | undefined;
  /** Called at the instant of the crash. */
  readonly onCrash?: () => void;
  /** Called at the instant at which the process is asked to end. */
  readonly onStop?: () => void;
}

export function startLife(timeline: Timeline, death: Death = {}): Life {
  const { crash, stop } = death;
  const stopping = new AbortController();
  let alive = true;
  let calls = 0;
  const die = (): void => {
    if (!alive) return;
    alive = false;
    death.onCrash?.();
  };
  const ask = (): void => {
    if (!alive) return;
    death.onStop?.();
    stopping.abort();
  };
  const timers = [
    ...(crash && 'ms' in crash.when ? [timeline.after(crash.when.ms, die)] : []),
    ...(stop && 'ms' in stop.when ? [timeline.after(stop.when.ms, ask)] : []),
  ];
  const fatal = crash && 'call' in crash.when ? crash.when : undefined;
  const last = stop && 'call' in stop.when ? stop.when.call : undefined;

  const call = <T>(start: () => Promise<T>): Promise<T> => {
    if (!alive) return never();
    calls++;
    if (calls !== fatal?.call) {
      const started = start();
      if (calls === last) ask();
      return started;
    }
    // The request that was just sent, or the write that was just begun, goes its way without the process.
    if (fatal.side === 'after') void start().catch(() => undefined);
    die();
    return never();
  };
  const tell = (settle: () => void): void => {
    if (alive) settle();
  };

  return {
    signal: stopping.signal,
    isAlive: () => alive,
    call,
    tell,
    end: () => {
      alive = false;
      for (const timer of timers) timer.cancel();
    },
    clock: { now: () => timeline.now(), sleep: (ms, signal) => call(() => sleep(ms, signal)) },
  };

  function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const give = (): void => {
        wake.cancel();
        tell(() => reject(signal?.reason as Error));
      };
      const wake = timeline.after(ms, () => {
        signal?.removeEventListener('abort', give);
        tell(resolve);
      });
      if (signal?.aborted) give();
      else signal?.addEventListener('abort', give, { once: true });
    });
  }
}
