import { foldChunk } from '../../../src/core/facts.js';
import type { Operation } from '../network.js';
import type { Sight, Watcher } from './watcher.js';

const STAGES: Partial<Record<Operation, string>> = {
  addClients: 'creating',
  addApplications: 'enqueuing',
};

/** When a request leaves, a power cut at that instant must leave on record that its clients may be on their way. */
export function watchIntents({ input, disk, violated }: Sight): Watcher {
  return {
    left: ({ operation, offerIds }) => {
      const stage = STAGES[operation];
      if (stage === undefined) return;
      // A request's clients are of one chunk.
      const chunk = input.placeOf.get(offerIds[0]!)?.chunk;
      const states = chunk === undefined ? [] : (foldChunk(disk.factsOf(chunk))?.states ?? []);
      for (const offerId of offerIds) {
        const place = input.placeOf.get(offerId);
        if (place?.chunk === chunk && states[place?.at ?? -1]?.stage === stage) continue;
        violated(`client ${offerId} is sent (${operation}) without a durable intent`);
      }
    },
  };
}
