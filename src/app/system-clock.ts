import type { Clock } from '../core/clock.js';

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
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', give);
        resolve();
      }, ms);
      signal?.addEventListener('abort', give, { once: true });
    }),
};
