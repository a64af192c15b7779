import { foldChunk, type RowStage } from '../../../src/core/facts.js';
import type { FailureLimit } from '../../../src/delivery/failures.js';
import type { Sight, Watcher } from './watcher.js';

const BAD: ReadonlySet<RowStage> = new Set(['create_failed', 'enqueue_failed', 'rejected']);

/** Nothing leaves any more once so many rows have failed that the run has to stop. */
export function watchFailures(
  { input, disk, timeline, violated }: Sight,
  limitInForce: () => FailureLimit | null,
): Watcher {
  let exceededAt: number | undefined;
  let fresh = false;

  const isExceeded = (limit: FailureLimit): boolean => {
    const stages = input.chunks.flatMap((_, chunk) =>
      (foldChunk(disk.factsOf(chunk))?.states ?? []).map(({ stage }) => stage),
    );
    const bad = stages.filter((stage) => BAD.has(stage)).length;
    const all = input.rows.length;
    return 'count' in limit ? bad > limit.count : bad * 100 > limit.percent * all;
  };

  return {
    // What an earlier process has left, the importer learns only as it comes to it.
    began: (continued) => {
      exceededAt = undefined;
      fresh = !continued;
    },
    kept: () => {
      const limit = limitInForce();
      if (limit && fresh && exceededAt === undefined && isExceeded(limit))
        exceededAt = timeline.now();
    },
    left: ({ operation }) => {
      if (exceededAt !== undefined && timeline.now() > exceededAt)
        violated(`a request leaves (${operation}) although too many rows have failed`);
    },
  };
}
