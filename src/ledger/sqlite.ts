import type Database from 'better-sqlite3';
import { type CardlineError, LostFactsError } from '../core/errors.js';
import { reportRows, waitingIn } from '../core/facts.js';
import type { RunIdentity, RunLedger } from '../core/ledger.js';
import { ledgerCommand, printable } from '../core/text.js';
import { type Moment, momentNow } from '../core/time.js';
import {
  decideRun,
  type Decision,
  rowToBegin,
  type RunToBegin,
  type RunToContinue,
} from './choose.js';
import { lookupOfCopy, mayHaveArrived, refuseRelying } from './other-runs.js';
import {
  createInlineRecorder,
  createRelievedRecorder,
  createThreadRecorder,
  type Recorder,
} from './recorder.js';
import { asLedgerError, flush, IN_MEMORY, isBusy, openAtHome } from './sqlite-database.js';
import {
  type LedgerFile,
  ledgerGone,
  locksOf,
  markedInput,
  marksBeside,
  type RunLock,
  type RunLocks,
  type RunMark,
  type RunMarks,
  sameFile,
  takeLedgerFile,
} from './sqlite-files.js';
import {
  chunksOf,
  endRun,
  factCount,
  factsOf,
  findRuns,
  forgetRuns,
  guarded,
  hasUnfinished,
  identifyRun,
  insertRow,
  keepSettings,
  type Known,
  knownOf,
  lastFactOf,
  noteWorker,
  numberedChunksOf,
  refuseReopened,
  reopenRun,
  rewriteFacts,
  runRow,
  runRows,
  scrub,
  storedChunksOf,
} from './sqlite-tables.js';
import {
  enqueues,
  type FactRow,
  type HeldRun,
  inUse,
  iterable,
  type OpenedRun,
  refuseTaken,
  renewedSettings,
  type RunOnRecord,
  type RunRequest,
  type RunRow,
  runTaken,
  type RunTransfer,
  type RunView,
  settingsKeeper,
  settled,
  type Store,
} from './store.js';

/** The ledger's database, the name of its file for messages, who works on its runs, and how far they had come. */
interface LedgerParts {
  readonly database: Database.Database;
  readonly file: string;
  readonly locks: RunLocks;
  /** `null`: the ledger ends with the process, and has nothing to lose. */
  readonly marks: RunMarks | null;
}

/**
 * Compares what the ledger knows of each run with the marks beside it. A mark that is fulfilled, of a run at its end, is
 * removed.
 * @throws LostFactsError when the ledger knows less than was on the disk once
 */
function refuseLostFacts(ledger: LedgerParts): void {
  for (const mark of ledger.marks?.all() ?? []) {
    if (ledger.locks.isTaken(mark.run)) continue;
    const known = knownOf(ledger.database, mark.run);
    if (!known && mark.openedAt === 0) {
      // Its process died before the run was on record.
      ledger.marks?.remove(mark.run);
      continue;
    }
    if (!known || isBehind(known, mark)) throw lostEnd(ledger.file, mark, known?.facts);
    if (known.state === 'finished') ledger.marks?.remove(mark.run);
  }
}

/** @throws LostFactsError when facts of a run are gone, or nothing shows that they are not */
function refuseLostRun(ledger: LedgerParts, run: RunRow): void {
  refuseWithoutMark(ledger, run);
  if (isUnsettled(run)) throw unsettled(ledger.file, run);
  const mark = ledger.marks?.of(run.id);
  const known = knownOf(ledger.database, run.id);
  if (mark && known && isBehind(known, mark)) throw lostEnd(ledger.file, mark, known.facts);
}

/**
 * Removes the marks of runs that the ledger has forgotten and that were of these inputs: an import of them looks every
 * row up. Those of other inputs stay, since nobody has looked at what became of these.
 */
function settleForgotten({ marks, locks, ...ledger }: LedgerParts, identity: RunIdentity): void {
  const { files, content } = markedInput({
    inputs: JSON.stringify(identity.inputs),
    content: identity.content,
  });
  const fingerprint =
    identity.fingerprint && markedInput({ inputs: '[]', content: identity.fingerprint.content });
  for (const { run, of } of marks?.all() ?? []) {
    const isOwn =
      of.files === files || of.content === content || of.content === fingerprint?.content;
    if (isOwn && !knownOf(ledger.database, run) && !locks.isTaken(run)) marks?.remove(run);
  }
}

