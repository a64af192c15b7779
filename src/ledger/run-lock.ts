import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { UsageError } from '../core/errors.js';
import { IN_MEMORY } from './database.js';

/** Keeps other processes from a run. The system lets go of it when the process dies, however it dies. */
export interface RunLock {
  release(): void;
}

/** SQLite's own lock on a file of its own: it needs no cleaning up after a crash. */
const lockFile = (ledger: string, run: string): string => `${ledger}.${run}.lock`;

/**
 * Takes the run for this process.
 * @throws UsageError when another process has it.
 */
export function lockRun(ledger: string, run: string): RunLock {
  if (ledger === IN_MEMORY) return { release: () => undefined };
  const file = lockFile(ledger, run);
  closeSync(openSync(file, 'a', 0o600));
  const held = tryLock(file);
  if (!held)
    throw new UsageError(
      `Another process is working on run ${run}; wait for it, or stop it and run the same command again.`,
    );
  return {
    release: () => {
      rmSync(file, { force: true });
      held.close();
    },
  };
}

/** Whether a process works on the run now. */
export function isLocked(ledger: string, run: string): boolean {
  const file = lockFile(ledger, run);
  if (!existsSync(file)) return false;
  const held = tryLock(file);
  held?.close();
  return held === null;
}

/** `null` when another process holds it. */
function tryLock(file: string): Database.Database | null {
  const database = new Database(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
}
