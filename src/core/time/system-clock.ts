import type { Clock } from './clock.js';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const give = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      // A longer time than a timer can hold would end at once.
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', give);
          resolve();
        },
        Math.min(ms, LONGEST_TIMER_MS),
      );
      signal?.addEventListener('abort', give, { once: true });
    }),
};