/** Whether facts of a run are gone, or nothing shows that they are not. */
function hasLostFacts(ledger: LedgerParts, run: RunRow): boolean {
  if (lacksMark(ledger, run) || isUnsettled(run)) return true;
  const mark = ledger.marks?.of(run.id);
  const known = knownOf(ledger.database, run.id);
  return mark !== undefined && known !== undefined && isBehind(known, mark);
}

/** Whether a run lost facts, and has not come to its end since: rows of which nothing is on record may have been sent. */
const isUnsettled = ({ settles_all, state }: RunRow): boolean =>
  settles_all === 1 && state !== 'finished' && state !== 'open';

function unsettled(file: string, { id }: RunRow): LostFactsError {
  return new LostFactsError(
    `Run ${id} lost facts, and not all of its rows have been looked up since. Let "${ledgerCommand(file, 'resume', id)}" bring it to its end first.`,
  );
}

/** Runs of earlier versions had no marks, and one that ended by itself needs none. */
function lacksMark({ marks }: LedgerParts, { id, state, opened_at }: RunRow): boolean {
  return state === null && opened_at !== 0 && marks !== null && !marks.of(id);
}

/** @throws LostFactsError when the process of a run died and the mark that shows how far it had come is not there */
function refuseWithoutMark(ledger: LedgerParts, run: RunRow): void {
  if (!lacksMark(ledger, run)) return;
  const { file } = ledger;
  throw new LostFactsError(
    `The process of run ${run.id} died, and ${file}.${run.id}.mark, which tells how much of it should be in the ledger, is not there. Was the ledger copied alone? Bring ${file}-wal and the mark along, or let "${ledgerCommand(file, 'resume', run.id, '--settle-all')}" look every open row up before it sends anything.`,
  );
}

/** A run that was opened again, or begun anew, and whose process died before it wrote the mark, is not. */
const isBehind = (known: Known, mark: RunMark): boolean =>
  known.opened < mark.openedAt || (known.opened === mark.openedAt && known.facts < mark.facts);

function lostEnd(file: string, mark: RunMark, known: number | undefined): LostFactsError {
  const { run, facts, of } = mark;
  const how =
    known === undefined
      ? `it does not know run ${run} of ${printable(of.name)}, of which ${facts} facts were on the disk`
      : `it has ${known} facts of run ${run}, of which at least ${facts} were on the disk`;
  const settle =
    known === undefined
      ? `the import of ${printable(of.name)} with --settle-all looks every row up before it sends anything; should that list never be imported again, remove ${file}.${run}.mark`
      : `"${ledgerCommand(file, 'resume', run, '--settle-all')}" looks every open row up before it sends anything`;
  return new LostFactsError(
    `The ledger ${file} has lost its end: ${how}. Was ${file}-wal removed or damaged, or an older copy brought back? Bring the whole ledger back, or go on without: ${settle}.`,
  );
}

/**
 * A ledger in a file as it is now; for as long as a transaction keeps others from changing it. `where`: a condition for
 * those of its runs that are looked at. `begun`: when the command began that asks.
 */
function viewOf(ledger: LedgerParts, where = 'true', begun?: Moment): RunView {
  const { database, file, locks } = ledger;
  return {
    ledger: file,
    runs: database.prepare<[], RunRow>(`SELECT * FROM run WHERE ${where} ORDER BY rowid`).all(),
    isTaken: (run) => locks.isTaken(run),
    isAtWork: (run) => locks.isTaken(run),
    wasFreedMeanwhile: ({ ended_at: at }) =>
      // What seems to be yet to come was written before the clock was set.
      begun !== undefined && at !== null && at > begun.wall && at <= momentNow().wall,
    // Machines share runs of a database alone.
    refuseShared: () => undefined,
    leavesNothing: ({ id }) => {
      for (const facts of chunksOf(database, file, id)) if (mayHaveArrived(facts)) return false;
      return true;
    },
    hasLostFacts: (run) => hasLostFacts(ledger, run),
    refuseLostFacts: () => {
      refuseLostFacts(ledger);
    },
    refuseUnmarked: (run) => {
      refuseWithoutMark(ledger, run);
    },
  };
}

/**
 * Keeps other processes from a run while something else is done with what is on record of it.
 * @throws LedgerInUseError when another process works on it; LostFactsError when what is on record is not all that it did
 */
