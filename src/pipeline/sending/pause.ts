import type { Clock } from '../../core/time.js';

/** Whether a run may send. A run that is paused lets what is in flight end, and sends nothing new. */
export interface PausePort {
  readonly isPaused: boolean;
  /** Resolves when the run goes on, or the signal is aborted. */
  untilContinued(signal: AbortSignal): Promise<void>;
  /** How long the run has been paused since a time, in milliseconds: patience does not run out meanwhile. */
  pausedMs(since: number): number;
}

/** A pause that a person begins and ends, any number of times. */
export interface Pause extends PausePort {
  pause(): void;
  continue(): void;
}

export function createPause(clock: Pick<Clock, 'now'>): Pause {
  const ended: { readonly from: number; readonly to: number }[] = [];
  let current: {
    readonly from: number;
    readonly over: Promise<void>;
    readonly end: () => void;
  } | null = null;
  return {
    get isPaused() {
      return current !== null;
    },
    pause: () => {
      if (current) return;
      let end = (): void => undefined;
      const over = new Promise<void>((resolve) => {
        end = resolve;
      });
      current = { from: clock.now(), over, end };
    },
    continue: () => {
      if (!current) return;
      const { from, end } = current;
      current = null;
      ended.push({ from, to: clock.now() });
      end();
    },
    untilContinued: async (signal) => {
      while (current && !signal.aborted) await unlessAborted(current.over, signal);
    },
    pausedMs: (since) => {
      const all = current ? [...ended, { from: current.from, to: clock.now() }] : ended;
      return all.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, since)), 0);
    },
  };
}

function unlessAborted(wait: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      signal.removeEventListener('abort', over);
      resolve();
    };
    signal.addEventListener('abort', over, { once: true });
    void wait.then(over);
  });
}
