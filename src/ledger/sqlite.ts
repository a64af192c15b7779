import {
  LedgerError,
  NoLedgerError,
  NewerLedgerError,
  type CardlineError,
  codeOf,
  LedgerInUseError,
  UsageError,
} from '../core/errors.js';
import Database from 'better-sqlite3';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import {
  type FactRow,
  factOf,
  headColumns,
  refuseOtherKinds,
  RUN_COLUMNS,
  type Page,
  type RunHead,
  type RunOnRecord,
  type RunRow,
  runTaken,
  type StoredFact,
} from './store.js';
import { ledgerErrorOf, type NumberedFacts, type Reason, type RunFilter } from './port.js';
import type { Fact } from '../core/facts.js';
import { makeFolder } from '../files/regular-file.js';

/** The statements that make the tables, and what brings those of each earlier version to the next one. */
export const tablesSql = (): readonly string[] =>
  readFileSync(new URL('./data/sqlite.sql', import.meta.url), 'utf8')
    .split(/^-- (?:made|from version \d+)\n/m)
    .slice(1);

/** Raised when the tables change; a ledger of a later version is refused. */
export const SCHEMA_VERSION = 3;

/** Pages kept in memory, in KiB: facts are added at the end and read in order. The driver's default is eight times as much. */
const CACHE_KB = 2048;

/** A ledger that ends with the process, for tests. */
export const IN_MEMORY = ':memory:';

/** How long another process may have the ledger for itself, as while it makes the tables, in milliseconds. */
const BUSY_MS = 5_000;
const RETRY_MS = 20;

/**
 * Opens or makes the ledger's database in a file that has been looked at (`takeLedgerFile`), for its owner alone, since
 * it names clients. `synchronous=FULL`: what a transaction wrote survives a power cut.
 * @throws LedgerError when the file cannot be opened or is not a ledger.
 */
export function openDatabase(path: string, busyMs = BUSY_MS): Database.Database {
  for (const until = Date.now() + busyMs; ;) {
    try {
      return openOnce(path, busyMs);
    } catch (error) {
      // SQLite does not wait by itself while another process changes the kind of journal.
      if (!isBusy(error) || Date.now() > until) throw asLedgerError(error, path);
      pause(RETRY_MS);
    }
  }
}

