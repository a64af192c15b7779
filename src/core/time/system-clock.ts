import { setTimeout } from 'node:timers/promises';
import type { Clock } from './clock.js';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      // A longer time than a timer can hold would end at once.
      await setTimeout(Math.min(ms, LONGEST_TIMER_MS), undefined, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
