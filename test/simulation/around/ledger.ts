import Database from 'better-sqlite3';
import type { Fact } from '../../../src/core/facts.js';
import type { RunLock, RunLocks, RunMark, RunMarks } from '../../../src/ledger/sqlite-files.js';
import { type Recorder, writerOf } from '../../../src/ledger/recorder.js';
import type { LedgerFile } from '../../../src/ledger/sqlite-store.js';
import { type RunRow, type StoredFact, storedFacts } from '../../../src/ledger/store.js';
import { tablesSql } from '../../../src/ledger/sqlite.js';
import { createFlusher } from '../disk.js';
import type { Life } from '../life.js';
import type { Timeline } from '../timeline.js';
import type { Loss } from './story.js';

const IN_MEMORY = ':memory:';

/** The ledger of a story: its disk, with who works on which run, and the marks beside it. */
export interface SharedLedger {
  readonly database: Database.Database;
  readonly file: string;
  /** What a process opens runs with. */
  partsOf(life: Life): Parts;
  /** Who works on runs now. */
  readonly locks: RunLocks;
  /** The database is whole in its file: from here on, no more than what comes later can be lost. */
  isWhole(): void;
  /** Loses what came since, in part. Gives the runs of which a process that opens the ledger must notice it. */
  lose(loss: Loss): readonly string[];
  runs(): RunRow[];
}

export interface Parts extends LedgerFile {
  /** Its process died: of the writes on their way, the first `kept` had reached the disk all the same. */
  crash(kept: number): void;
}

/** Opening a database takes as long as a whole story. */
let shared: Database.Database | undefined;

function emptyDatabase(): Database.Database {
  shared ??= newDatabase();
  shared.exec('DELETE FROM fact; DELETE FROM run');
  return shared;
}

/** Statements are prepared once for all stories: that takes as long as everything else. */
function newDatabase(): Database.Database {
  const database = new Database(IN_MEMORY);
  database.exec(tablesSql()[0] ?? '');
  const statements = new Map<string, Database.Statement>();
  const prepare = database.prepare.bind(database);
  database.prepare = ((text: string) => {
    const known = statements.get(text) ?? prepare(text);
    statements.set(text, known);
    return known;
  }) as typeof database.prepare;
  return database;
}

/** How the ledger was when something had just been written. */
interface Moment {
  readonly lastFact: number;
  readonly runs: readonly RunRow[];
}

/** `isLossy`: whether anything will be lost, so that it has to be remembered how the ledger was. */
export function createLedger(
  timeline: Timeline,
  flushMs: () => number,
  isLossy: boolean,
): SharedLedger {
  const database = emptyDatabase();
  const holders = new Map<string, Life>();
  const locks = locksOf(holders, null);
  const marks = createMarks();
  let history: Moment[] = [];

  const runs = (): RunRow[] =>
    database.prepare<[], RunRow>('SELECT * FROM run ORDER BY created_at DESC, rowid DESC').all();
  const moment = (): Moment => ({ lastFact: lastFactOf(database), runs: runs() });
  const written = (): void => {
    if (isLossy) history.push(moment());
  };

  return {
    database,
    file: IN_MEMORY,
    locks,
    runs,
    isWhole: () => {
      if (isLossy) history = [moment()];
    },
    lose: ({ share, withMarks }) => {
      const back = history[withMarks ? 0 : Math.floor(share * history.length)];
      if (!back) return [];
      history = history.slice(0, history.indexOf(back) + 1);
      goBack(database, back);
      if (!withMarks)
        return marks
          .all()
          .flatMap(({ run, facts }) => (factsIn(database, run) < facts ? [run] : []));
      marks.clear();
      return runs().flatMap(({ id, state }) => (state === null ? [id] : []));
    },
    partsOf: (life) => {
      const { recorder, crash } = createRecorder({
        database,
        marks,
        life,
        timeline,
        flushMs,
        written,
      });
      return {
        ...{ database, file: IN_MEMORY, marks, crash },
        recorder: () => recorder,
        locks: locksOf(holders, life),
      };
    },
  };
}

function lastFactOf(database: Database.Database): number {
  const row = database
    .prepare<[], { last: number | null }>('SELECT max(id) AS last FROM fact')
    .get();
  return row?.last ?? 0;
}

/** Runs have not been added or forgotten since: the ledger is whole whenever one is opened. */
function goBack(database: Database.Database, { lastFact, runs }: Moment): void {
  database.prepare('DELETE FROM fact WHERE id > ?').run(lastFact);
  const restore = database.prepare(
    'UPDATE run SET state = ?, ended_at = ?, rows = ?, outcomes = ? WHERE id = ?',
  );
  for (const { id, state, ended_at, rows, outcomes } of runs)
    restore.run(state, ended_at, rows, outcomes, id);
}

function factsIn(database: Database.Database, run: string): number {
  const row = database
    .prepare<[string], { count: number }>('SELECT count(*) AS count FROM fact WHERE run = ?')
    .get(run);
  return row?.count ?? 0;
}

/** A dead process holds nothing. */
function locksOf(holders: Map<string, Life>, life: Life | null): RunLocks {
  const isTaken = (run: string): boolean => holders.get(run)?.isAlive() ?? false;
  return {
    isTaken,
    take: (run): RunLock | null => {
      if (isTaken(run) || life === null) return null;
      holders.set(run, life);
      return {
        isHeld: () => holders.get(run) === life,
        release: () => {
          if (holders.get(run) === life) holders.delete(run);
        },
      };
    },
  };
}

const NOTHING_YET = { name: '', files: '', content: '' };

/** Marks outlive processes. */
function createMarks(): RunMarks & { clear(): void } {
  const marks = new Map<string, RunMark>();
  return {
    all: () => [...marks.values()],
    of: (run) => marks.get(run),
    announce: (run) => {
      if (!marks.has(run)) marks.set(run, { run, facts: 0, openedAt: 0, of: NOTHING_YET });
    },
    begin: (mark) => {
      marks.set(mark.run, mark);
    },
    open: (mark) => ({
      write: (facts) => {
        marks.set(mark.run, { ...mark, facts });
      },
      close: () => undefined,
    }),
    remove: (run) => {
      marks.delete(run);
    },
    clear: () => {
      marks.clear();
    },
  };
}

interface Disk {
  readonly database: Database.Database;
  readonly marks: RunMarks;
  readonly life: Life;
  readonly timeline: Timeline;
  readonly flushMs: () => number;
  readonly written: () => void;
}

interface Write {
  readonly facts: readonly StoredFact[];
  readonly done: () => void;
}

/** The recorder of one process. */
function createRecorder({ database, marks, life, timeline, flushMs, written }: Disk) {
  const writer = writerOf(database, marks);
  const flusher = createFlusher<Write>(timeline, flushMs, (writes) => {
    writer.write(writes.flatMap(({ facts }) => facts));
    written();
    for (const { done } of writes) done();
  });
  const record = (run: string, chunk: number, facts: readonly Fact[]): Promise<void> =>
    new Promise((resolve) =>
      flusher.put({ facts: storedFacts(run, chunk, facts), done: () => life.tell(resolve) }),
    );

  const recorder: Recorder = {
    record: (run, chunk, facts) => life.call(() => record(run, chunk, facts)),
    close: () => Promise.resolve(),
  };
  return {
    recorder,
    crash: (kept: number): void => {
      const left = flusher.takeBack().slice(0, kept);
      // The process dies before it brings the mark up to these.
      if (left.length > 0) writerOf(database, null).write(left.flatMap(({ facts }) => facts));
    },
  };
}
