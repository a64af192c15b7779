import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whoever is not to see reports does not see into their folders. */
const MODE = 0o700;

/**
 * Makes a folder, and those above it that are missing, one by one: Node's own recursion never ends where a folder says
 * of every new one that it has no place for it, as /proc does.
 * @throws what the file system says
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !isThere(at); at = dirname(at)) missing.push(at);
  for (const next of missing.reverse()) makeUnlessThere(next);
}

/** Nothing is above the root. */
const isThere = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path;

function makeUnlessThere(folder: string): void {
  try {
    mkdirSync(folder, { mode: MODE });
  } catch (error) {
    // Somebody else may have made it in between.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
