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
