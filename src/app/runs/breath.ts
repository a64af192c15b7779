/** How long one thing may keep the event loop from everything else, in milliseconds. */
const SLICE_MS = 15;

/** Gives way to everything else at times, for work that takes long in one thread. @returns what is awaited now and then */
export function breathing(signal?: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resolve, reject) =>
      setImmediate(() => {
        since = performance.now();
        if (signal?.aborted) reject(signal.reason as Error);
        else resolve();
      }),
    );
  };
}
