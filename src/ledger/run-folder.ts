import { rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { codeOf, LedgerInUseError, UsageError } from '../core/errors.js';
import { makeFolder } from '../files/folder.js';
import { asLedgerError, isBusy, pause } from './database.js';

const LOCK = '.cardline-run';
const [TRIES, PAUSE_MS] = [100, 10];

/** A folder into which one run alone writes, whatever ledger it is recorded in. */
export interface RunFolder {
  release(): void;
}

/**
 * Takes a folder for the reports of a run, and makes it where there is none. A lock of SQLite ends with its process,
 * however that ends; the file that carries it is removed when the folder is released. A process that took the run over
 * from one that is paused writes beside it: both write the same rows.
 * @throws LedgerInUseError while another run writes into the folder; UsageError where the folder cannot be used
 */
export function takeRunFolder(folder: string, run: string): RunFolder {
  const isNew = statSync(folder, { throwIfNoEntry: false }) === undefined;
  const database = take(folder, run);
  return {
    release: () => {
      if (!database) return;
      // Removed while it is held: whoever opened it meanwhile sees that it is gone, and takes a new one.
      unlessRefused(() => {
        rmSync(join(folder, LOCK), { force: true });
      });
      database.close();
      if (isNew)
        unlessRefused(() => {
          rmdirSync(folder);
        });
    },
  };
}

/** `undefined`: this very run has the folder already. */
function take(folder: string, run: string): Database.Database | undefined {
  const file = join(folder, LOCK);
  for (let tries = 1; ; tries += 1) {
    const database = opened(folder, file);
    let holder: string | null;
    let isHeld = false;
    try {
      const before = inodeOf(file);
      holder = hold(database, run, file);
      isHeld = holder === null && before !== undefined && inodeOf(file) === before;
    } finally {
      if (!isHeld) database.close();
    }
    if (isHeld) return database;
    if (holder === run) return undefined;
    // Whoever is just taking or releasing the folder is done in a moment.
    if (!holder && tries < TRIES) pause(PAUSE_MS);
    else
      throw new LedgerInUseError(
        `${holder ? `Run ${holder}` : 'Another run'} is writing into ${folder}. Wait for it, or give another folder with --out, and run the same command again.`,
        { saysHowToContinue: true },
      );
  }
}

const inodeOf = (file: string): number | undefined =>
  statSync(file, { throwIfNoEntry: false })?.ino;

/** Locks the file with the name of the run in it. @returns `null`, or the run that has it */
function hold(database: Database.Database, run: string, file: string): string | null {
  try {
    database.exec('BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS holder (run TEXT NOT NULL)');
    database.exec('DELETE FROM holder');
    database.prepare('INSERT INTO holder (run) VALUES (?)').run(run);
    // Written, so that others can read whose folder it is, and locked again without writing.
    database.exec('COMMIT; BEGIN IMMEDIATE');
    return holderOf(database) === run ? null : '';
  } catch (error) {
    if (!isBusy(error)) throw asLedgerError(error, file);
    return holderOf(database);
  }
}

/** Empty while its name is being written. */
function holderOf(database: Database.Database): string {
  try {
    return database.prepare<[], { run: string }>('SELECT run FROM holder').get()?.run ?? '';
  } catch (error) {
    if (isBusy(error) || /no such table/.test(String(error))) return '';
    throw error;
  }
}

function opened(folder: string, file: string): Database.Database {
  try {
    makeFolder(folder);
    const database = new Database(file, { timeout: 0 });
    database.pragma('synchronous = OFF');
    return database;
  } catch (error) {
    throw new UsageError(
      `Nothing can be written into ${folder} (${codeOf(error) || 'it is no folder'}). Give another folder with --out.`,
      { cause: error },
    );
  }
}

/**
 * Removes what is not needed any more: a lock, which nobody holds then, or the empty folder of a run that was refused.
 * What the file system does not let go, as in a folder that has become read-only or a file, does no harm where it is.
 */
function unlessRefused(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    if (codeOf(error) === '') throw error;
  }
}
