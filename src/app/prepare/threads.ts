import type { PreparedChunk } from '../../core/prepared.js';
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
  const opening = Array.from({ length: threads }, (_, index) =>
    prepareInThread({ ...plan, share: { index, of: threads } }, signal),
  );
  const opened = await Promise.allSettled(opening);
  const shares = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(shares.map((share) => share.close()));
  };
  const failed = opened.find((result) => result.status === 'rejected');
  const [first] = shares;
  if (failed || !first) {
    await close();
    throw failed?.reason as Error;
  }
  return { ...first, chunks: () => inTurn(shares), close };
}

/** One chunk of each share in turn, until the first one that has none. */
async function* inTurn(
  shares: readonly Preparation[],
): AsyncGenerator<PreparedChunk, void, undefined> {
  const readings = shares.map((share) => share.chunks()[Symbol.asyncIterator]());
  try {
    for (;;)
      for (const reading of readings) {
        const next = await reading.next();
        if (next.done) return;
        yield next.value;
      }
  } finally {
    for (const reading of readings) await reading.return?.();
  }
}
