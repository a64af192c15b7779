import { type Deferred, createDeferred } from './sender.js';

/** A wait that nothing shortens: until then the contact center may be working on lost requests for these clients. */
interface DeadlineWait {
  readonly until: number;
  readonly clients: number;
  /** Whether they are left as they are then, in place of being sent again. @default false */
  readonly areLeft?: boolean;
}

/** What a long wait is for; `turn`: another task, which works on the same client. */
export type WaitReason = DeadlineWait | 'turn';

/**
 * Tasks that may wait idly at a time, so that a few hundred batches can wait for a minute while others go on. Each keeps
 * its chunk of up to 1,000 rows in memory, usually 0.5 to 1 MB: up to 0.5 GB where no two of them share a chunk.
 */
const MAX_IDLE = 512;

interface QueuePorts {
  readonly places: () => number;
  /** Called with the first error: whatever waits elsewhere should give up too. */
  readonly onFailure: (error: unknown) => void;
  /** Called once, with a text for the person, when nothing can go on before a deadline has passed. */
  readonly onOnlyWaiting: (message: string) => void;
  readonly now: () => number;
}

/** Runs tasks side by side, with back-pressure on whoever adds them. */
export class TaskQueue {
  readonly #running = new Set<Promise<void>>();
  readonly #reasons = new Set<{ readonly why: WaitReason }>();
  #idle = 0;
  /** Who adds tasks, or waits for their end, and is held up by them. */
  #blocked = 0;
  #failure: { readonly error: unknown } | undefined;
  #room = createDeferred();
  #isAnnounced = false;

  constructor(private readonly ports: QueuePorts) {}

  /** Resolves when there is room for another task. Does nothing once one has failed. */
  async add(task: () => Promise<void>): Promise<void> {
    if (!this.#failure && this.#isFull()) await this.#whileBlocked(() => this.#untilRoom());
    if (!this.#failure) this.#start(task);
  }

  /** Waits for what tasks bring about: until then, no other is added. */
  hold<T>(wait: Promise<T>): Promise<T> {
    return this.#whileBlocked(() => wait);
  }

  fail(error: unknown): void {
    if (this.#failure) return;
    this.#failure = { error };
    this.ports.onFailure(error);
    this.#announceRoom();
  }

  /** Resolves when all tasks have ended; with the first error, if there was one. */
  async end(): Promise<unknown> {
    await this.#whileBlocked(() => Promise.all(this.#running));
    return this.#failure?.error;
  }

  /** Passes a wait on in which a task needs nothing; until it has ended, the task leaves its place to others. */
  async during<T>(wait: Promise<T>, why?: WaitReason): Promise<T> {
    const reason = why && { why };
    this.#idle++;
    if (reason) this.#reasons.add(reason);
    this.#announceRoom();
    this.#look();
    try {
      return await wait;
    } finally {
      this.#idle--;
      if (reason) this.#reasons.delete(reason);
    }
  }

  #isFull(): boolean {
    return this.#running.size - Math.min(this.#idle, MAX_IDLE) >= this.ports.places();
  }

  async #untilRoom(): Promise<void> {
    while (!this.#failure && this.#isFull()) await this.#room.promise;
  }

  #announceRoom(): void {
    this.#room.resolve();
    this.#room = createDeferred();
  }

  #start(task: () => Promise<void>): void {
    const run: Promise<void> = task()
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.#running.delete(run);
        this.#announceRoom();
        this.#look();
      });
    this.#running.add(run);
  }

  async #whileBlocked<T>(wait: () => Promise<T>): Promise<T> {
    this.#blocked++;
    this.#look();
    try {
      return await wait();
    } finally {
      this.#blocked--;
    }
  }

  /** Notices when every task waits for a deadline or a turn while whoever adds tasks is held up by them. */
  #look(): void {
    const isWaiting = this.#blocked > 0 && this.#reasons.size > 0;
    if (!isWaiting || this.#reasons.size < this.#running.size || this.#isAnnounced) return;
    const waits = [...this.#reasons].flatMap(({ why }) => (why === 'turn' ? [] : [why]));
    if (waits.length === 0) return;
    this.#isAnnounced = true;
    this.ports.onOnlyWaiting(waitingText(waits, this.ports.now()));
  }
}

/** What is waited for, for how long at most, and what to do about it. `now` in milliseconds since the epoch. */
function waitingText(waits: readonly DeadlineWait[], now: number): string {
  const seconds = Math.ceil((Math.max(...waits.map(({ until }) => until)) - now) / 1000);
  const count = waits.reduce((sum, { clients }) => sum + clients, 0);
  if (waits.some(({ areLeft }) => areLeft))
    return `Waiting up to ${seconds} s: the contact center may still be working on what the run sent last, and an import after this undo could meet it. transport.serverDeadlineMs sets this time.`;
  const clients = count === 1 ? '1 client whose answer was' : `${count} clients whose answers were`;
  return `Waiting up to ${seconds} s: the contact center may still be working on ${clients} lost; ${count === 1 ? 'it is' : 'they are'} sent again only then. transport.serverDeadlineMs sets this time.`;
}

/** Lets work on the same things happen one after the other, in the order of asking. */
export class Turns {
  readonly #last = new Map<string, Deferred>();
  readonly #held = new Map<string, number>();
  readonly #left = new Set<string>();

  /** Asks for a turn. It is in line when this returns; without `begins`, nothing is before it. */
  take(keys: readonly string[]) {
    const earlier: Promise<void>[] = [];
    const own = new Map<string, Deferred>();
    // All keys at once, so that no two turns wait for each other.
    for (const key of keys) {
      if (own.has(key)) continue;
      const before = this.#last.get(key);
      if (before) earlier.push(before.promise);
      const place = createDeferred();
      own.set(key, place);
      this.#last.set(key, place);
    }
    return {
      ...(earlier.length > 0 && { begins: Promise.all(earlier) }),
      /** Gives up keys, all of them at the end: what waits for them may begin. */
      release: (some = keys): void => {
        for (const key of some) {
          const place = own.get(key);
          if (place && this.#last.get(key) === place) this.#last.delete(key);
          place?.resolve();
        }
      },
    };
  }

  /** Work on these has ended, and what came of it is not known: nothing that comes later is to overtake it. */
  leave(keys: readonly string[]): void {
    for (const key of keys) {
      this.#left.add(key);
      // What is not sent waits for nothing.
      this.#held.delete(key);
    }
  }

  get hasLeft(): boolean {
    return this.#left.size > 0;
  }

  isLeft(keys: readonly string[]): boolean {
    return keys.some((key) => this.#left.has(key));
  }

  /** An earlier request for these may still be carried out until then, in milliseconds since the epoch. */
  hold(keys: readonly string[], until: number): void {
    for (const key of keys) this.#held.set(key, Math.max(until, this.#held.get(key) ?? -Infinity));
  }

  /** Until when that is so for any of the keys; `null`: for none after `now`. `clients`: of how many keys. */
  heldAfter(now: number, keys: readonly string[]): DeadlineWait | null {
    const found = new Map<string, number>();
    for (const key of this.#held.size === 0 ? [] : keys) {
      const until = this.#held.get(key) ?? -Infinity;
      if (until > now) found.set(key, until);
      else this.#held.delete(key);
    }
    return found.size === 0 ? null : { until: Math.max(...found.values()), clients: found.size };
  }
}
