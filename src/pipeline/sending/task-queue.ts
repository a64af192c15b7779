/** A wait that nothing shortens: until then the contact center may be working on lost requests for these clients. */
export interface DeadlineWait {
  /** In milliseconds since the epoch. */
  readonly until: number;
  readonly clients: number;
}

/** What a long wait is for; `turn`: another task, which works on the same client. */
export type WaitReason = DeadlineWait | 'turn';

/** Waits in which a task needs nothing: others may take its place meanwhile. */
export interface IdleWaits {
  /** Passes the promise on; until it has ended, its task leaves its place to others. */
  during<T>(wait: Promise<T>, why?: WaitReason): Promise<T>;
}

/** Runs tasks side by side, with back-pressure on whoever adds them. */
export interface TaskQueue {
  /** Resolves when there is room for another task. Does nothing once one has failed. */
  add(task: () => Promise<void>): Promise<void>;
  /** Waits for what tasks bring about: until then, no other is added. */
  hold<T>(wait: Promise<T>): Promise<T>;
  /** Ends the queue as if a task had failed. */
  fail(error: unknown): void;
  /** Resolves when all tasks have ended; with the first error, if there was one. */
  end(): Promise<unknown>;
  readonly idleWaits: IdleWaits;
}

/**
 * Tasks that may wait idly at a time, so that a few hundred batches can wait for a minute while others go on. Each keeps
 * its chunk of up to 1,000 rows in memory, usually 0.5 to 1 MB: up to 0.5 GB where no two of them share a chunk.
 */
const MAX_IDLE = 512;

/**
 * `places`: how many tasks may run now. `onFailure` is called with the first error: whatever waits elsewhere should
 * give up too. `onOnlyWaiting` is called when nothing can go on before a deadline has passed.
 */
export function createTaskQueue(
  places: () => number,
  onFailure: (error: unknown) => void,
  onOnlyWaiting: (waits: readonly DeadlineWait[]) => void = () => undefined,
): TaskQueue {
  const running = new Set<Promise<void>>();
  const watch = createDeadlineWatch(() => running.size, onOnlyWaiting);
  let idle = 0;
  let failure: { error: unknown } | undefined;
  const room = createRoom();

  const fail = (error: unknown): void => {
    if (failure) return;
    failure = { error };
    onFailure(error);
    room.announce();
  };

  const isFull = (): boolean => running.size - Math.min(idle, MAX_IDLE) >= places();

  const untilRoom = async (): Promise<void> => {
    while (!failure && isFull()) await room.wait();
  };

  const start = (task: () => Promise<void>): void => {
    const run: Promise<void> = task()
      .catch(fail)
      .finally(() => {
        running.delete(run);
        room.announce();
        watch.look();
      });
    running.add(run);
  };

  return {
    add: async (task) => {
      if (!failure && isFull()) await watch.whileBlocked(untilRoom);
      if (!failure) start(task);
    },
    fail,
    hold: (wait) => watch.whileBlocked(() => wait),
    end: async () => {
      await watch.whileBlocked(() => Promise.all(running));
      return failure?.error;
    },
    idleWaits: {
      during: async (wait, why) => {
        idle++;
        const ended = watch.begin(why);
        room.announce();
        watch.look();
        try {
          return await wait;
        } finally {
          idle--;
          ended();
        }
      },
    },
  };
}

/**
 * Notices when every task waits for a deadline or a turn while whoever adds tasks is held up by them: then nothing goes
 * on before a deadline has passed.
 */
function createDeadlineWatch(
  tasks: () => number,
  onOnlyWaiting: (waits: readonly DeadlineWait[]) => void,
) {
  const reasons = new Set<{ readonly why: WaitReason }>();
  let blocked = 0;

  const look = (): void => {
    if (blocked === 0 || reasons.size === 0 || reasons.size < tasks()) return;
    const waits = [...reasons].flatMap(({ why }) => (why === 'turn' ? [] : [why]));
    if (waits.length > 0) onOnlyWaiting(waits);
  };

  return {
    look,
    /** Whoever adds tasks, or waits for their end, waits for this. */
    whileBlocked: async <T>(wait: () => Promise<T>): Promise<T> => {
      blocked++;
      look();
      try {
        return await wait();
      } finally {
        blocked--;
      }
    },
    /** Notes that a task waits; call what it gives when the wait is over. */
    begin: (why: WaitReason | undefined): (() => void) => {
      const reason = why && { why };
      if (reason) reasons.add(reason);
      return () => {
        if (reason) reasons.delete(reason);
      };
    },
  };
}

/** Lets several wait until there may be room. */
function createRoom(): { readonly wait: () => Promise<void>; readonly announce: () => void } {
  let resolve = (): void => undefined;
  const next = (): Promise<void> =>
    new Promise((give) => {
      resolve = give;
    });
  let room = next();
  return {
    wait: () => room,
    announce: () => {
      resolve();
      room = next();
    },
  };
}
