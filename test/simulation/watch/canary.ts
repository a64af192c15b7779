import { type RowStage, foldChunk } from '../../../src/core/facts.js';
import type { FailureLimit } from '../../../src/delivery/failures.js';
import type { Sight, Watcher } from './watcher.js';

export const BAD_STAGES: ReadonlySet<RowStage> = new Set([
  'create_failed',
  'enqueue_failed',
  'create_unknown',
  'enqueue_unknown',
]);

/** Nobody but the canary leaves before all of it has ended, and well enough; also where an earlier process began it. */
export function watchCanary(
  { scenario, input, disk, violated }: Sight,
  limitInForce: () => FailureLimit | null,
): Watcher {
  const { canary, campaign } = scenario;
  const clients = input.rows.flatMap(({ kind, offerId }) =>
    offerId === null || kind === 'repeat' ? [] : [offerId],
  );
  const first = clients.slice(0, canary);
  let watched = false;

  const stageOf = (offerId: number): RowStage => {
    const { chunk, at } = input.placeOf.get(offerId)!;
    return foldChunk(disk.factsOf(chunk))?.states[at]?.stage ?? 'pending';
  };
  const hasEnded = (stage: RowStage): boolean =>
    BAD_STAGES.has(stage) || stage === 'enqueued' || (stage === 'created' && campaign === 'none');
  const isSick = (bad: number): boolean => {
    const limit = limitInForce() ?? { count: 0 };
    return 'count' in limit ? bad > limit.count : bad * 100 > limit.percent * first.length;
  };

  return {
    began: (continued) => {
      watched = canary > 0 && !(continued && first.map(stageOf).every(hasEnded));
    },
    left: ({ offerIds }) => {
      if (!watched || offerIds.every((offerId) => first.includes(offerId))) return;
      // Once the others may go, they go on.
      watched = false;
      const stages = first.map(stageOf);
      if (!stages.every(hasEnded)) violated('others are sent before the canary has ended');
      if (isSick(stages.filter((stage) => BAD_STAGES.has(stage)).length))
        violated('others are sent although the canary is sick');
    },
  };
}
