import type Database from 'better-sqlite3';
import { type WaitingRows, reportRows, waitingIn } from '../core/fold.js';
import type { Fact } from '../core/facts.js';
import type { RunIdentity, RunLedger, RunRecord } from '../core/ledger.js';
import type { RowReport } from '../core/report.js';
import { type Choice, chooseRun, isContentAsked, isIdle } from './choose-run.js';
import { IN_MEMORY, openDatabase } from './database.js';
import { chunksOf, factsOf, guarded, numberedChunksOf } from './fact-table.js';
import type { Recorder } from './recorder.js';
import { createInlineRecorder } from './recorder-inline.js';
import { createRelievedRecorder } from './recorder-relieved.js';
import { createThreadRecorder } from './recorder-thread.js';
import { lockRun } from './run-lock.js';
import {
  type RunRow,
  beginRun,
  endRun,
  enqueues,
  forgetRuns,
  identifyRun,
  newRunId,
  recordOf,
} from './run-table.js';

export interface RunRequest {
  readonly identity: RunIdentity;
  /** Whatever is needed to begin the run again; kept with it. */
  readonly settings: object;
  /** Folder of the report, by the id of a new run. */
  readonly out: (run: string) => string;
  /** Begin a new run, whatever the ledger has. */
  readonly again?: boolean | undefined;
  /** Begin a new run where an earlier one has been done. */
  readonly repeatable?: boolean | undefined;
  /** Continue this run and no other. */
  readonly run?: string | undefined;
}

/** A run that is open for work, or the record of one that has been done already. */
export type OpenedRun =
  | {
      readonly kind: 'open';
      readonly ledger: RunLedger;
      readonly out: string;
      /** Puts the digest of the content on record, where it was not known when the run began. */
      identify(content: string): void;
      close(): void;
    }
  | { readonly kind: 'done'; readonly record: RunRecord };

/** The ledger of all runs: one SQLite file. */
export interface Ledger {
  /**
   * Opens the run of an import: a new one, or one that is to be continued; it is locked for this process.
   * @throws UsageError when another process works on it, or when something that it is bound to has changed.
   */
  openRun(request: RunRequest): OpenedRun;
  /** Whether the digest of large inputs has to be known before a run is opened. `run`: as in `RunRequest`. */
  asksContent(identity: RunIdentity, run?: string): boolean;
  /** All runs, the latest first. */
  runs(): RunRecord[];
  /** What was kept with a run when it began. */
  settingsOf(run: string): unknown;
  /** Rows of a run with their outcomes, in order. */
  rowsOf(run: string): Iterable<RowReport>;
  /** Rows of a run for which something is yet to be sent. */
  waitingOf(run: string): WaitingRows;
  /** The facts of a run, chunk by chunk, each with its number; `backwards`: the last chunk first. */
  factsOf(
    run: string,
    backwards?: boolean,
  ): Iterable<readonly [number: number, facts: readonly Fact[]]>;
  /** Tells whether anything has been recorded of a run since: the number of its last fact. */
  lastFact(run: string): number;
  /** Forgets finished runs that ended before then, in milliseconds since the epoch. Returns their ids. */
  prune(before: number): string[];
  close(): Promise<void>;
}

/**
 * Opens the ledger in `file`, or makes it. `thread`: whether a thread of its own writes where there is much to
 * write; to a ledger in memory it cannot.
 * @throws LedgerError when the file cannot be opened or is not a ledger.
 */
