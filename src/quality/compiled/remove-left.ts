import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../../core/errors.js';
import { GONE_MS } from './building-lock.js';

/** What a builder has beside the file that it makes: its process, a time, and what it is. */
const LEFT = /^\d+\.[\da-z]+(\.[\da-z]+)?\.[a-z]+$/;

/**
 * Removes what builders that were killed have left beside a compiled file: numbers that nobody would ever remove. To be
 * called by whoever has the lock; what was written to a moment ago may be of one that only stood still.
 */
export function removeLeft(path: string): void {
  const start = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(start) || !LEFT.test(name.slice(start.length))) continue;
    const file = join(dirname(path), name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && Math.abs(Date.now() - found.mtimeMs) > GONE_MS) remove(file);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    // Another user's, in a folder that several share: nobody else may remove it, and the list is built all the same.
    if (!['EPERM', 'EACCES'].includes(codeOf(error))) throw error;
  }
}
