import { type AdmitContext, admitChunk } from './admit.js';
import {
  everLost,
  holdClients,
  lookUpAndChange,
  settleAndChange,
  waves,
  keysOf,
  type Outcomes,
} from './change.js';
import { lostBefore, sleepUntil, orRefusal, lookUp } from './settle.js';
import { type OpenStage, type OpenBatch, type Batch, rowsOf } from './batch.js';
import {
  totalOf,
  exceeds,
  tooManyFailures,
  type Canary,
  type CanaryPart,
  canaryBefore,
  createCanary,
} from './failures.js';
import type { Earlier, Inspection } from '../core/center.js';
import { type ChangeRule, type Inspect, subjectOf } from './change-rules.js';
import {
  type Turn,
  createTurns,
  clientsAtOnce,
  createPermits,
  type TaskQueue,
  createTaskQueue,
} from './queue.js';
import { createClients, settleAndCreate } from './create.js';
import {
  type BatchContext,
  record,
  type ImportPorts,
  type ImportSettings,
  type ImportState,
  type ImportEnd,
} from './ports.js';
import { type EnqueueOptions, enqueueClients } from './enqueue.js';
import { type StopRun, CardlineError, interruption } from '../core/errors.js';
import { setMaxListeners } from 'node:events';
import { failuresIn, noOutcomes } from '../core/outcome.js';
import { DEFAULT_PATIENCE } from '../core/time.js';
import { type Limiter, type LimiterRanges, createLimiter } from './limiter.js';
import { type Sender, createSender, createWaitingNotice } from './sending.js';
import type { Fact } from '../core/facts.js';

/*
 * An import from its first chunk to its end. Chunks are screened and put on record, what each leaves to do is cut into
 * batches, and each batch goes from the stage at which the facts leave it to its end. First comes how the import goes,
 * then how a batch does, then what an import is put together from.
 */

/**
 * Screens, records and sends every chunk. A continued run goes the same way: what its facts say is done is left alone.
 * Internal errors are thrown; how the import ended otherwise is the result.
 */
export async function runImport(ports: ImportPorts, settings: ImportSettings): Promise<ImportEnd> {
  const running = openImport(ports, settings);
  const { queue, sender, state } = running;
  ports.onOpen?.(state);
  try {
    await executeChunks(running);
  } catch (error) {
    queue.fail(error);
  }
  const failure = await queue.end();
  ports.onProgress?.(state);
  return { ...endOf(failure, ports.signal), ...sender.counts };
}

function endOf(failure: unknown, signal: AbortSignal): { stopped?: CardlineError } {
  if (failure instanceof CardlineError) return { stopped: failure };
  if (failure !== undefined)
    throw failure instanceof Error ? failure : new Error('A batch failed.', { cause: failure });
  return signal.aborted ? { stopped: interruption(signal) } : {};
}

/** Reads chunk after chunk, and adds what each leaves to do to the queue; the canary goes first. */
async function executeChunks(running: RunningImport): Promise<void> {
  const { ports, settings, signal, queue, state, context } = running;
  const admitting = admitContextOf(running);
  const canary = createCanary(...(await canaryOf(ports, settings)));
  const canaryContext: BatchContext = {
    ...context,
    onOutcome: (outcome, count, earlier) => {
      canary.onOutcome(outcome, count);
      context.onOutcome(outcome, count, earlier);
    },
  };
  if (canary.isSent()) await decideOn(canary, settings);
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
        await probeOnce(running);
        await queue.add(() => execute(part, stage));
        if (!canary.isSent()) continue;
        const hasEnded = await queue.hold(canary.ended(drained(running)));
        if (hasEnded) await decideOn(canary, settings);
      }
  }
}

/** @throws CanaryStop when too much of the canary failed */
async function decideOn(
  canary: Canary,
  { maxFailures, canaryShare }: ImportSettings,
): Promise<void> {
  canary.refuseSick(canaryShare ? canaryShare.limit : maxFailures);
  await canaryShare?.passed();
}

