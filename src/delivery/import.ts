import { CardlineError, interruption } from '../core/errors.js';
import { type Admitting, type OpenStage, admitChunk } from './admit.js';
import { create, enqueue } from './attempt.js';
import type { Batch } from './batch.js';
import { changeInTurn, goOnChanged, holdEverLost, inspectClients } from './change.js';
import { Canary, canaryBefore, canaryStop } from './failures.js';
import { type ImportJob, type ImportEnd, type Sending, openSending } from './sending.js';

/*
 * An import from its first chunk to its end. Chunks are screened and put on record, what each leaves to do is cut into
 * batches, and each batch goes from the stage at which the facts leave it to its end. The canary goes first, and is
 * decided on before anybody else is sent.
 */

/**
 * Screens, records and sends every chunk. A continued run goes the same way: what its facts say is done is left alone.
 * Internal errors are thrown; how the import ended otherwise is the result.
 */
export async function runImport(job: ImportJob): Promise<ImportEnd> {
  const s = openSending(job);
  s.onOpen?.(s.state);
  try {
    await sendChunks(s);
  } catch (error) {
    s.queue.fail(error);
  }
  const failure = await s.queue.end();
  s.onProgress?.(s.state);
  return { ...stopOf(failure, s.signal), ...s.sender.counts };
}

function stopOf(failure: unknown, signal: AbortSignal): { stopped?: CardlineError } {
  if (failure instanceof CardlineError) return { stopped: failure };
  if (failure !== undefined)
    throw failure instanceof Error ? failure : new Error('A batch failed.', { cause: failure });
  return signal.aborted ? { stopped: interruption(signal) } : {};
}

/** Reads chunk after chunk, and adds what each leaves to do to the queue; the canary goes first. */
async function sendChunks(s: Sending): Promise<void> {
  const { signal, queue, state, canary: first = 0 } = s;
  const canary = new Canary(first, await canaryBefore(s.ledger, first), s.canaryShare);
  /** The same sending, whose ends count for the canary too. */
  const ofCanary: Sending = {
    ...s,
    ended: (outcome, count, earlier) => {
      canary.note(outcome, count);
      s.ended(outcome, count, earlier);
    },
  };
  const admitting: Admitting = { ...s, onContinued: (...clients) => holdEverLost(s, ...clients) };
  if (canary.takeDue()) await decideOn(s, canary);
  let number = 0;
  for await (const chunk of s.chunks) {
    if (signal.aborted) break;
    state.rows += chunk.count;
    state.share = chunk.progress;
    const { open } = await admitChunk(admitting, chunk, chunk.number ?? number++);
    s.onProgress?.(state);
    for (const [stage, batch] of open)
      for (const { part, isCanary } of canary.parts(batch)) {
        await probeOnce(s);
        await queue.add(() => execute(isCanary ? ofCanary : s, part, stage));
        if (!canary.takeDue()) continue;
        const hasEnded = await queue.hold(canary.ended(drained(s)));
        if (hasEnded) await decideOn(s, canary);
      }
  }
}

/** @throws CanaryStop when too much of the canary failed */
async function decideOn({ maxFailures }: Sending, canary: Canary): Promise<void> {
  if (!(await canary.hasPassed(maxFailures))) throw canaryStop();
}

/** Asks whether a contact center is there: not while the run is paused, since that is a request too. */
async function probeOnce({ pause, probe, signal, met }: Sending): Promise<void> {
  if (met.isKnown !== undefined) return;
  if (pause?.isPaused) {
    await pause.untilContinued(signal);
    if (signal.aborted) return;
  }
  met.isKnown = (await probe?.()) ?? false;
}

/**
 * Resolves when nothing is in flight of a run that was stopped: the last answers to a canary may come then, and whoever
 * stopped it is told of them, since the next process does not hold the others back any more.
 */
async function drained({ signal, queue }: Sending): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await queue.end();
}

/** Brings a batch from its stage to its end. */
async function execute(s: Sending, batch: Batch, stage: OpenStage): Promise<void> {
  await (s.inspect ? inspectClients(s, batch, s.inspect) : executeFrom(s, batch, stage));
  s.onProgress?.(s.state);
}

async function executeFrom(s: Sending, batch: Batch, stage: OpenStage): Promise<void> {
  switch (stage) {
    case 'new':
      return executeNew(s, batch);
    case 'creation_unknown':
      return create(s, batch, s.lostBefore);
    case 'created':
      return enqueue(s, batch);
    case 'enqueueing_unknown':
      return enqueue(s, batch, s.lostBefore);
    case 'change_unknown':
      return changeInTurn(s, batch, stage);
    case 'changed':
      return goOnChanged(s, batch);
  }
}

async function executeNew(s: Sending, batch: Batch): Promise<void> {
  if (s.change) return changeInTurn(s, batch, 'new');
  return s.mode === 'enqueue' ? enqueue(s, batch) : create(s, batch);
}

/* What other rooms need of this one: nobody imports past this file. */
export { type Admitting, type Screened, admitChunk, knownRows, screenChunk } from './admit.js';
export type { BodyExtras, CampaignSettings } from './batch.js';
export {
  Canary,
  type CanaryShare,
  type FailureLimit,
  type ReadSoFar,
  type RowTotal,
  allowedOf,
  canaryBefore,
  canaryStop,
  exceeds,
  limitText,
  tooManyFailures,
  totalOf,
  totalText,
} from './failures.js';
export {
  type ChangeRule,
  type Inspect,
  changeRuleOf,
  keysOf,
  removeMissingRule,
  undoRule,
} from './rules.js';
export {
  type PaceLimits,
  type PausePort,
  type Permits,
  Sender,
  createPace,
  createPermits,
} from './sender.js';
export type { ImportJob, ImportEnd, ImportState } from './sending.js';
