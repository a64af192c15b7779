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
