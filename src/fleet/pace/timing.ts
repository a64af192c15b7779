/** Time of this machine, as something that a simulation can bring along. */
export interface Timing {
  /** Milliseconds by a clock that nobody sets. */
  now(): number;
  /** Calls `run` after `ms` milliseconds. Returns what takes that back. */
  after(ms: number, run: () => void): () => void;
}

export const machineTiming: Timing = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
