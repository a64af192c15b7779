import { setMaxListeners } from 'node:events';
import type { Clock } from '../core/time/clock.js';
import { CardlineError } from '../core/errors.js';
import type { CenterPort } from '../core/center-port.js';
import type { KnownRows } from '../core/duplicates/known.js';
import type { RunLedger } from '../core/ledger.js';
import { type OutcomeCounts, noOutcomes } from '../core/outcome.js';
import type { PreparedChunk } from '../core/client/prepared.js';
import type { RunMode } from '../core/mode.js';
import type { SeenKeys } from '../core/duplicates/seen.js';
import { type AdmitContext, admitChunk } from './admit.js';
import type { BodyExtras, CampaignSettings } from './batch/batch.js';
import type { ChangeRule } from './change/rule.js';
import { everLost, holdClients } from './change/hold.js';
import { createTurns } from './change/turns.js';
import { type OpenStage, executeBatch } from './execute-batch.js';
import type { BatchContext } from './batch-context.js';
import { type TaskQueue, createTaskQueue } from './sending/task-queue.js';
import {
  type Limiter,
  type LimiterChange,
  type LimiterRanges,
  createLimiter,
} from './limiter/limiter.js';
import { type PaceLimits, clientsAtOnce } from './sending/pace.js';
import { type Permits, createPermits } from './sending/permits.js';
import type { Inspect } from './inspect/inspect.js';
import { DEFAULT_PATIENCE, type Patience } from '../core/time/retry-timing.js';
import type { DuplicateRule } from '../core/duplicates/duplicate-rule.js';
import { type CanaryPart, createCanary, sentBefore } from './canary.js';
import {
  type FailureLimit,
  type ReadSoFar,
  exceeds,
  failuresIn,
  tooManyFailures,
  totalOf,
} from './guard.js';
import { type Sender, createSender } from './sending/sender.js';
import { lostBefore } from './settle/settle.js';
import { INTERRUPTED, StopRun } from '../core/stop.js';
import { createWaitingNotice } from './sending/waiting-notice.js';

/** The world of an import, as ports. */
export interface ImportPorts {
  readonly chunks: AsyncIterable<PreparedChunk>;
  readonly center: CenterPort;
  readonly ledger: RunLedger;
  readonly seen: SeenKeys;
  /** What earlier runs did with the rows. @default nothing is known */
  readonly known?: KnownRows | undefined;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Aborted to stop gently: what is in flight ends, nothing new leaves. */
  readonly signal: AbortSignal;
  /** Shared with others who send to the same contact center. @default its own, of the settings' pace */
  readonly permits?: Permits | undefined;
  /**
   * Called once, before the first client leaves: makes sure that a contact center is there, and resolves with whether it
   * has answered in the interface's own form. @default not called
   */
  readonly probe?: (() => Promise<boolean>) | undefined;
  readonly onProgress?: ((state: ImportState) => void) | undefined;
  readonly onTrouble?: ((message: string) => void) | undefined;
  /** Called with how many requests may be in flight and how large they are, whenever that changes. */
  readonly onLimits?: ((change: LimiterChange) => void) | undefined;
}

export interface ImportSettings {
  /** Requests in flight, and clients in a request: fixed, or found out between these limits. */
  readonly concurrency: LimiterRanges['concurrency'];
  readonly batchSize: LimiterRanges['batchSize'];
  /** Maximum bytes in the body of a request. */
  readonly bodyBytes: number;
  /** How long an answer should take at most, in milliseconds; larger batches are not made. @default 10000 */
  readonly longestMs?: number | undefined;
  readonly pace: PaceLimits;
  readonly patience?: Patience;
  /** How soon to ask what became of a request whose answer was lost, in milliseconds. @default 2000 */
  readonly settleAfterMs?: number;
  /**
   * After how long the contact center surely no longer works on such a request, in milliseconds; what may not be done
   * twice is not sent again before. @default 60000
   */
  readonly serverDeadlineMs?: number;
  /** @default create */
  readonly mode?: RunMode | undefined;
  /** How the mode changes clients that exist; absent when it changes none. */
  readonly change?: ChangeRule | null | undefined;
  /** Compares clients and changes nothing. */
  readonly inspect?: Inspect | null | undefined;
  /** What every creation carries beside its clients. */
  readonly extras?: BodyExtras | undefined;
  /** `null`: clients are not enqueued. */
  readonly campaign: CampaignSettings | null;
  readonly duplicates: DuplicateRule;
  readonly identifierNames: readonly string[];
  /** How many rows may end badly before the run stops. @default any */
  readonly maxFailures?: FailureLimit | undefined;
  /** Rows of the input that were counted before, all of them where their share is 1. @default none: estimated */
  readonly counted?: ReadSoFar | undefined;
  /** Clients that are sent first and have to pass before the others follow. @default 0 */
  readonly canary?: number | undefined;
  /** Names of the input files, for messages. */
  readonly inputs: readonly string[];
}

/** Where an import stands. The object is one and the same each time. */
export interface ImportState {
  /** Data rows that have been read. */
  rows: number;
  readonly outcomes: OutcomeCounts;
  /** Share of the input that has been read, 0 to 1. */
  share: number;
}

export interface ImportEnd {
  /** Why the import ended before its input; absent when everything was sent. */
  readonly stopped?: CardlineError;
  readonly requests: number;
  readonly retries: number;
}

/** Batches on their way in addition to the requests in flight: while some are recorded, others can be sent. */
const ahead = (concurrency: number): number => Math.max(2, Math.ceil(concurrency / 4));
const DEFAULT_LONGEST_MS = 10_000;
const DEFAULT_SETTLE_AFTER_MS = 2_000;
const DEFAULT_SERVER_DEADLINE_MS = 60_000;

