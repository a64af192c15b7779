import type Database from 'better-sqlite3';
import { LedgerInUseError } from '../core/errors.js';
import type { Fact } from '../core/facts.js';
import type { RunEnd, RunIdentity, RunRecord } from '../core/ledger.js';
import { asLedgerError, flush } from './sqlite-database.js';
import type { RunLocks } from './sqlite-files.js';
import {
  factOf,
  type FactRow,
  type FoundRuns,
  refuseOtherKinds,
  RUN_COLUMNS,
  type RunFilter,
  type RunRow,
  runTaken,
  type StoredFact,
  workerText,
} from './store.js';

/** A run as the table has it. */
export function runRow(database: Database.Database, id: string): RunRow | undefined {
  return database.prepare<[string], RunRow>('SELECT * FROM run WHERE id = ?').get(id);
}

/** Runs of these ids in the order in which they began. */
export function runRows(database: Database.Database, ids: readonly string[]): RunRow[] {
  return database
    .prepare<[string], RunRow>(
      'SELECT * FROM run WHERE id IN (SELECT value FROM json_each(?)) ORDER BY rowid',
    )
    .all(JSON.stringify(ids));
}

/** Whether one of these runs may be continued. */
export function hasUnfinished(database: Database.Database, ids: readonly string[]): boolean {
  const found = database
    .prepare<[string]>(
      `SELECT 1 FROM run WHERE id IN (SELECT value FROM json_each(?)) AND state IS NOT 'finished'`,
    )
    .get(JSON.stringify(ids));
  return found !== undefined;
}

/** The number of the last fact of a run; 0: there is none. */
export function lastFactOf(database: Database.Database, run: string): number {
  const found = database
    .prepare<[string], { last: number | null }>('SELECT max(id) AS last FROM fact WHERE run = ?')
    .get(run);
  return found?.last ?? 0;
}

/** How many facts of a run are on record. */
export function factCount(database: Database.Database, run: string): number {
  const found = database
    .prepare<[string], { count: number }>('SELECT count(*) AS count FROM fact WHERE run = ?')
    .get(run);
  return found?.count ?? 0;
}

/** Puts a run on record that is not there yet. */
export function insertRow(database: Database.Database, row: RunRow): void {
  const places = RUN_COLUMNS.map(() => '?').join(', ');
  database
    .prepare(`INSERT INTO run (${RUN_COLUMNS.join(', ')}) VALUES (${places})`)
    .run(RUN_COLUMNS.map((column) => row[column]));
}

/** Puts on record that this process goes on with a run: how it ended before says nothing any more. */
export function reopenRun(
  database: Database.Database,
  id: string,
  { content }: RunIdentity,
  { settings, settlesAll }: { readonly settings: string; readonly settlesAll: boolean },
): void {
  database
    .prepare(
      `UPDATE run SET content = ?, settings = ?, opened_at = max(opened_at + 1, ?), worker = ?, state = NULL, ended_at = NULL,
         rows = NULL, outcomes = NULL, settles_all = max(settles_all, ?) WHERE id = ?`,
    )
    .run(content, settings, Date.now(), workerText(), settlesAll ? 1 : 0, id);
}

/** Puts on record that this process does something with a run. */
export function noteWorker(database: Database.Database, id: string): void {
  database.prepare('UPDATE run SET worker = ? WHERE id = ?').run(workerText(), id);
}

/** Puts the digest of a run's content on record, in place of what stood for it. */
export function identifyRun(database: Database.Database, id: string, content: string): void {
  database.prepare('UPDATE run SET content = ? WHERE id = ?').run(content, id);
}

