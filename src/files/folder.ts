import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../core/errors.js';

/** Readable by their owner only: reports and ledgers name clients. */
const MODE = 0o700;

/**
 * Creates a folder and its missing parents, one by one: Node's own recursion never ends where creating a folder fails
 * with ENOENT although its parent exists, as in /proc.
 * @throws the error of the file system
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !isThere(at); at = dirname(at)) missing.push(at);
  for (const next of missing.reverse()) makeUnlessThere(next);
}

/** The root has no parent, and always exists. */
const isThere = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path;

function makeUnlessThere(folder: string): void {
  try {
    mkdirSync(folder, { mode: MODE });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
