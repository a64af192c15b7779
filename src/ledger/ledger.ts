import { createHash, randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { Fact } from '../core/facts.js';
import { reportChunk, waitingIn } from '../core/fold.js';
import type { RunIdentity, RunLedger } from '../core/ledger.js';
import type { RowReport } from '../core/report.js';
import { asLedgerError, openDatabase } from './database.js';
import type { Recorder } from './recorder.js';
import { createInlineRecorder } from './recorder-inline.js';
import { createThreadRecorder } from './recorder-thread.js';

/** The ledger of all runs: one SQLite file. */
export interface Ledger {
  /**
   * The unfinished run of the same identity when there is one, else a new one. `settings` is what the run has to keep
   * for reading its input the same way again; a continued run gets the settings that it began with.
   */
  openRun<S extends object>(identity: RunIdentity, settings: S): RunLedger & { settings: S };
  close(): Promise<void>;
}

/** A ledger that ends with the process, for tests. */
export const IN_MEMORY = ':memory:';

/**
 * Opens the ledger in `file`, or makes it. `thread`: whether a thread of its own writes; a ledger in memory cannot.
 * @throws LedgerError when the file cannot be opened or is not a ledger.
 */
export function openLedger(file: string, { thread = file !== IN_MEMORY } = {}): Ledger {
  const database = openDatabase(file);
  const recorder = thread ? createThreadRecorder(file) : createInlineRecorder(database, file);
  return {
    openRun: (identity, settings) => openRun(database, file, recorder, identity, settings),
    close: async () => {
      await recorder.close();
      database.close();
    },
  };
}

function openRun<S extends object>(
  database: Database.Database,
  file: string,
  recorder: Recorder,
  identity: RunIdentity,
  settings: S,
): RunLedger & { settings: S } {
  const key = createHash('sha256').update(JSON.stringify(identity)).digest('hex');
  try {
    const found = findUnfinished(database, key);
    const run = found?.id ?? newRun(database, key, { identity, settings });
    const kept = found ? (JSON.parse(found.settings) as { settings: S }).settings : settings;
    const campaign = identity.campaignId !== null;
    return {
      run,
      settings: kept,
      continued: found !== undefined,
      record: (chunk, facts) => recorder.record(run, chunk, facts),
      factsOf: (chunk) => guarded(file, () => factsOf(database, run, chunk)),
      rows: () => rowsOf(guardedChunks(database, file, run), campaign),
      waiting: () => waitingOf(guardedChunks(database, file, run)),
      finish: () => {
        guarded(file, () =>
          database.prepare('UPDATE run SET finished_at = ? WHERE id = ?').run(Date.now(), run),
        );
      },
    };
  } catch (error) {
    throw asLedgerError(error, file);
  }
}

function findUnfinished(
  database: Database.Database,
  key: string,
): { id: string; settings: string } | undefined {
  return database
    .prepare<[string], { id: string; settings: string }>(
      `SELECT id, settings FROM run WHERE identity = ? AND finished_at IS NULL
       ORDER BY created_at DESC LIMIT 1`,
    )
    .get(key);
}

/** Run ids sort by time and can be told apart at a glance: `20261120-174500-1f3a`. */
function newRun(database: Database.Database, key: string, details: object): string {
  const now = new Date();
  const time = now.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const id = `${time}-${randomUUID().slice(0, 4)}`;
  database
    .prepare('INSERT INTO run (id, identity, settings, created_at) VALUES (?, ?, ?, ?)')
    .run(id, key, JSON.stringify(details), now.getTime());
  return id;
}

interface FactRow {
  readonly chunk: number;
  readonly kind: string;
  readonly data: string;
}

function factsOf(database: Database.Database, run: string, chunk: number): Fact[] {
  return database
    .prepare<[string, number], FactRow>(
      'SELECT chunk, kind, data FROM fact WHERE run = ? AND chunk = ? ORDER BY id',
    )
    .all(run, chunk)
    .map(factOf);
}

function* rowsOf(
  chunks: Iterable<readonly Fact[]>,
  campaign: boolean,
): Generator<RowReport, void, undefined> {
  for (const facts of chunks) yield* reportChunk(facts, campaign);
}

function waitingOf(chunks: Iterable<readonly Fact[]>): number {
  let waiting = 0;
  for (const facts of chunks) waiting += waitingIn(facts);
  return waiting;
}

/** Turns whatever a damaged file or a failing disk brings into a LedgerError. */
function guarded<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw asLedgerError(error, file);
  }
}

function* guardedChunks(
  database: Database.Database,
  file: string,
  run: string,
): Generator<Fact[], void, undefined> {
  try {
    yield* chunksOf(database, run);
  } catch (error) {
    throw asLedgerError(error, file);
  }
}

/** The facts of each chunk, in the order of the chunks. */
function* chunksOf(database: Database.Database, run: string): Generator<Fact[], void, undefined> {
  const rows = database
    .prepare<[string], FactRow>(
      'SELECT chunk, kind, data FROM fact WHERE run = ? ORDER BY chunk, id',
    )
    .iterate(run);
  let chunk = -1;
  let facts: Fact[] = [];
  for (const row of rows) {
    if (row.chunk !== chunk) {
      yield facts;
      chunk = row.chunk;
      facts = [];
    }
    facts.push(factOf(row));
  }
  yield facts;
}

/** Written by us: its shape is not checked again. */
function factOf({ kind, data }: FactRow): Fact {
  if (kind === 'read') return { kind, data };
  return { kind, ...(JSON.parse(data) as object) } as Fact;
}