/**
 * Screens, records and sends every chunk. A continued run goes the same way: what its facts say is done is left alone.
 * Internal errors are thrown; how the import ended otherwise is the result.
 */
export async function runImport(ports: ImportPorts, settings: ImportSettings): Promise<ImportEnd> {
  const running = openImport(ports, settings);
  const { queue, sender, state } = running;
  try {
    await executeChunks(running);
  } catch (error) {
    queue.fail(error);
  }
  const failure = await queue.end();
  ports.onProgress?.(state);
  return { ...endOf(failure, ports.signal), ...sender.counts };
}

/** An import that is under way. */
interface RunningImport {
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

function openImport(ports: ImportPorts, settings: ImportSettings): RunningImport {
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
    onPause: ports.onTrouble,
    patience: settings.patience ?? DEFAULT_PATIENCE,
    isKnown: () => center.isKnown === true,
  });
  const state: ImportState = { rows: 0, outcomes: noOutcomes(), share: 0 };
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
    onOutcome: (outcome, count) => {
      state.outcomes[outcome] += count;
      const stop = count > 0 ? stopFor(state, settings) : null;
      if (stop) queue.fail(stop);
    },
  };
  return { ports, settings, signal, queue, sender, state, context, center };
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

function admitContextOf({ ports, settings, context }: RunningImport): AdmitContext {
  return {
    ...ports,
    ...settings,
    limits: context.limits,
    onOutcome: context.onOutcome,
    onContinued: holdEverLost(context),
    campaign: settings.campaign !== null,
    together: !settings.inspect && (!settings.change || settings.mode === 'upsert'),
    unsure: unsureOf(settings),
    settles: settings.change?.settle !== undefined,
  };
}

/** Reads chunk after chunk, and adds what each leaves to do to the queue; the canary goes first. */
async function executeChunks(running: RunningImport): Promise<void> {
  const { ports, settings, signal, queue, state, context, center } = running;
  const admitting = admitContextOf(running);
  const canary = createCanary(...canaryOf(ports, settings));
  const canaryContext: BatchContext = {
    ...context,
    onOutcome: (outcome, count) => {
      canary.onOutcome(outcome, count);
      context.onOutcome(outcome, count);
    },
  };
  const execute = async ({ batch, isCanary }: CanaryPart, stage: OpenStage): Promise<void> => {
    await executeBatch(isCanary ? canaryContext : context, batch, stage);
    ports.onProgress?.(state);
  };
  let number = 0;
  for await (const chunk of ports.chunks) {
    if (signal.aborted) break;
    state.rows += chunk.count;
    state.share = chunk.progress;
    const batches = await admitChunk(admitting, chunk, chunk.number ?? number++);
    ports.onProgress?.(state);
    for (const [stage, batch] of batches)
      for (const part of canary.parts(batch)) {
        center.isKnown ??= (await ports.probe?.()) ?? false;
        await queue.add(() => execute(part, stage));
        if (!canary.isSent()) continue;
        const hasEnded = await queue.hold(canary.ended(aborted(signal)));
        if (hasEnded) canary.refuseSick(settings.maxFailures);
      }
  }
}

/** How many clients the canary has, and how those ended that an earlier part of the run has sent. */
function canaryOf(
  { ledger }: ImportPorts,
  { canary = 0 }: ImportSettings,
): Parameters<typeof createCanary> {
  return [canary, ledger.continued ? sentBefore(ledger.rows(), canary) : []];
}

/** The stage of rows that may have been sent: each mode looks up what it would do. */
function unsureOf({ change, inspect, mode }: ImportSettings): OpenStage {
  if (inspect) return 'new';
  if (change) return 'change_unknown';
  return mode === 'enqueue' ? 'enqueueing_unknown' : 'creation_unknown';
}

/** Why the run is not to go on, once more rows have ended badly than is allowed. */
function stopFor(state: ImportState, { maxFailures, counted }: ImportSettings): StopRun | null {
  if (!maxFailures) return null;
  const bad = failuresIn(state.outcomes);
  const total = totalOf(state, counted);
  return exceeds(bad, maxFailures, total.rows) ? tooManyFailures(bad, maxFailures, total) : null;
}

/** Resolves when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** What an earlier process lost may still be carried out, and must not come after later rows of its clients. */
function holdEverLost(context: BatchContext): AdmitContext['onContinued'] {
  const { change, turns } = context;
  if (!change) return undefined;
  const request = lostBefore(context);
  return (clients, members, facts) => {
    // Of facts that are gone, some may have recorded a lost request.
    const lost = context.ledger.settlesAll ? members : everLost(clients, members, facts);
    const requests = lost.map((index) => [index, request] as const);
    holdClients(turns, change, clients, requests);
  };
}

/** A request carries no more clients than a second permits. */
function withinPace({ pace, batchSize }: ImportSettings): LimiterRanges['batchSize'] {
  if (typeof batchSize === 'number') return clientsAtOnce(pace, batchSize);
  const max = clientsAtOnce(pace, batchSize.max);
  return { min: Math.min(batchSize.min, max), first: Math.min(batchSize.first, max), max };
}

function endOf(failure: unknown, signal: AbortSignal): { stopped?: CardlineError } {
  if (failure instanceof CardlineError) return { stopped: failure };
  if (failure !== undefined)
    throw failure instanceof Error ? failure : new Error('A batch failed.', { cause: failure });
  return signal.aborted ? { stopped: new StopRun(INTERRUPTED) } : {};
}