export function holdRun(ledger: LedgerParts, id: string): RunLock {
  const { database } = ledger;
  const lock = ledger.locks.take(id);
  if (!lock) throw inUse(runRow(database, id) ?? { id, worker: null });
  const check = database.transaction(() => {
    const run = runRow(database, id);
    if (run) refuseLostRun(ledger, run);
    refuseRelying(viewOf(ledger), id);
    noteWorker(database, id);
  });
  try {
    // An import that relies on this run is on record before, or meets the lock.
    check.immediate();
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** What opening a run needs. */
export interface OpenParts extends LedgerParts {
  readonly recorder: Recorder;
}

/** A run that was chosen and is locked for this process. */
interface Taken {
  readonly decision: RunToBegin | RunToContinue;
  readonly row: RunRow;
  readonly lock: RunLock;
}

/**
 * Chooses the run of an import and begins it, or goes on with it, in one step that no other process can come between.
 * @throws UsageError, LedgerInUseError as `chooseRun` does; LostFactsError when the ledger has lost its end
 */
export function openRun(parts: OpenParts, request: RunRequest): OpenedRun {
  return guarded(parts.file, () => {
    let taken: Taken | undefined;
    const choose = (): Exclude<Decision, { readonly kind: 'begin' | 'continue' }> | Taken => {
      const decision = decideRun(viewOf(parts, 'true', request.begun), request);
      if (decision.kind !== 'begin' && decision.kind !== 'continue') return decision;
      taken = take(parts, request, decision);
      return taken;
    };
    try {
      const opened = parts.database.transaction(choose).immediate();
      if ('kind' in opened) return opened;
      return { kind: 'open', ...workOn(parts, request, opened) };
    } catch (error) {
      // A transaction that could not be written, or a mark, must not leave the run locked.
      taken?.lock.release();
      if (isBusy(error)) refuseWriting(parts, request);
      throw error;
    }
  });
}

/**
 * A process that is paused while it writes keeps all others from writing: whoever has waited for it is told the run.
 * @throws LedgerInUseError when the run of the request is the one that is at work
 */
function refuseWriting(parts: OpenParts, request: RunRequest): void {
  const view = viewOf(parts, 'true', request.begun);
  const run = runBefore(decideRun(view, request));
  if (run) refuseTaken(view, run);
}

/** The run on record that is gone on with, or whose id is taken. */
function runBefore(decision: Decision): RunRow | undefined {
  if (decision.kind === 'begin') return decision.replaces;
  return decision.kind === 'continue' ? decision.run : undefined;
}

function take(parts: OpenParts, request: RunRequest, decision: RunToBegin | RunToContinue): Taken {
  const { identity, renewed, settleAll = false } = request;
  const { database, locks } = parts;
  const { id } = decision;
  const before = runBefore(decision);
  const lock = locks.take(id);
  if (!lock) throw before ? inUse(before) : new Error('A new run is locked.');
  try {
    // So that a process that dies right after the transaction leaves one. A run whose mark is missing keeps lacking it
    // until what is not on record is looked up.
    if (before?.state !== null) parts.marks?.announce(id);
    if (decision.kind === 'continue')
      reopenRun(database, id, identity, {
        settings: renewedSettings(decision.run, renewed),
        settlesAll: settleAll,
      });
    else {
      const row = rowToBegin(request, decision, before);
      forgetRuns(database, [id]);
      insertRow(database, row);
    }
    return { decision, row: rowOf(parts, id), lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function rowOf({ database }: LedgerParts, id: string): RunRow {
  const row = runRow(database, id);
  if (!row) throw new Error(`Run ${id} is not on record.`);
  return row;
}

function workOn(
  parts: OpenParts,
  request: RunRequest,
  { decision, row, lock }: Taken,
): Omit<Extract<OpenedRun, { kind: 'open' }>, 'kind'> {
  const { database, file, recorder } = parts;
  const { id } = row;
  if (parts.marks) markBegin(parts, parts.marks, row);
  if (request.settleAll) settleForgotten(parts, request.identity);
  const campaign = enqueues(row);
  const isThere = sameFile(file);
  const lost = (): CardlineError | undefined => {
    if (!isThere()) return ledgerGone(file);
    return lock.isHeld() ? undefined : runTaken(id);
  };
  /** Changes the run as long as nobody else has opened it since. */
  const change = (work: () => void): Promise<void> =>
    settled(() =>
      guarded(file, () => {
        if (!isThere()) throw ledgerGone(file);
        const changing = database.transaction(() => {
          refuseReopened(database, id, row.opened_at);
          work();
        });
        changing.immediate();
      }),
    );
  const ledger: RunLedger = {
    run: id,
    continued: decision.kind === 'continue',
    brokeOff: decision.kind === 'continue' && decision.run.state === null,
    settlesAll: row.settles_all === 1,
    record: (chunk, facts) => recorder.record(id, chunk, facts, row.opened_at),
    factsOf: (chunk) => settled(() => factsOf(database, file, id, chunk)),
    rows: () => settled(() => iterable(() => reportRows(chunksOf(database, file, id), campaign))),
    waiting: () => settled(() => waitingIn(chunksOf(database, file, id), campaign)),
    end: (end) => change(() => endRun(database, id, end)),
  };
  return {
    ledger,
    out: row.out,
    ...{ relies: decision.relies, beside: decision.beside },
    mayBegin: () => lost() ?? true,
    confirm: () =>
      settled(() => {
        const error = lost();
        if (error) throw error;
      }),
    identify: (content) => change(() => identifyRun(database, id, content)),
    keep: settingsKeeper(row, (more) => change(() => keepSettings(database, id, more))),
    close: () =>
      settled(() => {
        if (parts.marks) markEnd(parts, parts.marks, id);
        lock.release();
      }),
  };
}

/** Before anything is sent: from here on, a ledger that lost its end is noticed. */
function markBegin({ database }: OpenParts, marks: RunMarks, row: RunRow): void {
  const facts = factCount(database, row.id);
  marks.begin({ run: row.id, facts, openedAt: row.opened_at, of: markedInput(row) });
  // The run itself is in the file, and not in its log alone, so that a copy of the file has it.
  flush(database);
}

/** A run that ended by itself, and that is whole in the file, needs no mark any more. */
function markEnd(parts: OpenParts, marks: RunMarks, id: string): void {
  try {
    if (rowOf(parts, id).state !== null && flush(parts.database)) marks.remove(id);
  } catch {
    // The mark stays, and is compared with the ledger when it is opened next.
  }
}

/** Copies runs out of a ledger in a file and into it. While one is copied into it, others cannot write. */
function transferOfFile(parts: LedgerParts): RunTransfer {
  const { database, file, locks } = parts;
  const read = (id: string): RunOnRecord => ({
    row: rowOf(parts, id),
    facts: () => storedFacts(parts, id),
  });
  return {
    rows: () => settled(() => guarded(file, () => viewOf(parts).runs)),
    read: (run) => settled(() => guarded(file, () => read(run))),
    lend: async (id, use) => {
      const lock = locks.take(id);
      if (!lock) throw inUse(rowOf(parts, id));
      try {
        return await use({ ...read(id), row: guarded(file, () => lentRow(parts, id)) });
      } finally {
        lock.release();
      }
    },
    receive: async ({ row, facts }, check) => {
      try {
        database.exec('BEGIN IMMEDIATE');
        insertRow(database, row);
        await insertFacts(parts, row.id, facts());
        await check(read(row.id));
        database.exec('COMMIT');
      } catch (error) {
        if (database.inTransaction) database.exec('ROLLBACK');
        throw asLedgerError(error, file);
      }
      markCopy(parts, row);
    },
  };
}

/** The line of a run as its copy has it. */
function lentRow(parts: LedgerParts, id: string): RunRow {
  const { database } = parts;
  const lent = database.transaction((): RunRow => {
    const row = rowOf(parts, id);
    const lookup = lookupOfCopy(viewOf(parts), row);
    if (lookup === 'here and there')
      database.prepare('UPDATE run SET settles_all = 1 WHERE id = ?').run(id);
    return lookup === 'nowhere' ? row : { ...row, settles_all: 1 };
  });
  return lent.immediate();
}

/** A chunk is read when it is asked for. */
async function* storedFacts(
  { database, file }: LedgerParts,
  run: string,
): AsyncGenerator<readonly FactRow[], void, undefined> {
  for (const rows of storedChunksOf(database, file, run)) {
    yield rows;
    // Reading the ledger holds up everything else; others have their turn in between.
    await new Promise(setImmediate);
  }
}

async function insertFacts(
  { database }: LedgerParts,
  run: string,
  facts: AsyncIterable<readonly FactRow[]>,
): Promise<void> {
  const insert = database.prepare('INSERT INTO fact (run, chunk, kind, data) VALUES (?, ?, ?, ?)');
  for await (const rows of facts)
    for (const { chunk, kind, data } of rows) insert.run(run, chunk, kind, data);
}

/** A run that is not at its end needs a mark; it says what is on the disk. */
function markCopy({ database, marks }: LedgerParts, row: RunRow): void {
  flush(database);
  if (row.state === 'finished' || !marks) return;
  const facts = factCount(database, row.id);
  marks.begin({ run: row.id, facts, openedAt: row.opened_at, of: markedInput(row) });
}

/** Spares reading the settings of all runs as JSON. */
const MAY_BE_UNDO = `instr(settings, '"undoes"') > 0`;

/** How a ledger in a file is opened. */
interface FileOptions {
  /** Whether a thread of its own writes where there is much to write. */
  readonly thread: boolean;
  readonly busyMs?: number | undefined;
}

/** Opens the ledger in a file, or makes it. @throws LedgerError */
export function openFile(path: string, { thread, busyMs }: FileOptions): Store {
  const taken =
    path === IN_MEMORY
      ? { path, release: () => undefined }
      : guarded(path, () => takeLedgerFile(path));
  try {
    const database = guarded(taken.path, () => openAtHome(taken.path, busyMs));
    return storeOf(database, taken, thread);
  } catch (error) {
    taken.release();
    throw error;
  }
}

function storeOf(database: Database.Database, taken: LedgerFile, thread: boolean): Store {
  const file = taken.path;
  const locks = locksOf(file);
  const marks = file === IN_MEMORY ? null : marksBeside(file);
  const parts = { database, file, locks, marks };
  let recorder: Recorder | undefined;
  const recording = (): Recorder => (recorder ??= recorderOf(parts, thread));
  const ask = <T>(work: () => T): Promise<T> => settled(() => guarded(file, work));
  return {
    file,
    openRun: (request) => settled(() => openRun({ ...parts, recorder: recording() }, request)),
    holdRun: (run) => settled(() => heldRun(parts, run)),
    look: async (use, only) => {
      try {
        return await use(viewOf(parts, only && MAY_BE_UNDO));
      } catch (error) {
        throw asLedgerError(error, file);
      }
    },
    list: (ids) =>
      ask(() => ({
        rows: ids ? runRows(database, ids) : viewOf(parts).runs,
        isTaken: (run) => guarded(file, () => locks.isTaken(run)),
      })),
    find: (filter, offset, limit) =>
      ask(() => ({
        ...findRuns(parts, filter, offset, limit),
        isTaken: (run) => guarded(file, () => locks.isTaken(run)),
      })),
    hasUnfinished: (ids) => ask(() => hasUnfinished(database, ids)),
    row: (run) => ask(() => runRow(database, run)),
    chunk: ({ id }, chunk) => ask(() => factsOf(database, file, id, chunk)),
    chunkAfter: ({ id }, chunk) =>
      ask(() => numberedChunksOf(database, file, id, { after: chunk }).next().value ?? undefined),
    chunks: ({ id }) =>
      settled(() => (backwards) => numberedChunksOf(database, file, id, { backwards })),
    lastFact: ({ id }) => ask(() => lastFactOf(database, id)),
    rewrite: ({ id }, chunk, facts) => ask(() => rewriteFacts(database, id, chunk, facts)),
    scrub: () => ask(() => scrub(database, file)),
    forget: (choose) => ask(() => forget(parts, choose)),
    transfer: transferOfFile(parts),
    close: async () => {
      await recorder?.close();
      database.close();
      taken.release();
    },
  };
}

function recorderOf({ database, file, marks }: LedgerParts, thread: boolean): Recorder {
  const here = createInlineRecorder(database, file, marks);
  return thread ? createRelievedRecorder(here, () => createThreadRecorder(file)) : here;
}

function heldRun(parts: LedgerParts, run: string): HeldRun {
  const lock = holdRun(parts, run);
  return {
    mayBegin: () => lock.isHeld() || runTaken(run),
    release: () => settled(() => lock.release()),
  };
}

function forget(parts: LedgerParts, choose: (view: RunView) => string[]): string[] {
  const { database, marks } = parts;
  const forgetting = database.transaction(() => {
    const old = choose(viewOf(parts));
    forgetRuns(database, old);
    return old;
  });
  const old = forgetting.immediate();
  // What is not on record any more on purpose is not lost.
  for (const id of old) marks?.remove(id);
  if (old.length > 0) database.exec('VACUUM');
  return old;
}