/** Puts the settings of a run on record, in place of those that it has. */
export function keepSettings(database: Database.Database, id: string, settings: string): void {
  database.prepare('UPDATE run SET settings = ? WHERE id = ?').run(settings, id);
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

export function endRun(
  database: Database.Database,
  id: string,
  { state, rows, outcomes }: RunEnd,
): void {
  database
    .prepare('UPDATE run SET state = ?, ended_at = ?, rows = ?, outcomes = ? WHERE id = ?')
    .run(state, Date.now(), rows, JSON.stringify(outcomes), id);
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

export function knownOf(database: Database.Database, run: string): Known | undefined {
  return database
    .prepare<[string], Known>(
      `SELECT opened_at AS opened, state, (SELECT count(*) FROM fact WHERE fact.run = run.id) AS facts
       FROM run WHERE id = ?`,
    )
    .get(run);
}

/** @throws LedgerError when the file is damaged or the disk fails. */
export function factsOf(
  database: Database.Database,
  file: string,
  run: string,
  chunk: number,
): Fact[] {
  return guarded(file, () =>
    database
      .prepare<[string, number], FactRow>(
        'SELECT chunk, kind, data FROM fact WHERE run = ? AND chunk = ? ORDER BY id',
      )
      .all(run, chunk)
      .map(factOf),
  );
}

/** The facts of each chunk, in the order of the chunks. @throws LedgerError */
export function* chunksOf(
  database: Database.Database,
  file: string,
  run: string,
): Generator<Fact[], void, undefined> {
  for (const [, facts] of numberedChunksOf(database, file, run)) yield facts;
}

/** Which chunks are read. */
interface ChunkOrder {
  /** The last chunk first. @default false */
  readonly backwards?: boolean | undefined;
  /** Only those behind this one. @default all */
  readonly after?: number;
}

/** The same with the number of each chunk. @throws LedgerError */
export function* numberedChunksOf(
  database: Database.Database,
  file: string,
  run: string,
  order: ChunkOrder = {},
): Generator<[number: number, facts: Fact[]], void, undefined> {
  for (const rows of storedChunksOf(database, file, run, order)) {
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
  { backwards = false, after = backwards ? Number.MAX_SAFE_INTEGER : -1 }: ChunkOrder = {},
): Generator<FactRow[], void, undefined> {
  const [next, behind] = backwards ? ['max(chunk)', '<'] : ['min(chunk)', '>'];
  const select = guarded(file, () =>
    database.prepare<[string, string, number], FactRow>(
      `SELECT chunk, kind, data FROM fact WHERE run = ? AND chunk = (
         SELECT ${next} FROM fact WHERE run = ? AND chunk ${behind} ?
       ) ORDER BY id`,
    ),
  );
  for (let at = after; ;) {
    const rows = guarded(file, () => select.all(run, run, at));
    const chunk = rows[0]?.chunk;
    if (chunk === undefined) return;
    yield rows;
    at = chunk;
  }
}

/** Turns whatever a damaged file or a failing disk brings into a LedgerError. */
export function guarded<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asLedgerError(error, file);
  }
}

/** The SQL of a condition, and its values. */
type Condition = readonly [sql: string, ...values: string[]];

/** A ledger's tables, and who works on its runs, which no table says. */
interface OpenTables {
  readonly database: Database.Database;
  readonly locks: RunLocks;
}

/** Finds runs without reading all of their settings: a ledger may have tens of thousands. */
export function findRuns(
  { database, locks }: OpenTables,
  { state, mode, fits }: RunFilter,
  offset: number,
  limit: number,
): Omit<FoundRuns, 'isTaken'> {
  const conditions: Condition[] = [];
  if (state !== undefined) conditions.push(stateCondition(state, takenRuns({ database, locks })));
  if (mode !== undefined)
    conditions.push([`coalesce(json_extract(settings, '$.mode'), 'create') = ?`, mode]);
  if (fits) conditions.push(namesCondition(database, fits));
  const where =
    conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`;
  const values = conditions.flatMap(([, ...given]) => given);
  const count = (where: string, given: readonly string[]): number =>
    database
      .prepare<string[], { count: number }>(`SELECT count(*) AS count FROM run ${where}`)
      .get(...given)?.count ?? 0;
  const all = count('', []);
  return {
    total: conditions.length === 0 ? all : count(where, values),
    all,
    rows: database
      .prepare<(string | number)[], RunRow>(
        `SELECT * FROM run ${where} ORDER BY rowid DESC LIMIT ? OFFSET ?`,
      )
      .all(...values, limit, offset),
  };
}

/** Runs on which somebody works: no table says so, only their locks. */
function takenRuns({ database, locks }: OpenTables): string[] {
  return database
    .prepare<[], { id: string }>("SELECT id FROM run WHERE state IS NOT 'finished'")
    .all()
    .map(({ id }) => id)
    .filter((id) => locks.isTaken(id));
}

/** Whether runs stand so, as `recordOf` says it. */
function stateCondition(state: RunRecord['state'], taken: readonly string[]): Condition {
  const ids = JSON.stringify(taken);
  if (state === 'running') return ['id IN (SELECT value FROM json_each(?))', ids];
  const resting = state === 'broken_off' ? 'state IS NULL' : `state = '${state}'`;
  return [`${resting} AND id NOT IN (SELECT value FROM json_each(?))`, ids];
}

/** SQLite's own comparison of texts knows small and capital letters of ASCII alone. */
function namesCondition(
  database: Database.Database,
  fits: NonNullable<RunFilter['fits']>,
): Condition {
  database.function('names_fit', (inputs: unknown, campaign: unknown) => {
    const names = JSON.parse(String(inputs)) as string[];
    return fits(names, typeof campaign === 'string' ? campaign : null) ? 1 : 0;
  });
  return [`names_fit(inputs, json_extract(settings, '$.campaign.name'))`];
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
