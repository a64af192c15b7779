/** Waits of deliveries that need nothing meanwhile: others may take their places. */
export interface Absences {
  /** Passes the promise on; until it has ended, its delivery counts as away. */
  during<T>(wait: Promise<T>): Promise<T>;
}

/** Runs deliveries side by side, with back-pressure on whoever adds them. */
export interface DeliveryLine {
  /** Resolves when there is room for another delivery. Does nothing once one has failed. */
  add(delivery: () => Promise<void>): Promise<void>;
  /** Ends the line as if a delivery had failed. */
  fail(error: unknown): void;
  /** Resolves when all deliveries have ended; with the first error, if there was one. */
  end(): Promise<unknown>;
  readonly absences: Absences;
}

/** Deliveries that may be away at a time: what they hold stays in memory. */
const MOST_AWAY = 64;

/**
 * `places`: how many deliveries may be under way now. `onFailure` is called with the first error: whatever waits
 * elsewhere should give up too.
 */
export function createDeliveryLine(
  places: () => number,
  onFailure: (error: unknown) => void,
): DeliveryLine {
  const running = new Set<Promise<void>>();
  let away = 0;
  let failure: { error: unknown } | undefined;
  let room = newRoom();

  const look = (): void => {
    room.resolve();
    room = newRoom();
  };

  const fail = (error: unknown): void => {
    if (failure) return;
    failure = { error };
    onFailure(error);
    look();
  };

  const run = async (delivery: () => Promise<void>): Promise<void> => {
    try {
      await delivery();
    } catch (error) {
      fail(error);
    }
  };

  const isFull = (): boolean => running.size - Math.min(away, MOST_AWAY) >= places();

  return {
    add: async (delivery) => {
      while (!failure && isFull()) await room.promise;
      if (failure) return;
      const task: Promise<void> = run(delivery).finally(() => {
        running.delete(task);
        look();
      });
      running.add(task);
    },
    fail,
    end: async () => {
      await Promise.all(running);
      return failure?.error;
    },
    absences: {
      during: async (wait) => {
        away++;
        look();
        try {
          return await wait;
        } finally {
          away--;
        }
      },
    },
  };
}

/** Something to wait for until there may be room. */
function newRoom(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((give) => {
    resolve = give;
  });
  return { promise, resolve };
}
