import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { LedgerInUseError } from '../core/errors.js';
import { IN_MEMORY, asLedgerError, flush, isBusy, openDatabase } from './database.js';

/**
 * Opens a ledger's database, and sees to it that it is worked on by one name alone: SQLite keeps its log by the name, so
 * that by another one, as by a bind mount of the file, the latest facts would be missing and the locks would not hold.
 * A ledger that was moved or copied gets its new name, once it is sure that nobody has it open by another.
 * @throws LedgerError as `openDatabase` does, LedgerInUseError when the file is, or may be, in use by another name
 */
export function openAtHome(path: string, busyMs?: number): Database.Database {
  const database = openDatabase(path, busyMs);
  if (path === IN_MEMORY) return database;
  const home = homeOf(database);
  if (home === path) return database;
  if (home === null) return withHome(database, path);
  // A connection of this process would stand in the way of having the file alone.
  database.close();
  if (isSameFile(home, path))
    throw new LedgerInUseError(
      `The ledger ${path} is the file ${home} by another name; give that one with --ledger.`,
    );
  refuseOtherUsers(path, home);
  return withHome(openDatabase(path, busyMs), path);
}

function withHome(database: Database.Database, path: string): Database.Database {
  database.prepare("INSERT OR REPLACE INTO ledger (name, value) VALUES ('home', ?)").run(path);
  // Whoever opens the file by another name sees what is in the file itself, not what is in this name's log.
  flush(database);
  return database;
}

function homeOf(database: Database.Database): string | null {
  const row = database
    .prepare<[], { value: string }>("SELECT value FROM ledger WHERE name = 'home'")
    .get();
  return row?.value ?? null;
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** SQLite's locks go by the file itself: who can have it alone knows that nobody has it open, whatever its name. */
function refuseOtherUsers(path: string, home: string): void {
  const alone = new Database(path, { timeout: 0 });
  try {
    alone.pragma('locking_mode = EXCLUSIVE');
    alone.exec('BEGIN IMMEDIATE');
  } catch (error) {
    if (isBusy(error))
      throw new LedgerInUseError(
        `The ledger ${path} was ${home} before, and another process has it open; wait for it, or stop it and run the same command again.`,
        { cause: error, saysHowToContinue: true },
      );
    throw asLedgerError(error, path);
  } finally {
    alone.close();
  }
}
