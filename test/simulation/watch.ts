import { type RowStage, foldChunk } from '../../src/core/facts.js';
import type { FailureLimit } from '../../src/delivery/failures.js';
import type { Disk, Kept } from './disk.js';
import { type Input, canaryOf, isTooMany } from './input.js';
import { type Ending, type Request, isReading } from './network.js';
import type { Scenario } from './scenario.js';
import type { Timeline } from './timeline.js';

/** Watches one thing that the importer must or must not do, while it works. */
interface Watcher {
  /** A process begins. `continued`: it goes on with what an earlier one has left. */
  readonly began?: (continued: boolean) => void;
  /** A request leaves. */
  readonly left?: (request: Request) => void;
  /** The importer has its answer, or has given up. */
  readonly ended?: (request: Request, ending: Ending) => void;
  /** Facts have reached the disk. */
  readonly kept?: (kept: readonly Kept[]) => void;
  /** The process is asked to end. */
  readonly stopped?: () => void;
}

/** What a watcher can see. */
interface Sight {
  readonly scenario: Scenario;
  readonly input: Input;
  readonly disk: Disk;
  readonly timeline: Timeline;
  /** Is told what must not be. */
  readonly violated: (what: string) => void;
}

/** Everything that is watched while the importer works. */
export interface Watch extends Required<Watcher> {
  /** How often, in this process, the importer has asked about this client in vain since it was last told. */
  inVain(offerId: number): number;
  /** When the process was asked to end, or the last of its requests in flight ended after that; `null`: it was not. */
  idleSince(): number | null;
}

/** `limitInForce`: how many failures the process that runs now permits. */
export function createWatch(sight: Sight, limitInForce: () => FailureLimit | null): Watch {
  const vain = watchVainTries();
  const stop = watchStop(sight);
  const watchers: readonly Watcher[] = [
    watchInFlight(sight),
    watchIntents(sight),
    watchPace(sight),
    stop,
    watchByteLimit(sight),
    watchFailures(sight, limitInForce),
    watchCanary(sight, limitInForce),
    vain,
  ];
  return {
    began: (continued) => watchers.forEach((one) => one.began?.(continued)),
    left: (request) => watchers.forEach((one) => one.left?.(request)),
    ended: (request, ending) => watchers.forEach((one) => one.ended?.(request, ending)),
    kept: (kept) => watchers.forEach((one) => one.kept?.(kept)),
    stopped: () => watchers.forEach((one) => one.stopped?.()),
    inVain: (offerId) => vain.of(offerId),
    idleSince: () => stop.idleSince(),
  };
}

/** No more requests than allowed are in flight, and no client is in two of them. */
function watchInFlight({ scenario, violated }: Sight): Watcher {
  let inFlight: Request[] = [];
  return {
    began: () => {
      inFlight = [];
    },
    left: (request) => {
      if (inFlight.length >= scenario.concurrency)
        violated('more requests are in flight than allowed');
      const busy = new Set(inFlight.flatMap(({ offerIds }) => offerIds));
      for (const offerId of request.offerIds)
        if (busy.has(offerId)) violated(`two requests for client ${offerId} are in flight`);
      inFlight.push(request);
    },
    ended: (request) => {
      inFlight = inFlight.filter((one) => one !== request);
    },
  };
}

const STAGES: Readonly<Record<string, RowStage>> = {
  addClients: 'creating',
  addApplications: 'enqueuing',
};

/** When a request leaves, a power cut at that instant must leave on record that its clients may be on their way. */
function watchIntents({ input, disk, violated }: Sight): Watcher {
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

const SECOND_MS = 1000;
/** What adding up fractions of milliseconds may cost. */
const ROUNDING_MS = 1e-6;

/** No second holds more requests or clients than the contact center's owners permit. */
function watchPace({ scenario, timeline, violated }: Sight): Watcher {
  const { requestsPerSecond = Infinity, clientsPerSecond = Infinity } = scenario.pace;
  let second: { readonly at: number; readonly clients: number }[] = [];
  return {
    // A new process knows nothing of the last second of the one before.
    began: () => {
      second = [];
    },
    left: (request) => {
      const now = timeline.now();
      second = second.filter(({ at }) => at > now - SECOND_MS + ROUNDING_MS);
      second.push({ at: now, clients: isReading(request) ? 1 : request.offerIds.length });
      const clients = second.reduce((sum, one) => sum + one.clients, 0);
      if (second.length > requestsPerSecond)
        violated(`${second.length} requests in a second that permits ${requestsPerSecond}`);
      if (clients > clientsPerSecond)
        violated(`${clients} clients in a second that permits ${clientsPerSecond}`);
    },
  };
}

/** Knows since when a process that was asked to end has had nothing to wait for. */
interface StopWatch extends Watcher {
  /** When it was asked to end, or the last of its requests in flight ended after that; `null`: it was not asked. */
  idleSince(): number | null;
}

/** Nothing leaves any more once the process has been asked to end. */
function watchStop({ timeline, violated }: Sight): StopWatch {
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

/** A body is told by the importer with the comma behind its last client. */
const COMMA = 1;

/**
 * A body that is refused as too large halves the limit for the chunks that are cut from then on, but never below what
 * was accepted. A client alone goes whatever its size, and says nothing of others.
 */
function watchByteLimit({ scenario, input, violated }: Sight): Watcher {
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
      for (const { chunk, facts } of kept)
        if (facts.some(({ kind }) => kind === 'read')) limits.set(chunk, limit);
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

const BAD: ReadonlySet<RowStage> = new Set(['create_failed', 'enqueue_failed', 'rejected']);

/** Nothing leaves any more once so many rows have failed that the run has to stop. */
function watchFailures(
  { input, disk, timeline, violated }: Sight,
  limitInForce: () => FailureLimit | null,
): Watcher {
  let exceededAt: number | undefined;
  let fresh = false;

  const isExceeded = (limit: FailureLimit): boolean => {
    const stages = input.chunks.flatMap((_, chunk) =>
      (foldChunk(disk.factsOf(chunk))?.states ?? []).map(({ stage }) => stage),
    );
    return isTooMany(stages.filter((stage) => BAD.has(stage)).length, limit, input.rows.length);
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

/** Nobody but the canary leaves before all of it has ended, and well enough; also where an earlier process began it. */
function watchCanary(
  { scenario, input, disk, violated }: Sight,
  limitInForce: () => FailureLimit | null,
): Watcher {
  const first = input.clients.slice(0, scenario.canary);
  const canary = () => canaryOf(input, scenario, disk.factsOf);
  let watched = false;
  return {
    began: (continued) => {
      watched = first.length > 0 && !(continued && canary().hasEnded);
    },
    left: ({ offerIds }) => {
      if (!watched || offerIds.every((offerId) => first.includes(offerId))) return;
      // Once the others may go, they go on.
      watched = false;
      const { hasEnded, bad } = canary();
      if (!hasEnded) violated('others are sent before the canary has ended');
      if (isTooMany(bad, limitInForce() ?? { count: 0 }, first.length))
        violated('others are sent although the canary is sick');
    },
  };
}

/** Remembers how often the importer asked in vain. */
interface VainTries extends Watcher {
  /** How often, in this process, the importer has asked about this client in vain since it was last told. */
  of(offerId: number): number;
}

function watchVainTries(): VainTries {
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
