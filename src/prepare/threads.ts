import type { PreparedChunk } from '../core/client/prepared.js';
import { systemClock } from '../core/time/system-clock.js';
import type { Preparation, PreparePlan } from './plan.js';
import { prepareInThread } from './thread.js';

/**
 * Opens the preparation in several threads. Each reads the whole input, which is cheap, and maps its share of the
 * chunks, which is not; no row is passed between them. The chunks come in order.
 * @param threads at least 1
 * @throws as `prepareInThread` does
 */
export async function prepareInThreads(
  plan: Omit<PreparePlan, 'share'>,
  threads: number,
  signal?: AbortSignal,
): Promise<Preparation> {
  // One moment for all of them: a row is the same in each.
  const asOf = plan.asOf === undefined ? systemClock.now() : plan.asOf;
  const opening = Array.from({ length: threads }, (_, index) =>
    prepareInThread({ ...plan, asOf, share: { index, of: threads } }, signal),
  );
  // The first of them says all there is to say, and has the first chunk; the others are waited for in their turn.
  const shares = opening.map(async (share) => (await Promise.allSettled([share]))[0]);
  const close = async (): Promise<void> => {
    for (const share of await Promise.all(shares))
      if (share.status === 'fulfilled') await share.value.close();
  };
  try {
    const [first] = await Promise.all(opening.slice(0, 1));
    if (!first) throw new Error('No thread was to read.');
    return { ...first, chunks: () => inTurn(shares), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One chunk of each share in turn, until the first one that has none. */
async function* inTurn(
  shares: readonly Promise<PromiseSettledResult<Preparation>>[],
): AsyncGenerator<PreparedChunk, void, undefined> {
  const chunks: AsyncIterator<PreparedChunk>[] = [];
  try {
    for (;;)
      for (const [index, share] of shares.entries()) {
        const chunk = (chunks[index] ??= beginPreparing(await share));
        const next = await chunk.next();
        if (next.done) return;
        yield next.value;
      }
  } finally {
    for (const chunk of chunks) await chunk.return?.();
  }
}

function beginPreparing(share: PromiseSettledResult<Preparation>): AsyncIterator<PreparedChunk> {
  if (share.status === 'rejected') throw share.reason;
  return share.value.chunks()[Symbol.asyncIterator]();
}