/** Asks whether a contact center is there: not while the run is paused, since that is a request too. */
async function probeOnce({ ports, signal, center }: RunningImport): Promise<void> {
  if (center.isKnown !== undefined) return;
  if (ports.pause?.isPaused) {
    await ports.pause.untilContinued(signal);
    if (signal.aborted) return;
  }
  center.isKnown = (await ports.probe?.()) ?? false;
}

/** How many clients the canary has, and how those ended that an earlier part of the run has sent. */
async function canaryOf(
  { ledger }: ImportPorts,
  { canary = 0, canaryShare }: ImportSettings,
): Promise<Parameters<typeof createCanary>> {
  return [canary, await canaryBefore(ledger, canary), canaryShare];
}

/**
 * Resolves when nothing is in flight of a run that was stopped: the last answers to a canary may come then, and whoever
 * stopped it is told of them, since the next process does not hold the others back any more.
 */
async function drained({ signal, queue }: RunningImport): Promise<void> {
  await aborted(signal);
  await queue.end();
}

/** Resolves when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Brings a batch from its stage to its end. */
async function executeBatch(
  context: BatchContext,
  batch: OpenBatch,
  stage: OpenStage,
): Promise<void> {
  if (context.inspect) return inspectClients(context, batch, context.inspect);
  switch (stage) {
    case 'new':
      return executeNew(context, batch);
    case 'creation_unknown':
      return settleAndCreate(context, batch, (created) => finishCreated(context, batch, created));
    case 'created':
      return enqueueClients(context, batch);
    case 'enqueueing_unknown':
      return enqueueClients(context, batch, { doubt: lostBefore(context) });
    case 'change_unknown':
    case 'changed':
      if (!context.change) throw new RangeError(`Mode ${context.mode} changes no clients.`);
      return executeChange(context, batch, stage, context.change);
    default:
      throw new RangeError(`Unknown stage ${String(stage satisfies never)}.`);
  }
}

async function executeNew(context: BatchContext, batch: OpenBatch): Promise<void> {
  const { change, mode } = context;
  if (change) return executeChange(context, batch, 'new', change);
  if (mode === 'enqueue') return enqueueClients(context, batch);
  return createClients(context, batch, (created) => finishCreated(context, batch, created));
}

/** A client is never changed by two rows at a time: the later one waits for the end of the earlier. */
async function executeChange(
  context: BatchContext,
  batch: OpenBatch,
  stage: 'new' | 'change_unknown' | 'changed',
  change: ChangeRule,
): Promise<void> {
  if (stage === 'changed')
    return finishChanged(
      context,
      batch,
      new Map(batch.members.map((index) => [index, change.outcome])),
    );
  const keysOfAll = (members: readonly number[]): string[] =>
    members.flatMap((index) => keysOf(batch, index, change));
  const waiting = waves(batch, change).map((members) => {
    const keys = keysOfAll(members);
    return { wave: { ...batch, members }, keys, turn: context.turns.take(keys) };
  });
  try {
    for (const { wave, keys, turn } of waiting) {
      await beginTurn(context, turn, keys);
      await changeWave(context, wave, stage, change, (ended) => turn.release(keysOfAll(ended)));
      turn.release();
    }
  } finally {
    for (const { turn } of waiting) turn.release();
  }
}

/** Waits until nothing works on the clients: no other sending, and no request of one that was lost. */
async function beginTurn(
  context: BatchContext,
  { begins }: Turn,
  keys: readonly string[],
): Promise<void> {
  if (begins) await context.idleWaits.during(begins, 'turn');
  const held = context.turns.heldAfter(context.clock.now(), keys);
  if (held.size === 0) return;
  const until = Math.max(...held.values());
  await sleepUntil(context, until, { until, clients: held.size });
}

