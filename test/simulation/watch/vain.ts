import { type Watcher, isReading } from './watcher.js';

/** Remembers how often the importer asked in vain. */
export interface VainTries extends Watcher {
  /** How often, in this process, the importer has asked about this client in vain since it was last told. */
  of(offerId: number): number;
}

export function watchVainTries(): VainTries {
  const vain = new Map<number, number>();
  return {
    of: (offerId) => vain.get(offerId) ?? 0,
    began: () => vain.clear(),
    ended: (request, { told }) => {
      if (told === null) return;
      for (const offerId of request.offerIds) vain.set(offerId, (vain.get(offerId) ?? 0) + 1);
      // Being told that a client is not there is no reason to leave it unknown.
      if (isReading(request)) return;
      for (const offerId of told) vain.set(offerId, 0);
    },
  };
}
