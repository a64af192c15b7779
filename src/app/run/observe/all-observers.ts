import type { RunObserver } from '../../../core/report.js';

/** One observer for several: each gets everything. */
export const allObservers = (all: readonly RunObserver[]): RunObserver => ({
  onPhase: (phase) => {
    for (const one of all) one.onPhase?.(phase);
  },
  onRun: (run) => {
    for (const one of all) one.onRun?.(run);
  },
  onSending: (state) => {
    for (const one of all) one.onSending?.(state);
  },
  onRequest: (request) => {
    for (const one of all) one.onRequest?.(request);
  },
  onEnd: (end) => {
    for (const one of all) one.onEnd?.(end);
  },
});