export function openLedger(file: string, { thread = file !== IN_MEMORY } = {}): Ledger {
  const database = openDatabase(file);
  let recorder: Recorder | undefined;
  const recording = (): Recorder =>
    (recorder ??= thread
      ? createRelievedRecorder(createInlineRecorder(database, file), () =>
          createThreadRecorder(file),
        )
      : createInlineRecorder(database, file));
  const runRow = (run: string): RunRow | undefined =>
    guarded(file, () =>
      database.prepare<[string], RunRow>('SELECT * FROM run WHERE id = ?').get(run),
    );
  return {
    openRun: (request) => openRun(database, file, recording(), request),
    asksContent: (identity, run) =>
      guarded(file, () => isContentAsked({ database, file }, identity, run)),
    runs: () =>
      guarded(file, () =>
        database
          .prepare<[], RunRow>('SELECT * FROM run ORDER BY created_at DESC, rowid DESC')
          .all()
          .map((row) => recordOf(row, file)),
      ),
    settingsOf: (run) => JSON.parse(runRow(run)?.settings ?? 'null') as unknown,
    rowsOf: (run) => {
      const row = runRow(run);
      return reportRows(chunksOf(database, file, run), row !== undefined && enqueues(row));
    },
    waitingOf: (run) => {
      const row = runRow(run);
      return waitingIn(chunksOf(database, file, run), row !== undefined && enqueues(row));
    },
    factsOf: (run, backwards) => numberedChunksOf(database, file, run, backwards),
    lastFact: (run) =>
      guarded(
        file,
        () =>
          database
            .prepare<[string], { last: number | null }>(
              'SELECT max(id) AS last FROM fact WHERE run = ?',
            )
            .get(run)?.last ?? 0,
      ),
    prune: (before) => guarded(file, () => prune(database, before)),
    close: async () => {
      await recorder?.close();
      database.close();
    },
  };
}

function openRun(
  database: Database.Database,
  file: string,
  recorder: Recorder,
  request: RunRequest,
): OpenedRun {
  return guarded(file, () => {
    const { identity, settings, again = false } = request;
    const found: Choice = again
      ? { kind: 'new' }
      : chooseRun({ database, file }, identity, request.run);
    const choice: Choice = found.kind === 'done' && request.repeatable ? { kind: 'new' } : found;
    if (choice.kind === 'done') return { kind: 'done', record: recordOf(choice.run, file) };
    const id = choice.kind === 'new' ? newRunId() : choice.run.id;
    // Whoever names the run wants its folder too.
    const isKept = choice.kind === 'continue' || request.run !== undefined;
    const out = isKept && choice.kind !== 'new' ? choice.run.out : request.out(id);
    const lock = lockRun(file, id);
    if (choice.kind === 'take_over' && !isIdle({ database, file }, choice.run)) {
      // Another process has worked on it until the lock was free: choose again.
      lock.release();
      return openRun(database, file, recorder, request);
    }
    if (choice.kind !== 'continue') beginRun(database, id, identity, { settings, out });
    else identifyRun(database, id, identity.content);
    const kept = { settings: JSON.stringify(settings), campaign: identity.campaignId };
    const campaign = enqueues(choice.kind === 'continue' ? choice.run : kept);
    const ledger: RunLedger = {
      run: id,
      continued: choice.kind === 'continue',
      record: (chunk, facts) => recorder.record(id, chunk, facts),
      factsOf: (chunk) => factsOf(database, file, id, chunk),
      rows: () => reportRows(chunksOf(database, file, id), campaign),
      waiting: () => waitingIn(chunksOf(database, file, id), campaign),
      end: (end) => {
        guarded(file, () => {
          endRun(database, id, end);
        });
      },
    };
    return {
      kind: 'open',
      ledger,
      out,
      identify: (content) => {
        guarded(file, () => {
          identifyRun(database, id, content);
        });
      },
      close: () => {
        lock.release();
      },
    };
  });
}

function prune(database: Database.Database, before: number): string[] {
  const old = database
    .prepare<[number], { id: string }>(
      `SELECT id FROM run WHERE state = 'finished' AND ended_at < ? ORDER BY created_at`,
    )
    .all(before)
    .map(({ id }) => id);
  forgetRuns(database, old);
  if (old.length > 0) database.exec('VACUUM');
  return old;
}
