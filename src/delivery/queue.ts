import type { PermittedHours } from '../core/hours.js';
import pLimit from 'p-limit';
import type { SharedPermits } from '../core/ledger.js';

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

/** What the contact center's owners permit; absent: anything. */
export interface PaceLimits {
  readonly requestsPerSecond?: number | undefined;
  readonly clientsPerSecond?: number | undefined;
  readonly hours?: PermittedHours | undefined;
  /** Whether a run ends outside of the hours, in place of waiting. @default false */
  readonly endsOutside?: boolean | undefined;
}

/** Spreads requests evenly, so that no second holds more than is permitted. */
interface Pace {
  /** Takes the next place; returns how long to wait for it, in milliseconds. */
  reserve(now: number, clients: number): number;
}

const SECOND_MS = 1000;

/** Each request moves the next place by its own cost: there are no bursts to be refused. */
export function createPace(limits: PaceLimits): Pace {
  if (limits.requestsPerSecond === undefined && limits.clientsPerSecond === undefined)
    return { reserve: () => 0 };
  const perRequest = limits.requestsPerSecond ? SECOND_MS / limits.requestsPerSecond : 0;
  const perClient = limits.clientsPerSecond ? SECOND_MS / limits.clientsPerSecond : 0;
  const second = createSecond(limits.clientsPerSecond ?? Infinity);
  let free = 0;
  return {
    reserve: (now, clients) => {
      const at = second.take(Math.max(now, free), clients);
      free = at + Math.max(perRequest, perClient * clients);
      return at - now;
    },
  };
}

/** The places of the last second. Requests differ in size: an even spread alone lets a large one follow too soon. */
function createSecond(permitted: number) {
  const places: { readonly at: number; readonly clients: number }[] = [];
  let taken = 0;
  return {
    /** The first place from `earliest` on at which the second up to it has room. */
    take: (earliest: number, clients: number): number => {
      let at = earliest;
      for (let first = places[0]; first; first = places[0]) {
        if (at < first.at + SECOND_MS && taken + clients <= permitted) break;
        at = Math.max(at, first.at + SECOND_MS);
        taken -= first.clients;
        places.shift();
      }
      places.push({ at, clients });
      taken += clients;
      return at;
    },
  };
}

/**
 * How many clients to send in a request, at most `clients`: no more than a second permits, and so many that whole
 * requests fill a second.
 */
export function clientsAtOnce(
  { clientsPerSecond, requestsPerSecond = Infinity }: PaceLimits,
  clients: number,
): number {
  if (clientsPerSecond === undefined) return clients;
  const permitted = Math.max(1, Math.floor(clientsPerSecond));
  const requests = Math.ceil(permitted / clients);
  // Where requests are what is scarce, they are to be large.
  return requests > requestsPerSecond ? clients : Math.floor(permitted / requests);
}

/** What the owners of a contact center permit: requests at a time, and in a second. */
interface PermitLimits extends PaceLimits {
  readonly concurrency?: number | undefined;
}

/** Counts what is permitted, over all who send with it. */
export interface Permits {
  readonly pace: Pace;
  /** Runs `work`, which sends one request, when one more may be in flight. */
  place<T>(work: () => Promise<T>): Promise<T>;
  /** Permits that other machines have a part in; absent where this process alone counts. */
  readonly shared?: SharedPermits | undefined;
}

export function createPermits(limits: PermitLimits): Permits {
  const pace = createPace(limits);
  const { concurrency } = limits;
  if (concurrency === undefined) return { pace, place: (work) => work() };
  const limit = pLimit(concurrency);
  return { pace, place: (work) => limit(work) };
}

/** Lets work on the same things happen one after the other, in the order of asking. */
export interface Turns {
  /** Asks for a turn. It is in line when this returns. */
  take(keys: readonly string[]): Turn;
  /** An earlier request for these may still be carried out until then, in milliseconds since the epoch. */
  hold(keys: readonly string[], until: number): void;
  /** Which of the keys that is so for after `now`, with the time. */
  heldAfter(now: number, keys: readonly string[]): ReadonlyMap<string, number>;
}

export interface Turn {
  /** Resolves when all earlier work on any of the keys has ended; absent: there is none. */
  readonly begins?: Promise<unknown>;
  /** Gives up keys, all of them at the end: what waits for them may begin. */
  release(keys?: readonly string[]): void;
}

interface Place {
  readonly ended: Promise<void>;
  readonly end: () => void;
}

export function createTurns(): Turns {
  const last = new Map<string, Place>();
  const held = new Map<string, number>();
  return {
    take: (keys) => {
      const earlier: Promise<void>[] = [];
      const own = new Map<string, Place>();
      // All keys at once, so that no two turns wait for each other.
      for (const key of keys) {
        if (own.has(key)) continue;
        const before = last.get(key);
        if (before) earlier.push(before.ended);
        const place = newPlace();
        own.set(key, place);
        last.set(key, place);
      }
      return {
        ...(earlier.length > 0 && { begins: Promise.all(earlier) }),
        release: (some = keys) => {
          for (const key of some) {
            const place = own.get(key);
            if (place && last.get(key) === place) last.delete(key);
            place?.end();
          }
        },
      };
    },
    hold: (keys, until) => {
      for (const key of keys) held.set(key, Math.max(until, held.get(key) ?? -Infinity));
    },
    heldAfter: (now, keys) => {
      const found = new Map<string, number>();
      if (held.size === 0) return found;
      for (const key of keys) {
        const until = held.get(key) ?? -Infinity;
        if (until > now) found.set(key, until);
        else held.delete(key);
      }
      return found;
    },
  };
}

function newPlace(): Place {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end };
}
