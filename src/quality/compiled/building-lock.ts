import { closeSync, openSync, rmSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from '../../core/errors.js';

/** After how long without a sign a builder is taken to be gone, in milliseconds. */
export const GONE_MS = 30_000;
/** How often it shows that it is at work, and how often others ask. */
const [TOUCH_MS, ASK_MS] = [1000, 100];

/** Held while a list is compiled, so that several threads and processes do not do the same work. */
export interface BuildingLock {
  /** To be called often while at work. */
  touch(): void;
  release(): void;
}

/** Takes the lock, or resolves with `null` once another builder that had it is done: then its list may be used. */
export async function lockBuilding(file: string): Promise<BuildingLock | null> {
  if (take(file)) return lockOn(file);
  for (;;) {
    await wait(ASK_MS);
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) return null;
    // A time to come is of a clock that was put back since: a builder at work would show itself again.
    if (Math.abs(Date.now() - found.mtimeMs) > GONE_MS) rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function lockOn(file: string): BuildingLock {
  let touched = Date.now();
  return {
    touch: () => {
      const now = Date.now();
      if (now - touched < TOUCH_MS) return;
      touched = now;
      utimesSync(file, new Date(now), new Date(now));
    },
    release: () => {
      rmSync(file, { force: true });
    },
  };
}
