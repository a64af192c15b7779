import Database from 'better-sqlite3';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedger } from '../../../src/ledger/ledger.js';
import type { Ledger } from '../../../src/ledger/port.js';
import { POSTGRES, type PostgresServer, startOwnPostgres, WITHOUT } from '../../kit/postgres.js';

/** A place for one ledger, which tests open as often as they like. */
export interface Place {
  open(): Promise<Ledger>;
  /** All ledgers of the place are closed; the end of the facts of a run that is open is lost. */
  loseTail(ledger: Ledger): Promise<void>;
  /** Raises the version that the tables say they have. */
  becomeNewer(): Promise<void>;
  remove(): Promise<void>;
}

/** A kind of ledger that the suite runs over. */
export interface Kind {
  readonly name: string;
  readonly isThere: boolean;
  begin(): Promise<void>;
  /** `isBare`: without the tables, which come with most databases to save the time. */
  place(isBare?: boolean): Promise<Place>;
  end(): void;
}

const sqlite: Kind = {
  name: 'SQLite',
  isThere: true,
  begin: () => Promise.resolve(),
  place: () => {
    const folder = mkdtempSync(join(tmpdir(), 'cardline-conform-'));
    const file = join(folder, 'cardline.db');
    return Promise.resolve({
      open: () => openLedger(file, { thread: false }),
      loseTail: (ledger) => loseLog(folder, ledger),
      becomeNewer: () => {
        const database = new Database(file);
        database.pragma('user_version = 999');
        database.close();
        return Promise.resolve();
      },
      remove: () => {
        rmSync(folder, { recursive: true, force: true });
        return Promise.resolve();
      },
    });
  },
  end: () => undefined,
};

/** As a power cut with a disk that has lied leaves it: the file and the marks are there, the log is not. */
async function loseLog(folder: string, ledger: Ledger): Promise<void> {
  const kept = join(folder, 'kept');
  mkdirSync(kept);
  const names = readdirSync(folder).filter((name) => /\.db$|\.mark$/.test(name));
  for (const name of names) copyFileSync(join(folder, name), join(kept, name));
  await ledger.close();
  for (const name of readdirSync(folder)) if (name !== 'kept') rmSync(join(folder, name));
  for (const name of readdirSync(kept)) renameSync(join(kept, name), join(folder, name));
}

/** Short, so that the lease of a process that was killed lapses while the test waits. */
const TIMES = { leaseMs: 1_000, renewMs: 200 };

let server: PostgresServer | undefined;

function running(): PostgresServer {
  if (!server) throw new Error('The server has not been started.');
  return server;
}

const postgres: Kind = {
  name: `PostgreSQL${WITHOUT}`,
  isThere: POSTGRES !== undefined,
  begin: async () => {
    server = await startOwnPostgres();
  },
  place: async (isBare = false) => {
    const address = await (isBare ? running().database() : running().ledger());
    const name = new URL(address).pathname.slice(1);
    return {
      open: () => openLedger(address, { lease: TIMES }),
      loseTail: async (ledger) => {
        await ledger.close();
        // A history of its own, as a server has it that was restored from a backup or has taken over.
        running().stop();
        running().program('pg_resetwal', '-l', `0000000${++timeline}0000000000000020`);
        running().start();
      },
      becomeNewer: async () => {
        await running().execute(name, "UPDATE cardline.ledger SET value = '999'");
      },
      remove: () => Promise.resolve(),
    };
  },
  end: () => running().remove(),
};

let timeline = 1;

export const KINDS: readonly Kind[] = [sqlite, postgres];
