/** Lets work on the same things happen one after the other, in the order of asking. */
export interface Turns {
  /** Resolves when all earlier work on any of the keys has ended; call what it gives when the own has. */
  take(keys: readonly string[]): Promise<() => void>;
}

const NOTHING = Promise.resolve();

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return {
    take: async (keys) => {
      let release = (): void => undefined;
      const ended = new Promise<void>((resolve) => {
        release = resolve;
      });
      // All keys at once, so that nobody waits for somebody who waits for him.
      const earlier = new Set(keys.map((key) => last.get(key) ?? NOTHING));
      for (const key of keys) last.set(key, ended);
      await Promise.all(earlier);
      return () => {
        for (const key of keys) if (last.get(key) === ended) last.delete(key);
        release();
      };
    },
  };
}
