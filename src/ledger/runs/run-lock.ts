import { closeSync, constants, existsSync, openSync, rmSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { codeOf } from '../../core/errors.js';
import { IN_MEMORY, isBusy, pause } from '../database.js';

/** Keeps other processes from a run. The system lets go of it when the process dies, however it dies. */
export interface RunLock {
  /**
   * Whether it still keeps others out: a process that is paused has it, but one on a file that was removed is void.
   */
  isHeld(): boolean;
  release(): void;
}

/** Who may work on the runs of a ledger. */
export interface RunLocks {
  /** Takes a run for this process; `null` when another one has it. */
  take(run: string): RunLock | null;
  /** Whether a process works on the run now. */
  isTaken(run: string): boolean;
}

const TRIES = 5;
const TRY_AGAIN_MS = 20;

/** Locks of a ledger in a file, by its path without symbolic links. */
export function locksOf(ledger: string): RunLocks {
  if (ledger === IN_MEMORY)
    return {
      take: () => ({ isHeld: () => true, release: () => undefined }),
      isTaken: () => false,
    };
  return {
    take: (run) => {
      const file = lockFile(ledger, run);
      let taken = lock(file);
      // Whoever only asks whether it is taken has it for a moment.
      for (let tries = 1; taken === null && tries < TRIES; tries++) {
        pause(TRY_AGAIN_MS);
        taken = lock(file);
      }
      if (taken === null) return null;
      held.add(taken);
      const own = taken;
      const inode = inodeOf(file);
      return { isHeld: () => isNamed(file, inode), release: () => release(file, inode, own) };
    },
    isTaken: (run) => {
      const file = lockFile(ledger, run);
      if (!statSync(file, { throwIfNoEntry: false })) return false;
      return isLocked(file);
    },
  };
}

/** SQLite's own lock on a file of its own: it needs no cleaning up after a crash. */
const lockFile = (ledger: string, run: string): string => `${ledger}.${run}.lock`;

/** A lock is only as long-lived as its connection, and nothing else may hold on to that. */
const held = new Set<Database.Database>();

/** A file that was removed may be there again: that is another process's, and stays. */
function release(file: string, inode: string | null, lock: Database.Database): void {
  held.delete(lock);
  if (isNamed(file, inode)) rmSync(file, { force: true });
  lock.close();
}

/**
 * `null` when another process holds it. The last holder removes the file: a lock on what has no name any more keeps
 * nobody out, so that it is taken again.
 */
function lock(file: string): Database.Database | null {
  for (;;) {
    makeFile(file);
    const before = inodeOf(file);
    const taken = tryLock(file);
    if (taken === null) return null;
    if (taken && before !== null && before === inodeOf(file)) return taken;
    taken?.close();
  }
}

/** Only where there is none: closing a descriptor would undo the locks that this process has on the file. */
function makeFile(file: string): void {
  try {
    const { O_CREAT, O_EXCL, O_WRONLY } = constants;
    closeSync(openSync(file, O_CREAT | O_EXCL | O_WRONLY, 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function inodeOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}

/** Whether the file with this inode is still there. One that cannot be looked at has not been removed. */
function isNamed(file: string, inode: string | null): boolean {
  try {
    return inodeOf(file) === inode;
  } catch {
    return true;
  }
}

/** Only reads the lock, so that two processes that ask at once do not take each other for its holder. */
function isLocked(file: string): boolean {
  const database = opened(file);
  try {
    database?.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    database?.close();
  }
}

/** `null`: another process holds it; `undefined`: the file has been removed meanwhile. */
function tryLock(file: string): Database.Database | null | undefined {
  const database = opened(file);
  if (!database) return undefined;
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

function opened(file: string): Database.Database | undefined {
  try {
    return new Database(file, { timeout: 0, fileMustExist: true });
  } catch (error) {
    if (!existsSync(file)) return undefined;
    throw error;
  }
}
