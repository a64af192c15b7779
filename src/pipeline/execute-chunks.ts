import { admitContextOf } from './admit/context-of.js';
import { admitChunk } from './admit/admit.js';
import type { BatchContext } from './batch-context.js';
import { type Canary, type CanaryPart, canaryBefore, createCanary } from './canary.js';
import { type OpenStage, executeBatch } from './execute-batch.js';
import type { ImportPorts, ImportSettings } from './import-ports.js';
import type { RunningImport } from './open-import.js';

/** Reads chunk after chunk, and adds what each leaves to do to the queue; the canary goes first. */
export async function executeChunks(running: RunningImport): Promise<void> {
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
