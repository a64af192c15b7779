/** Something that will happen at a time; `move` changes the time, `cancel` takes it back. */
export interface Event {
  at(): number;
  move(at: number): void;
  cancel(): void;
}

/** Virtual time: it passes only from one event to the next, and nothing ever sleeps. */
export interface Timeline {
  now(): number;
  after(ms: number, happen: () => void): Event;
  /** Lets the next event happen; `false` when there is none. */
  next(): boolean;
  /** Lets time pass, with everything that happens meanwhile. */
  pass(ms: number): void;
}

interface Entry {
  at: number;
  readonly happen: () => void;
}

export function createTimeline(): Timeline {
  let now = 0;
  const entries: Entry[] = [];

  /** Behind those of the same time: what was asked for first happens first. */
  const insert = (entry: Entry): void => {
    let place = entries.length;
    while (place > 0 && entries[place - 1]!.at > entry.at) place--;
    entries.splice(place, 0, entry);
  };
  const remove = (entry: Entry): void => {
    const place = entries.indexOf(entry);
    if (place >= 0) entries.splice(place, 1);
  };
  const next = (): boolean => {
    const entry = entries.shift();
    if (!entry) return false;
    now = entry.at;
    entry.happen();
    return true;
  };

  return {
    now: () => now,
    after: (ms, happen) => {
      const entry = { at: now + Math.max(0, ms), happen };
      insert(entry);
      return {
        at: () => entry.at,
        move: (at) => {
          remove(entry);
          entry.at = Math.max(now, at);
          insert(entry);
        },
        cancel: () => remove(entry),
      };
    },
    next,
    pass: (ms) => {
      const until = now + ms;
      while (entries.length > 0 && entries[0]!.at <= until) next();
      now = until;
    },
  };
}

/** What passes: events, until too many of them are wrong. */
interface Passing {
  readonly timeline: Timeline;
  /** What must not have been. */
  readonly violations: string[];
}

const MOST_EVENTS = 300_000;
const HOUR_MS = 3_600_000;
/** Reading an earlier run takes some turns of the loop, and no virtual time. */
const IDLE_TURNS = 100;

/**
 * Lets time pass until something has come to its end, `isOver` says so, or something was wrong; both of the latter give
 * `undefined`. Whatever goes on for ever, or waits for what never comes, is wrong.
 */
export async function untilOver<T>(
  { timeline, violations }: Passing,
  work: Promise<T>,
  { isOver = () => false, hours = 24 }: { isOver?: () => boolean; hours?: number } = {},
): Promise<T | undefined> {
  const end: { isDone: boolean; value?: T; error?: unknown } = { isDone: false };
  work.then(
    (value) => Object.assign(end, { isDone: true, value }),
    (error: unknown) => (end.error = error),
  );
  let idle = 0;
  for (let events = 0; violations.length === 0; events++) {
    // All that can happen at this instant happens first.
    await new Promise((resolve) => setImmediate(resolve));
    if (end.error !== undefined) throw end.error as Error;
    if (end.isDone) return end.value;
    if (isOver()) return undefined;
    if (events > MOST_EVENTS || timeline.now() > hours * HOUR_MS)
      violations.push(`it goes on for ever: ${events} events, ${timeline.now()} ms`);
    else if (timeline.next()) idle = 0;
    else if (++idle > IDLE_TURNS) violations.push('it hangs: nothing will ever happen again');
  }
  return undefined;
}
