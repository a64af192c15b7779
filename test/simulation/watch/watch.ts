import type { FailureLimit } from '../../../src/delivery/failures.js';
import { watchByteLimit } from './byte-limit.js';
import { watchCanary } from './canary.js';
import { watchFailures } from './failures.js';
import { watchInFlight } from './in-flight.js';
import { watchIntents } from './intents.js';
import { watchPace } from './pace.js';
import { watchStop } from './stop.js';
import { watchVainTries } from './vain.js';
import type { Sight, Watcher } from './watcher.js';

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
