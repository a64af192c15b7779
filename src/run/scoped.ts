type Close = () => unknown;

/** Takes what is to be closed at the end of a story. */
export type Closing = (close: Close) => void;

/**
 * Tells a story with what it opens. Whatever it gave to `closing` is closed at its end, the last one first, also where
 * the story failed: what closing throws counts only where the story threw nothing.
 */
export async function scoped<T>(story: (closing: Closing) => Promise<T>): Promise<T> {
  const open: Close[] = [];
  let ended: { readonly result: T } | undefined;
  try {
    ended = { result: await story((close) => open.push(close)) };
    return ended.result;
  } finally {
    await closeAll(open, ended !== undefined);
  }
}

async function closeAll(open: Close[], throws: boolean): Promise<void> {
  const failures: unknown[] = [];
  for (let close = open.pop(); close; close = open.pop()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (throws && failures.length > 0) throw failures[0];
}
