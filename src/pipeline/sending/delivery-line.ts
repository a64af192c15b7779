/** A wait that nothing shortens: until then the contact center may be working on lost requests for these clients. */
export interface DeadlineWait {
  /** In milliseconds since the epoch. */
  readonly until: number;
  readonly clients: number;
}

/** What a long wait is for; `turn`: another delivery, which works on the same client. */
export type AbsenceReason = DeadlineWait | 'turn';

/** Waits of deliveries that need nothing meanwhile: others may take their places. */
export interface Absences {
  /** Passes the promise on; until it has ended, its delivery counts as away. */
  during<T>(wait: Promise<T>, why?: AbsenceReason): Promise<T>;
}

/** Runs deliveries side by side, with back-pressure on whoever adds them. */
export interface DeliveryLine {
  /** Resolves when there is room for another delivery. Does nothing once one has failed. */
  add(delivery: () => Promise<void>): Promise<void>;
  /** Waits for what deliveries bring about: until then, no other is added. */
  hold<T>(wait: Promise<T>): Promise<T>;
  /** Ends the line as if a delivery had failed. */
  fail(error: unknown): void;
  /** Resolves when all deliveries have ended; with the first error, if there was one. */
  end(): Promise<unknown>;
  readonly absences: Absences;
}

/**
 * Deliveries that may be away at a time, so that a few hundred batches can wait for a minute while others go on. Each
 * keeps its chunk of up to 1,000 rows in memory, usually 0.5 to 1 MB: up to 0.5 GB where no two of them share a chunk.
 */
const MOST_AWAY = 512;

/**
 * `places`: how many deliveries may be under way now. `onFailure` is called with the first error: whatever waits
 * elsewhere should give up too. `onOnlyWaiting` is called when nothing can go on before a deadline has passed.
 */
export function createDeliveryLine(
  places: () => number,
  onFailure: (error: unknown) => void,
  onOnlyWaiting: (waits: readonly DeadlineWait[]) => void = () => undefined,
): DeliveryLine {
  const running = new Set<Promise<void>>();
  const reasons = new Set<{ readonly why: AbsenceReason }>();
  let blocked = 0;
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

  /** Whoever adds deliveries, or waits for their end, is held up by those that are under way. */
  const held = async <T>(wait: () => Promise<T>): Promise<T> => {
    blocked++;
    lookForDeadlines();
    try {
      return await wait();
    } finally {
      blocked--;
    }
  };

  const lookForDeadlines = (): void => {
    if (blocked === 0 || reasons.size === 0 || reasons.size < running.size) return;
    const waits = [...reasons].flatMap(({ why }) => (why === 'turn' ? [] : [why]));
    if (waits.length > 0) onOnlyWaiting(waits);
  };

  const isFull = (): boolean => running.size - Math.min(away, MOST_AWAY) >= places();

  return {
    add: async (delivery) => {
      if (!failure && isFull())
        await held(async () => {
          while (!failure && isFull()) await room.promise;
        });
      if (failure) return;
      const task: Promise<void> = run(delivery).finally(() => {
        running.delete(task);
        look();
        lookForDeadlines();
      });
      running.add(task);
    },
    fail,
    hold: (wait) => held(() => wait),
    end: async () => {
      await held(() => Promise.all(running));
      return failure?.error;
    },
    absences: {
      during: async (wait, why) => {
        const reason = why && { why };
        away++;
        if (reason) reasons.add(reason);
        look();
        lookForDeadlines();
        try {
          return await wait;
        } finally {
          away--;
          if (reason) reasons.delete(reason);
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
