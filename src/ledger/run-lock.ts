import { closeSync, constants, openSync, rmSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { IN_MEMORY } from './database.js';

/** Keeps other processes from a run. The system lets go of it when the process dies, however it dies. */
export interface RunLock {
  release(): void;
}

/** Who may work on the runs of a ledger. */
export interface RunLocks {
  /** Takes a run for this process; `null` when another one has it. */
  take(run: string): RunLock | null;
  /** Whether somebody works on the run now. */
  isTaken(run: string): boolean;
}

const TRIES = 5;
const TRY_AGAIN_MS = 20;

/** Locks of a ledger in a file, by its path without symbolic links. */
export function locksOf(ledger: string): RunLocks {
  if (ledger === IN_MEMORY)
    return { take: () => ({ release: () => undefined }), isTaken: () => false };
  return {
    take: (run) => {
      const file = lockFile(ledger, run);
      let held = lock(file);
      // Whoever only asks whether it is taken has it for a moment.
      for (let tries = 1; held === null && tries < TRIES; tries++) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TRY_AGAIN_MS);
        held = lock(file);
      }
      return held && { release: () => release(file, held) };
    },
    isTaken: (run) => {
      const file = lockFile(ledger, run);
      if (!statSync(file, { throwIfNoEntry: false })) return false;
      const held = tryLock(file);
      held?.close();
      return held === null;
    },
  };
}

/** SQLite's own lock on a file of its own: it needs no cleaning up after a crash. */
const lockFile = (ledger: string, run: string): string => `${ledger}.${run}.lock`;

function release(file: string, held: Database.Database): void {
  rmSync(file, { force: true });
  held.close();
}

/**
 * `null` when another process holds it. The last holder removes the file: a lock on what has no name any more keeps
 * nobody out, so that it is taken again.
 */
function lock(file: string): Database.Database | null {
  for (;;) {
    makeFile(file);
    const before = inodeOf(file);
    const held = tryLock(file);
    if (held === null) return null;
    if (before !== null && before === inodeOf(file)) return held;
    held.close();
  }
}

/** Only where there is none: closing a descriptor would undo the locks that this process has on the file. */
function makeFile(file: string): void {
  try {
    const { O_CREAT, O_EXCL, O_WRONLY } = constants;
    closeSync(openSync(file, O_CREAT | O_EXCL | O_WRONLY, 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function inodeOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}

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
