import type { Clock } from '../../src/core/clock.js';
import type { Crash } from './scenario.js';
import type { Timeline } from './timeline.js';

/** One process, from its start to its end. Whatever a dead one still waits for never comes. */
export interface Life {
  readonly clock: Clock;
  isAlive(): boolean;
  /** Every use of a port passes here: a crash may come just before it or just after it. */
  call<T>(start: () => Promise<T>): Promise<T>;
  /** Settles a promise of this process, unless it has died meanwhile. */
  tell(settle: () => void): void;
  end(): void;
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** `onCrash` is called at the instant of the crash. */
export function startLife(timeline: Timeline, crash: Crash | undefined, onCrash: () => void): Life {
  let alive = true;
  let calls = 0;
  const die = (): void => {
    if (!alive) return;
    alive = false;
    onCrash();
  };
  const timer = crash && 'ms' in crash.when ? timeline.after(crash.when.ms, die) : undefined;
  const fatal = crash && 'call' in crash.when ? crash.when : undefined;

  const call = <T>(start: () => Promise<T>): Promise<T> => {
    if (!alive) return never();
    calls++;
    if (calls !== fatal?.call) return start();
    // The request that was just sent, or the write that was just begun, goes its way without the process.
    if (fatal.side === 'after') void start().catch(() => undefined);
    die();
    return never();
  };
  const tell = (settle: () => void): void => {
    if (alive) settle();
  };

  return {
    isAlive: () => alive,
    call,
    tell,
    end: () => {
      alive = false;
      timer?.cancel();
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
