import type { Sight, Watcher } from './watcher.js';

/** Knows since when a process that was asked to end has had nothing to wait for. */
export interface StopWatch extends Watcher {
  /** When it was asked to end, or the last of its requests in flight ended after that; `null`: it was not asked. */
  idleSince(): number | null;
}

/** Nothing leaves any more once the process has been asked to end. */
export function watchStop({ timeline, violated }: Sight): StopWatch {
  let idleSince: number | null = null;
  const touch = (): void => {
    if (idleSince !== null) idleSince = timeline.now();
  };
  return {
    idleSince: () => idleSince,
    began: () => {
      idleSince = null;
    },
    stopped: () => {
      idleSince ??= timeline.now();
    },
    left: ({ operation }) => {
      if (idleSince !== null)
        violated(`a request leaves (${operation}) after the run was asked to end`);
    },
    ended: touch,
  };
}
