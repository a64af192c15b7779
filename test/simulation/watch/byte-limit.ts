import { type Sight, type Watcher, hasRead } from './watcher.js';

/** A body is told by the importer with the comma behind its last client. */
const COMMA = 1;

/**
 * A body that is refused as too large halves the limit for the chunks that are cut from then on, but never below what
 * was accepted. A client alone goes whatever its size, and says nothing of others.
 */
export function watchByteLimit({ scenario, input, violated }: Sight): Watcher {
  let limit = scenario.requestBytes;
  let accepted = 0;
  const limits = new Map<number, number>();
  return {
    began: () => {
      limit = scenario.requestBytes;
      accepted = 0;
      limits.clear();
    },
    kept: (kept) => {
      for (const { chunk, facts } of kept) if (hasRead(facts)) limits.set(chunk, limit);
    },
    left: ({ operation, offerIds, bytes }) => {
      if (operation !== 'addClients' || offerIds.length === 1) return;
      const permitted = limits.get(input.placeOf.get(offerIds[0]!)?.chunk ?? -1);
      if (bytes > (permitted ?? Infinity))
        violated(`a body of ${bytes} bytes leaves, and ${permitted} are allowed by now`);
    },
    ended: ({ operation, offerIds, bytes }, { how }) => {
      if (operation !== 'addClients') return;
      if (how === 'answer') accepted = Math.max(accepted, bytes + COMMA);
      if (how === 'too_large' && offerIds.length > 1)
        limit = Math.min(limit, Math.floor((bytes + COMMA) / 2));
      limit = Math.max(limit, accepted);
    },
  };
}
