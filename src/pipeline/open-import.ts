import { setMaxListeners } from 'node:events';
import { failuresIn, noOutcomes } from '../core/outcome.js';
import type { StopRun } from '../core/errors.js';
import { DEFAULT_PATIENCE } from '../core/time.js';
import type { BatchContext } from './batch-context.js';
import { createTurns } from './change/turns.js';
import { exceeds, tooManyFailures, totalOf } from './guard.js';
import type { ImportPorts, ImportSettings, ImportState } from './import-ports.js';
import { type Limiter, type LimiterRanges, createLimiter } from './limiter/limiter.js';
import { clientsAtOnce } from './sending/pace.js';
import { createPermits } from './sending/permits.js';
import { type Sender, createSender } from './sending/sender.js';
import { type TaskQueue, createTaskQueue } from './sending/task-queue.js';
import { createWaitingNotice } from './sending/waiting-notice.js';

/** An import that is under way. */
export interface RunningImport {
  readonly ports: ImportPorts;
  readonly settings: ImportSettings;
  /** Aborted when no new request may leave: by the caller, or when a batch has failed. */
  readonly signal: AbortSignal;
  readonly queue: TaskQueue;
  readonly sender: Sender;
  readonly state: ImportState;
  readonly context: BatchContext;
  /** Whether the contact center has answered in the interface's own form; absent before it was asked. */
  readonly center: { isKnown?: boolean };
}

/** Batches on their way in addition to the requests in flight: while some are recorded, others can be sent. */
const ahead = (concurrency: number): number => Math.max(2, Math.ceil(concurrency / 4));
const DEFAULT_LONGEST_MS = 10_000;
const DEFAULT_SETTLE_AFTER_MS = 2_000;
const DEFAULT_SERVER_DEADLINE_MS = 60_000;

/** Puts together what sends the clients of an import. */
export function openImport(ports: ImportPorts, settings: ImportSettings): RunningImport {
  const stop = new AbortController();
  const signal = AbortSignal.any([ports.signal, stop.signal]);
  // Every request that waits for its next try listens.
  setMaxListeners(0, signal);
  const limiter = limiterOf(ports, settings);
  const queue = createTaskQueue(
    () => limiter.concurrency + ahead(limiter.concurrency),
    (error) => {
      stop.abort(error);
    },
    createWaitingNotice(ports.clock, ports.onTrouble),
  );
  const center: RunningImport['center'] = {};
  const sender = createSender({
    ...ports,
    signal,
    limiter,
    idleWaits: queue.idleWaits,
    permits: ports.permits ?? createPermits(settings.pace),
    hours: settings.pace.hours,
    endsOutside: settings.pace.endsOutside,
    onPause: ports.onTrouble,
    patience: settings.patience ?? DEFAULT_PATIENCE,
    isKnown: () => center.isKnown === true,
  });
  const state = stateOf(sender, limiter);
  const context: BatchContext = {
    ...ports,
    ...settings,
    mode: settings.mode ?? 'create',
    change: settings.change ?? null,
    inspect: settings.inspect ?? null,
    turns: createTurns(),
    signal,
    sender,
    idleWaits: queue.idleWaits,
    limits: { bytes: settings.bodyBytes, clients: () => limiter.nextBatchSize() },
    accepted: { bytes: 0 },
    settling: {
      firstMs: settings.settleAfterMs ?? DEFAULT_SETTLE_AFTER_MS,
      deadlineMs: settings.serverDeadlineMs ?? DEFAULT_SERVER_DEADLINE_MS,
    },
    startedAt: ports.clock.now(),
    mappedAt: settings.mappedAt ?? ports.clock.now(),
    onOutcome: (outcome, count, earlier = false) => {
      state.outcomes[outcome] += count;
      if (earlier) state.earlier[outcome] += count;
      const stop = count > 0 ? stopFor(state, settings) : null;
      if (stop) queue.fail(stop);
    },
  };
  return { ports, settings, signal, queue, sender, state, context, center };
}

function stateOf({ counts, inFlight, isHeld }: Sender, limiter: Limiter): ImportState {
  return {
    ...{ rows: 0, outcomes: noOutcomes(), earlier: noOutcomes(), share: 0 },
    get isHeld() {
      return isHeld();
    },
    get concurrency() {
      return limiter.concurrency;
    },
    get batchSize() {
      return limiter.batchSize;
    },
    get inFlight() {
      return inFlight();
    },
    get requests() {
      return counts.requests;
    },
    get retries() {
      return counts.retries;
    },
  };
}

function limiterOf(ports: ImportPorts, settings: ImportSettings): Limiter {
  return createLimiter(
    {
      concurrency: settings.concurrency,
      batchSize: withinPace(settings),
      longestMs: settings.longestMs ?? DEFAULT_LONGEST_MS,
    },
    ports.onLimits,
  );
}

/** Why the run is not to go on, once more rows have ended badly than is allowed. */
function stopFor(state: ImportState, { maxFailures, counted }: ImportSettings): StopRun | null {
  if (!maxFailures) return null;
  const bad = failuresIn(state.outcomes);
  const total = totalOf(state, counted);
  return exceeds(bad, maxFailures, total.rows) ? tooManyFailures(bad, maxFailures, total) : null;
}

/** A request carries no more clients than a second permits. */
function withinPace({ pace, batchSize }: ImportSettings): LimiterRanges['batchSize'] {
  if (typeof batchSize === 'number') return clientsAtOnce(pace, batchSize);
  const max = clientsAtOnce(pace, batchSize.max);
  return { min: Math.min(batchSize.min, max), first: Math.min(batchSize.first, max), max };
}