async function changeWave(
  context: BatchContext,
  batch: OpenBatch,
  stage: 'new' | 'change_unknown',
  rule: ChangeRule,
  onEnded: (members: readonly number[]) => void,
): Promise<void> {
  const options = { rule, fails: context.mode !== 'upsert', onEnded };
  const { changed, absent } =
    stage === 'new'
      ? await lookUpAndChange(context, batch, options)
      : await settleAndChange(context, batch, batch.earlier ?? NOTHING_KNOWN, options);
  await finishChanged(context, batch, changed);
  if (absent.length === 0) return;
  // Where facts were lost, a request of the process before may yet create them.
  const create = context.ledger.settlesAll ? settleAndCreate : createClients;
  await create(context, { ...batch, members: absent }, async (created) => {
    await finishCreated(context, batch, created);
    onEnded(created);
  });
}

const NOTHING_KNOWN: ReadonlyMap<number, Earlier> = new Map();

async function finishCreated(
  context: BatchContext,
  batch: Batch,
  created: readonly number[],
): Promise<void> {
  if (!context.campaign) context.onOutcome('created', created.length);
  else if (created.length > 0)
    await enqueueClients(context, { ...batch, members: created }, lostFacts(context));
}

/** Where facts were lost, a request for a client of which nothing is on record may have added it already. */
function lostFacts(context: BatchContext): EnqueueOptions {
  return context.ledger.settlesAll ? { doubt: lostBefore(context) } : {};
}

/** A client that was there before may be in the campaign already, which is no failure then. */
async function finishChanged(
  context: BatchContext,
  batch: Batch,
  changed: Outcomes,
): Promise<void> {
  if (!context.campaign) for (const outcome of changed.values()) context.onOutcome(outcome, 1);
  else if (changed.size > 0)
    await enqueueClients(
      context,
      { ...batch, members: [...changed.keys()] },
      { ...lostFacts(context), already: (index) => changed.get(index) },
    );
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

/** Batches on their way in addition to the requests in flight: while some are recorded, others can be sent. */
const ahead = (concurrency: number): number => Math.max(2, Math.ceil(concurrency / 4));
const DEFAULT_LONGEST_MS = 10_000;
const DEFAULT_SETTLE_AFTER_MS = 2_000;
const DEFAULT_SERVER_DEADLINE_MS = 60_000;

/** Puts together what sends the clients of an import. */
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

/** What admitting the rows of an import needs. */
function admitContextOf({ ports, settings, context }: RunningImport): AdmitContext {
  return {
    ...ports,
    ...settings,
    mode: context.mode,
    limits: context.limits,
    onOutcome: context.onOutcome,
    onContinued: holdEverLost(context),
    campaign: settings.campaign !== null,
    together: !settings.inspect && (!settings.change || settings.mode === 'upsert'),
    unsure: unsureOf(settings),
    settles: settings.change?.settle !== undefined,
  };
}

/** The stage of rows that may have been sent: each mode looks up what it would do. */
function unsureOf({ change, inspect, mode }: ImportSettings): OpenStage {
  if (inspect) return 'new';
  if (change) return 'change_unknown';
  return mode === 'enqueue' ? 'enqueueing_unknown' : 'creation_unknown';
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

const NOT_ASKED = 'The contact center could not be asked for this client.';

/** Compares every member with the contact center and records what was found. */
async function inspectClients(
  context: BatchContext,
  batch: Batch,
  inspect: Inspect,
): Promise<void> {
  const { clients, members } = batch;
  const answers = await lookUp(context, members, (index) =>
    orRefusal(inspect(subjectOf(clients, index))),
  );
  const results: [at: number, found: Inspection][] = [];
  const unknown: [index: number, reason: string][] = [];
  for (const [place, index] of members.entries()) {
    const answer = answers[place];
    if (answer === undefined) unknown.push([index, NOT_ASKED]);
    else if ('refusal' in answer) unknown.push([index, answer.refusal]);
    else results.push([clients.at[index] ?? 0, answer]);
  }
  const facts: Fact[] = unknown.map(([index, reason]) => ({
    kind: 'change_unknown',
    rows: rowsOf(clients, [index]),
    reason,
  }));
  if (results.length > 0) facts.push({ kind: 'inspected', results });
  await record(context, batch, ...facts);
  for (const [, { verdict }] of results) context.onOutcome(verdict, 1);
  context.onOutcome('unknown', unknown.length);
}