function openOnce(path: string, busyMs: number): Database.Database {
  // By its path: whoever opens and closes the file takes the locks from this process's other connections.
  if (path !== IN_MEMORY) chmodSync(path, 0o600);
  const database = new Database(path, { timeout: busyMs });
  try {
    refuseOtherTables(database, path);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma(`cache_size = -${CACHE_KB}`);
    prepareTables(database, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A second look, at what a log beside the file adds to it. */
function refuseOtherTables(database: Database.Database, path: string): void {
  const id = database.pragma('application_id', { simple: true });
  if (id === APPLICATION_ID) return;
  const names = database
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name);
  const isEarlier =
    UNMARKED_VERSIONS.has(versionOf(database)) && names.includes('run') && names.includes('fact');
  if (id !== 0 || (names.length > 0 && !isEarlier))
    throw new NoLedgerError(
      `The ledger ${path}: this is a database of another program; give another file with --ledger.`,
    );
}

/** Loads what opens ledgers, for whoever has the time now and will not have it later. */
export function warmDatabases(): void {
  try {
    new Database(IN_MEMORY).close();
  } catch {
    // Whoever opens a ledger meets the same error, and shows it.
  }
}

const versionOf = (database: Database.Database): number =>
  Number(database.pragma('user_version', { simple: true }));

function prepareTables(database: Database.Database, path: string): void {
  if (versionOf(database) === SCHEMA_VERSION) return;
  // Looked at again inside: another process may make the tables at the same moment.
  database
    .transaction(() => {
      const version = versionOf(database);
      if (version > SCHEMA_VERSION)
        throw new NewerLedgerError(
          `${path} was written by a later version of cardline; use that version, or another --ledger.`,
        );
      if (version === SCHEMA_VERSION) return;
      const [made = '', ...upgrades] = tablesSql();
      for (const step of version === 0 ? [made] : upgrades.slice(version - 1)) database.exec(step);
      database.pragma(`user_version = ${SCHEMA_VERSION}`);
      database.pragma(`application_id = ${APPLICATION_ID}`);
    })
    .immediate();
  flush(database);
}

/**
 * Brings everything from the log into the file itself, as far as no reader stands in the way. Gives whether all of it is
 * there, on the disk.
 */
export function flush(database: Database.Database): boolean {
  const [result] = database.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[];
  return result?.busy === 0;
}

/** Whether another connection holds what is asked for. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);

/** Blocks the thread for so many milliseconds. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** A SQLite or file error in words that say what to do. */
export const asLedgerError = (error: unknown, file: string): CardlineError =>
  ledgerErrorOf(error, file, codeOf(error), REASONS);

const REASONS: readonly Reason[] = [
  [
    /SQLITE_FULL|ENOSPC/,
    'the disk is full; free some space and run the same command again',
    LedgerError,
  ],
  // SQLite does not tell which of the two it was.
  [
    /SQLITE_IOERR_SHMSIZE/,
    'the disk is full or reports an error; free some space and run the same command again',
    LedgerError,
  ],
  [/SQLITE_NOTADB/, 'the file is not a ledger; give another file with --ledger', NoLedgerError],
  [
    /SQLITE_CORRUPT/,
    'the file is damaged; bring a copy back, or give another file with --ledger',
    LedgerError,
  ],
  [
    /SQLITE_BUSY|SQLITE_LOCKED/,
    'another process is using it; wait for it, or give another --ledger',
    LedgerInUseError,
  ],
  [
    /SQLITE_READONLY|EACCES|EPERM|EROFS/,
    'it may not be written; check its permissions',
    LedgerError,
  ],
  [
    /SQLITE_CANTOPEN|ENOENT|EISDIR|ENOTDIR|ELOOP/,
    'the file cannot be opened; check the path',
    NoLedgerError,
  ],
  [/SQLITE_IOERR|EIO/, 'the disk reports an error; what was recorded before holds', LedgerError],
];

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
  const sql = "SELECT value FROM ledger WHERE name = 'home'";
  return database.prepare<[], { value: string }>(sql).get()?.value ?? null;
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

/** "card" in ASCII: distinguishes a ledger from any other SQLite database (`PRAGMA application_id`). */
export const APPLICATION_ID = 0x63617264;
/** Versions of the tables that were written without an application id. */
export const UNMARKED_VERSIONS: ReadonlySet<number> = new Set([1, 2]);
/** What the first page of such a ledger holds. */
export const UNMARKED_TABLES = ['CREATE TABLE run (', 'CREATE TABLE fact ('] as const;

export const runRow = (database: Database.Database, id: string): RunRow | undefined =>
  database.prepare<[string], RunRow>('SELECT * FROM run WHERE id = ?').get(id);

/** Spares reading the settings of all runs as JSON. */
const MAY_BE_UNDO = `instr(settings, '"undoes"') > 0`;

/** Runs in the order in which they began: all, those of these ids, or those that may be undos. */
export function runRows(database: Database.Database, of?: 'undos' | readonly string[]): RunRow[] {
  const ids = typeof of === 'object' ? [JSON.stringify(of)] : [];
  const those = ids.length > 0 ? 'id IN (SELECT value FROM json_each(?))' : 'true';
  const where = of === 'undos' ? MAY_BE_UNDO : those;
  return database
    .prepare<string[], RunRow>(`SELECT * FROM run WHERE ${where} ORDER BY rowid`)
    .all(...ids);
}

/** The number of the last fact of a run; 0: there is none. */
export const lastFactOf = (database: Database.Database, run: string): number =>
  database
    .prepare<[string], { last: number | null }>('SELECT max(id) AS last FROM fact WHERE run = ?')
    .get(run)?.last ?? 0;

/** Puts a run on record that is not there yet. */
export function insertRow(database: Database.Database, row: RunRow): void {
  const places = RUN_COLUMNS.map(() => '?').join(', ');
  database
    .prepare(`INSERT INTO run (${RUN_COLUMNS.join(', ')}) VALUES (${places})`)
    .run(RUN_COLUMNS.map((column) => row[column]));
}

/** Writes columns of a run. */
export function changeRow(
  database: Database.Database,
  run: string,
  columns: Partial<RunRow>,
): void {
  const set = Object.keys(columns).map((column) => `${column} = ?`);
  database
    .prepare(`UPDATE run SET ${set.join(', ')} WHERE id = ?`)
    .run(...Object.values(columns), run);
}

/** Takes runs out of the ledger, with all their facts. */
export function forgetRuns(database: Database.Database, ids: readonly string[]): void {
  const deleteFacts = database.prepare('DELETE FROM fact WHERE run = ?');
  const deleteRun = database.prepare('DELETE FROM run WHERE id = ?');
  database.transaction(() => {
    for (const id of ids) {
      deleteFacts.run(id);
      deleteRun.run(id);
    }
  })();
}

/** @throws RunTakenError when another process has opened the run since */
export function refuseReopened(database: Database.Database, run: string, openedAt: number): void {
  if (runRow(database, run)?.opened_at !== openedAt) throw runTaken(run);
}

export interface Known {
  readonly opened: number;
  readonly facts: number;
  readonly state: RunRow['state'];
}

/** What is on record of a run: when it was opened, how it ended, and how many facts it has. */
export const knownOf = (database: Database.Database, run: string): Known | undefined =>
  database
    .prepare<[string], Known>(
      `SELECT opened_at AS opened, state, (SELECT count(*) FROM fact WHERE fact.run = run.id) AS facts
       FROM run WHERE id = ?`,
    )
    .get(run);

const factInsert = (database: Database.Database): Database.Statement =>
  database.prepare('INSERT INTO fact (run, chunk, kind, data) VALUES (?, ?, ?, CAST(? AS TEXT))');

/** Writes facts in one transaction, each of a run as `openedAt` has it. @throws RunTakenError where that is another's by now */
export function factInserter(database: Database.Database): (facts: readonly StoredFact[]) => void {
  const insert = factInsert(database);
  const insertAll = database.transaction((facts: readonly StoredFact[]) => {
    refuseOthers(database, facts);
    for (const { run, chunk, kind, data } of facts) insert.run(run, chunk, kind, data);
  });
  return (facts) => insertAll.immediate(facts);
}

/** A process whose lock somebody has removed may have lost its run to another one, and learns of it here at the latest. */
function refuseOthers(database: Database.Database, facts: readonly StoredFact[]): void {
  let seen: StoredFact | undefined;
  for (const fact of facts) {
    if (fact.openedAt === undefined) continue;
    if (fact.run !== seen?.run || fact.openedAt !== seen.openedAt)
      refuseReopened(database, fact.run, fact.openedAt);
    seen = fact;
  }
}

/** Puts a run on record with all its facts, in one transaction that others wait for; none of it where `check` throws. */
export async function insertWhole(
  database: Database.Database,
  { row, facts }: RunOnRecord,
  check: () => Promise<void>,
): Promise<void> {
  try {
    database.exec('BEGIN IMMEDIATE');
    insertRow(database, row);
    const insert = factInsert(database);
    for await (const rows of facts())
      for (const { chunk, kind, data } of rows) insert.run(row.id, chunk, kind, data);
    await check();
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

export const factsOf = (database: Database.Database, run: string, chunk: number): Fact[] =>
  database
    .prepare<[string, number], FactRow>(
      'SELECT chunk, kind, data FROM fact WHERE run = ? AND chunk = ? ORDER BY id',
    )
    .all(run, chunk)
    .map(factOf);

/** The facts of each chunk with its number, in the order of the chunks or the last one first. @throws LedgerError */
export function* numberedChunksOf(
  database: Database.Database,
  file: string,
  run: string,
  backwards = false,
): Generator<[number: number, facts: Fact[]], void, undefined> {
  for (const rows of storedChunksOf(database, file, run, backwards)) {
    const [first] = rows;
    if (first) yield [first.chunk, guarded(file, () => rows.map(factOf))];
  }
}

/**
 * The facts of each chunk as they are stored. Between two chunks nothing is open, so that others can be written by the
 * same connection while these are read.
 * @throws LedgerError
 */
export function* storedChunksOf(
  database: Database.Database,
  file: string,
  run: string,
  backwards = false,
): Generator<FactRow[], void, undefined> {
  const [next, behind] = backwards ? ['max(chunk)', '<'] : ['min(chunk)', '>'];
  const select = guarded(file, () =>
    database.prepare<[string, string, number], FactRow>(
      `SELECT chunk, kind, data FROM fact WHERE run = ? AND chunk = (
         SELECT ${next} FROM fact WHERE run = ? AND chunk ${behind} ?
       ) ORDER BY id`,
    ),
  );
  for (let at = backwards ? Number.MAX_SAFE_INTEGER : -1; ;) {
    const rows = guarded(file, () => select.all(run, run, at));
    const chunk = rows[0]?.chunk;
    if (chunk === undefined) return;
    yield rows;
    at = chunk;
  }
}

/** Facts of runs in a file that has no name and ends with the process. */
export interface TemporaryFacts {
  add(run: string, rows: readonly FactRow[]): void;
  forget(run: string): void;
  chunksOf(run: string, backwards: boolean): Generator<NumberedFacts, void, undefined>;
  close(): void;
}

/** How SQLite calls a database that has no name and ends with its connection, and how messages do. */
const [TEMPORARY, TEMPORARY_NAME] = ['', '(its copy in the folder for temporary files)'];

export function temporaryFacts(): TemporaryFacts {
  const database = new Database(TEMPORARY);
  // The runs themselves are not here.
  database.pragma('foreign_keys = OFF');
  database.exec(tablesSql()[0] ?? '');
  const insert = factInsert(database);
  const addAll = database.transaction((run: string, rows: readonly FactRow[]) => {
    for (const { chunk, kind, data } of rows) insert.run(run, chunk, kind, data);
  });
  return {
    add: (run, rows) => guarded(TEMPORARY_NAME, () => addAll(run, rows)),
    forget: (run) => database.prepare('DELETE FROM fact WHERE run = ?').run(run),
    chunksOf: (run, backwards) => numberedChunksOf(database, TEMPORARY_NAME, run, backwards),
    close: () => database.close(),
  };
}

/** Turns whatever a damaged file or a failing disk brings into a LedgerError. */
export function guarded<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asLedgerError(error, file);
  }
}

/** The heads of all runs or of a page of them, the latest first, and how many runs there are. */
export function runHeads(
  database: Database.Database,
  filter: RunFilter,
  { offset, limit }: Page = { offset: 0, limit: -1 },
): { rows: RunHead[]; all: number } {
  const of = { mode: "settings ->> '$.mode'", campaign: "settings ->> '$.campaign.name'" };
  const sql = `SELECT ${headColumns(filter, of)} FROM run ORDER BY rowid DESC LIMIT ? OFFSET ?`;
  const counted = database.prepare<[], { all: number }>('SELECT count(*) AS "all" FROM run').get();
  const rows = database.prepare<[number, number], RunHead>(sql).all(limit, offset);
  return { rows, all: counted?.all ?? 0 };
}

/** What the facts held before is overwritten with zeros. */
export function rewriteFacts(
  database: Database.Database,
  run: string,
  chunk: number,
  facts: readonly StoredFact[],
): void {
  database.pragma('secure_delete = ON');
  const select = database.prepare<[string, number], { id: number; kind: string }>(
    'SELECT id, kind FROM fact WHERE run = ? AND chunk = ? ORDER BY id',
  );
  const update = database.prepare('UPDATE fact SET data = CAST(? AS TEXT) WHERE id = ?');
  const rewrite = database.transaction(() => {
    const rows = select.all(run, chunk);
    refuseOtherKinds(run, rows, facts);
    for (const [at, { id }] of rows.entries()) update.run(facts[at]?.data, id);
  });
  rewrite.immediate();
}

/**
 * Writes the whole file anew and empties its log, so that no page of either holds what was rewritten.
 * @throws LedgerInUseError when another process reads the ledger, and so keeps old pages
 */
export function scrub(database: Database.Database, file: string): void {
  const isClean = flush(database);
  if (isClean) database.exec('VACUUM');
  if (!isClean || !flush(database))
    throw new LedgerInUseError(
      `The ledger ${file} is being read by another process, which keeps old pages of it. Wait for it, and run the same command again.`,
    );
}

/** Only reads the lock, so that two processes that ask at once do not take each other for its holder. */
export function isLocked(file: string): boolean {
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
export function tryLock(file: string): Database.Database | null | undefined {
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

/** Locks the file with the name of the run in it. @returns `null`, or the run that has it */
export function hold(database: Database.Database, run: string, file: string): string | null {
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

export function openedFolderLock(folder: string, file: string): Database.Database {
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
