import { foldChunk } from '../../src/core/fold.js';
import type { Disk } from './disk.js';
import type { Input } from './input.js';
import type { NetworkWatch, Request } from './network.js';

/** Watches what the importer does while it does it, and remembers what it could know. */
export interface Watch extends NetworkWatch {
  /** A new process begins: nothing is in flight any more. */
  restart(): void;
  /** How often, in this process, the importer has asked about this client in vain since it was last told. */
  inVain(offerId: number): number;
}

/** `violated` is told what must not be. */
export function createWatch(
  input: Input,
  disk: Disk,
  concurrency: number,
  violated: (what: string) => void,
): Watch {
  let inFlight: Request[] = [];
  const vain = new Map<number, number>();

  const refuseTwice = (request: Request): void => {
    if (inFlight.length >= concurrency) violated('more requests are in flight than allowed');
    const busy = new Set(inFlight.flatMap(({ offerIds }) => offerIds));
    for (const offerId of request.offerIds)
      if (busy.has(offerId)) violated(`two requests for client ${offerId} are in flight`);
  };

  /** What a power cut now would leave must tell that these clients may be on their way. */
  const wantIntent = ({ operation, offerIds }: Request): void => {
    const stage =
      operation === 'addClients'
        ? 'creating'
        : operation === 'addApplications'
          ? 'enqueuing'
          : undefined;
    if (!stage) return;
    // A request's clients are of one chunk.
    const chunk = input.placeOf.get(offerIds[0]!)?.chunk;
    const states = chunk === undefined ? [] : (foldChunk(disk.factsOf(chunk))?.states ?? []);
    for (const offerId of offerIds) {
      const place = input.placeOf.get(offerId);
      if (place?.chunk === chunk && states[place?.at ?? -1]?.stage === stage) continue;
      violated(`client ${offerId} is sent (${operation}) without a durable intent`);
    }
  };

  return {
    left: (request) => {
      refuseTwice(request);
      wantIntent(request);
      inFlight.push(request);
    },
    answered: (request, told) => {
      inFlight = inFlight.filter((one) => one !== request);
      if (told === null) return;
      for (const offerId of request.offerIds) vain.set(offerId, (vain.get(offerId) ?? 0) + 1);
      // Being told that a client is not there is no reason to leave it unknown.
      if (isReading(request)) return;
      for (const offerId of told) vain.set(offerId, 0);
    },
    restart: () => {
      inFlight = [];
      vain.clear();
    },
    inVain: (offerId) => vain.get(offerId) ?? 0,
  };
}

function isReading({ operation }: Request): boolean {
  return operation === 'findClient' || operation === 'findCampaigns';
}
