import pLimit from 'p-limit';

/** Batches that may wait for a free request, so that there always is one ready. */
const WAITING = 2;

/** Runs deliveries side by side, with back-pressure on whoever adds them. */
export interface DeliveryLine {
  /** Resolves when there is room for another delivery. Does nothing once one has failed. */
  add(delivery: () => Promise<void>): Promise<void>;
  /** Resolves when all deliveries so far have ended. */
  idle(): Promise<void>;
  /** Ends the line as if a delivery had failed. */
  fail(error: unknown): void;
  /** Resolves when all deliveries have ended; with the first error, if there was one. */
  end(): Promise<unknown>;
}

/** `onFailure` is called with the first error: whatever waits elsewhere should give up too. */
export function createDeliveryLine(
  concurrency: number,
  onFailure: (error: unknown) => void,
): DeliveryLine {
  const limit = pLimit(concurrency);
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;

  const fail = (error: unknown): void => {
    if (failure) return;
    failure = { error };
    onFailure(error);
  };

  const run = async (delivery: () => Promise<void>): Promise<void> => {
    if (failure) return;
    try {
      await delivery();
    } catch (error) {
      fail(error);
    }
  };

  return {
    add: async (delivery) => {
      if (failure) return;
      const task: Promise<void> = limit(() => run(delivery)).finally(() => running.delete(task));
      running.add(task);
      while (limit.pendingCount >= WAITING) await Promise.race(running);
    },
    fail,
    idle: async () => {
      await Promise.all(running);
    },
    end: async () => {
      await Promise.all(running);
      return failure?.error;
    },
  };
}
