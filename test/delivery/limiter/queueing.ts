import {
  type Limiter,
  type LimiterChange,
  type LimiterRanges,
  type RequestEnd,
  createLimiter,
} from '../../../src/delivery/limiter.js';

/** A contact center that is simulated: what becomes of a request that arrives while others are there. */
export interface Server {
  /** Requests that are worked on at once; others wait. */
  readonly workers: number;
  /** Requests that may wait; further ones are refused. */
  readonly queue: number;
  /** Milliseconds of work for a request when `inFlight` are there, itself included. */
  readonly work: (clients: number, inFlight: number, random: number) => number;
  /** Share of requests that is refused whatever the load. */
  readonly refusals?: number;
  /** Milliseconds there and back. */
  readonly latency?: number;
}

/** What an import came to. */
export interface Simulated {
  readonly milliseconds: number;
  readonly requests: number;
  readonly refused: number;
  readonly mostInFlight: number;
  readonly changes: readonly (LimiterChange & { readonly at: number })[];
  readonly limiter: Limiter;
}

interface Event {
  readonly at: number;
  readonly happen: () => void;
}

const RETRY_MS = 100;

/**
 * Sends `clients` clients to the server as the limiter permits, in simulated time. A refused request goes again a
 * little later, with others before it.
 */
export function simulateImport(
  server: Server,
  ranges: LimiterRanges,
  clients: number,
  random: () => number,
): Simulated {
  let [now, left, inFlight, there, working] = [0, clients, 0, 0, 0];
  const changes: (LimiterChange & { readonly at: number })[] = [];
  const limiter = createLimiter(ranges, (change) => changes.push({ ...change, at: now }));
  const events: Event[] = [];
  const waiting: (() => void)[] = [];
  const again: number[] = [];
  const count = { requests: 0, refused: 0, most: 0 };

  const after = (ms: number, happen: () => void): void => {
    const at = now + ms;
    const place = events.findLastIndex((event) => event.at <= at) + 1;
    events.splice(place, 0, { at, happen });
  };

  const nextSize = (): number => again.pop() ?? Math.min(limiter.nextBatchSize(), left);

  const send = (size: number, isNew: boolean): void => {
    if (isNew) left -= size;
    inFlight++;
    count.requests++;
    count.most = Math.max(count.most, inFlight);
    const full = left > 0;
    const ended = limiter.begin({ kind: 'create', clients: size, batched: true, full }, now);
    const answer = (end: RequestEnd): void =>
      after((server.latency ?? 0) / 2, () => {
        inFlight--;
        ended(end, now);
        fill();
      });
    after((server.latency ?? 0) / 2, () => {
      arrive(size, answer);
    });
  };

  const arrive = (size: number, answer: (end: RequestEnd) => void): void => {
    const isFull = there >= server.workers + server.queue;
    if (isFull || random() < (server.refusals ?? 0)) {
      count.refused++;
      answer('refused');
      after(random() * 2 * RETRY_MS, () => {
        again.push(size);
        fill();
      });
      return;
    }
    there++;
    const work = (): void => {
      working++;
      after(server.work(size, there, random()), () => {
        working--;
        there--;
        answer('answered');
        waiting.shift()?.();
      });
    };
    if (working < server.workers) work();
    else waiting.push(work);
  };

  const fill = (): void => {
    while (inFlight < limiter.concurrency && (left > 0 || again.length > 0)) {
      const isNew = again.length === 0;
      send(nextSize(), isNew);
    }
  };

  fill();
  for (let event = events.shift(); event; event = events.shift()) {
    now = event.at;
    event.happen();
  }
  return {
    milliseconds: now,
    requests: count.requests,
    refused: count.refused,
    mostInFlight: count.most,
    changes,
    limiter,
  };
}
