import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { codeOf, CardlineError, EXIT, LedgerError } from '../../core/errors.js';
import type { Connections, Queries } from '../../ledger/shared.js';

/** Version of the tables; `data/watch-state-N.sql` brings them to version N from the one before, 0: there are none. */
const VERSION = 2;

/** How long, in milliseconds, another watcher may write, and after which pause it is tried again. */
const BUSY_MS = 30_000;
const AGAIN_MS = 5;
/** While the tables are made, nobody else of this process is kept waiting. */
const FIRST_BUSY_MS = 5_000;
const NEXT_BUSY_MS = 0;

/** A state in a file, for its owner alone. @throws StateError where it cannot be one, LedgerError while the disk is full */
export function sqliteState(path: string): Connections {
  try {
    return new SqliteState(openFile(path), path);
  } catch (error) {
    throw asStateError(error, path);
  }
}

function openFile(path: string): Database.Database {
  makeOwn(path);
  const db = new Database(path, { timeout: FIRST_BUSY_MS });
  try {
    db.pragma('journal_mode = WAL');
    db.transaction(() => {
      prepare(db, path);
    }).immediate();
    db.pragma(`busy_timeout = ${NEXT_BUSY_MS}`);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** The file is not opened where it is there: that would take its locks from other connections of this process. */
function makeOwn(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    // Another watcher was quicker to make it.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Inside of a transaction: another watcher may begin at the same moment. */
function prepare(db: Database.Database, path: string): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > VERSION)
    throw new StateError(
      `${path} is of a newer version of cardline. Use that one, or another pickup file.`,
    );
  for (let next = version + 1; next <= VERSION; next++)
    db.exec(readFileSync(new URL(`./data/watch-state-${next}.sql`, import.meta.url), 'utf8'));
  db.pragma(`user_version = ${VERSION}`);
}

class SqliteState implements Connections {
  /** There is one connection: what is not of a transaction waits for its end. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly db: Database.Database,
    readonly name: string,
  ) {}

  rows<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#next(() => untilFree(() => this.#all<Row>(text, values)));
  }

  run(text: string, values: readonly unknown[] = []): Promise<number> {
    return this.#next(() => untilFree(() => this.#change(text, values)));
  }

  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#next(async () => {
      // What is kept together outlives a power cut; a claim that does not is only taken again.
      this.db.pragma('synchronous = FULL');
      try {
        await untilFree(() => this.db.exec('BEGIN IMMEDIATE'));
        const result = await work(this.#own);
        this.db.exec('COMMIT');
        return result;
      } catch (error) {
        if (this.db.inTransaction) this.db.exec('ROLLBACK');
        throw error;
      } finally {
        this.db.pragma('synchronous = NORMAL');
      }
    });
  }

  async close(): Promise<void> {
    await this.#next(() => Promise.resolve(this.db.close()));
  }

  readonly #own: Queries = {
    rows: <Row>(text: string, values: readonly unknown[] = []) =>
      Promise.resolve(this.#all<Row>(text, values)),
    run: (text, values = []) => Promise.resolve(this.#change(text, values)),
  };

  #all<Row>(text: string, values: readonly unknown[]): Row[] {
    return this.#prepared(text).all(named(values)) as Row[];
  }

  #change(text: string, values: readonly unknown[]): number {
    return this.#prepared(text).run(named(values)).changes;
  }

  #prepared(text: string): Database.Statement {
    return this.db.prepare(text.replaceAll(/\$(\d+)/g, '@p$1'));
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work).catch((error: unknown) => {
      throw asStateError(error, this.name);
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Tries again while another watcher writes, and lets others of this process go on meanwhile. */
async function untilFree<T>(work: () => T): Promise<T> {
  for (const end = performance.now() + BUSY_MS; ;) {
    try {
      return work();
    } catch (error) {
      if (codeOf(error) !== 'SQLITE_BUSY' || performance.now() > end) throw error;
    }
    await sleep(AGAIN_MS);
  }
}

const named = (values: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(values.map((value, index) => [`p${index + 1}`, value]));

/** The file in which a watcher keeps its state is not one, cannot be used, or belongs to a newer version. */
class StateError extends CardlineError {
  readonly exitCode = EXIT.usage;
}

type Kind = new (message: string, options: ErrorOptions) => CardlineError;

/** What stands in the way, by the codes of SQLite and of the file system. A LedgerError passes, and is waited for. */
const REASONS: readonly (readonly [pattern: RegExp, why: string, kind: Kind])[] = [
  [
    /SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT/,
    'the disk is full. Free some space; nothing is lost, and the next start goes on',
    LedgerError,
  ],
  [/SQLITE_IOERR/, 'the disk reports an error. Nothing is lost; look after the disk', LedgerError],
  [
    /SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM|EACCES|EPERM|EROFS|ENOENT|ENOTDIR/,
    'it cannot be opened and written to. Check the rights of the file and of its folder for the user of the watcher',
    StateError,
  ],
  [
    /SQLITE_NOTADB|SQLITE_CORRUPT|EISDIR/,
    'it is not a file in which "cardline watch" keeps its state. Move it away; files that were imported are not imported again',
    StateError,
  ],
];

/** An error of the state in words that say what to do; what has none stays as it is. */
function asStateError(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (error instanceof CardlineError || code === '') return error;
  const found = REASONS.find(([pattern]) => pattern.test(code));
  if (!found) return error;
  const [, why, StateProblem] = found;
  return new StateProblem(`${path}: ${why} (${code}).`, { cause: error });
}
