import Database from 'better-sqlite3';
import { CardlineError, EXIT } from '../../core/errors/errors.js';
import type { Notice } from '../notices/notice.js';

/** A file that was taken, with how its import ended. */
export interface TakenFile {
  readonly pickup: string;
  readonly file: string;
  readonly run: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Name of the notice's kind that says how it ended. */
  readonly kind: string;
  readonly rows: number;
  readonly badRows: number;
}

/** A notice that waits to be sent to one target. */
export interface Waiting {
  readonly id: number;
  readonly target: string;
  readonly notice: Notice;
  readonly attempts: number;
  /** When it was made, in milliseconds since the epoch. */
  readonly at: number;
}

interface WaitingRow extends Omit<Waiting, 'notice'> {
  readonly notice: string;
}

const VERSION = 1;

const TABLES = `
  CREATE TABLE taken (
    pickup TEXT NOT NULL, file TEXT NOT NULL, run TEXT, at INTEGER NOT NULL, kind TEXT NOT NULL,
    rows INTEGER NOT NULL, bad_rows INTEGER NOT NULL
  );
  CREATE INDEX taken_run ON taken (pickup, run);
  CREATE TABLE outbox (
    id INTEGER PRIMARY KEY, target TEXT NOT NULL, notice TEXT NOT NULL, at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, next_at INTEGER NOT NULL
  );
  CREATE TABLE mark (pickup TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (pickup, name));
`;

/** The file in which a watcher keeps its state is not one, or belongs to a newer version. */
class StateError extends CardlineError {
  readonly exitCode = EXIT.usage;
}

/**
 * What a watcher has to remember: the files it took, the notices that are yet to be sent, and what it has told of
 * already. What became of rows stands in the ledger alone.
 */
export class WatchState {
  readonly #db: Database.Database;

  /** @throws StateError where the file is something else */
  constructor(path: string) {
    this.#db = new Database(path);
    try {
      this.#db.pragma('journal_mode = WAL');
      this.#db.pragma('synchronous = FULL');
      this.#prepare(path);
    } catch (error) {
      this.#db.close();
      if (error instanceof CardlineError) throw error;
      throw new StateError(
        `${path} is not a file in which "cardline watch" keeps its state: ${String(error)}. Move it away; files that were imported are not imported again.`,
        { cause: error },
      );
    }
  }

  #prepare(path: string): void {
    const version = Number(this.#db.pragma('user_version', { simple: true }));
    if (version > VERSION)
      throw new StateError(
        `${path} is of a newer version of cardline. Use that one, or another pickup file.`,
      );
    if (version === VERSION) return;
    this.#db.transaction(() => {
      this.#db.exec(TABLES);
      this.#db.pragma(`user_version = ${VERSION}`);
    })();
  }

  /** Keeps that a file was taken, and the notices of it, together. */
  record(
    taken: TakenFile | null,
    notices: readonly { target: string; notice: Notice; at: number }[],
  ): void {
    this.#db.transaction(() => {
      if (taken)
        this.#db
          .prepare('INSERT INTO taken VALUES (@pickup, @file, @run, @at, @kind, @rows, @badRows)')
          .run(taken);
      const add = this.#db.prepare(
        'INSERT INTO outbox (target, notice, at, next_at) VALUES (?, ?, ?, ?)',
      );
      for (const { target, notice, at } of notices) add.run(target, JSON.stringify(notice), at, at);
    })();
  }

  /** Whether the end of this run was told of already for a file of this name. */
  hasNoticeOf(pickup: string, file: string, run: string): boolean {
    const row = this.#db
      .prepare('SELECT 1 FROM taken WHERE pickup = ? AND file = ? AND run = ?')
      .get(pickup, file, run);
    return row !== undefined;
  }

  /** The files taken last, the newest first. */
  latest(pickup: string, count: number): TakenFile[] {
    return this.#db
      .prepare<[string, number], TakenFile>(
        'SELECT pickup, file, run, at, kind, rows, bad_rows AS badRows FROM taken WHERE pickup = ? ORDER BY rowid DESC LIMIT ?',
      )
      .all(pickup, count);
  }

  /** The oldest notice of each target that is due: they arrive in their order. */
  due(now: number): Waiting[] {
    return this.#db
      .prepare<[number], WaitingRow>(
        `SELECT id, target, notice, attempts, at FROM outbox
         WHERE id IN (SELECT MIN(id) FROM outbox GROUP BY target) AND next_at <= ?`,
      )
      .all(now)
      .map((row) => ({ ...row, notice: JSON.parse(row.notice) as Notice }));
  }

  /** When the next notice is due; `null` when none waits. */
  nextDue(): number | null {
    const row = this.#db
      .prepare<[], { at: number | null }>(
        'SELECT MIN(next_at) AS at FROM outbox WHERE id IN (SELECT MIN(id) FROM outbox GROUP BY target)',
      )
      .get();
    return row?.at ?? null;
  }

  sent(id: number): void {
    this.#db.prepare('DELETE FROM outbox WHERE id = ?').run(id);
  }

  again(id: number, at: number): void {
    this.#db
      .prepare('UPDATE outbox SET attempts = attempts + 1, next_at = ? WHERE id = ?')
      .run(at, id);
  }

  mark(pickup: string, name: string): string | null {
    const row = this.#db
      .prepare<[string, string], { value: string }>(
        'SELECT value FROM mark WHERE pickup = ? AND name = ?',
      )
      .get(pickup, name);
    return row?.value ?? null;
  }

  setMark(pickup: string, name: string, value: string | null): void {
    if (value === null)
      this.#db.prepare('DELETE FROM mark WHERE pickup = ? AND name = ?').run(pickup, name);
    else this.#db.prepare('INSERT OR REPLACE INTO mark VALUES (?, ?, ?)').run(pickup, name, value);
  }

  close(): void {
    this.#db.close();
  }
}
