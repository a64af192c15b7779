import type Database from 'better-sqlite3';
import { type CardlineError, LostFactsError } from '../core/errors.js';
import type { RunIdentity } from '../core/ledger.js';
import { ledgerCommand, printable } from '../core/text.js';
import { type Moment, momentNow } from '../core/time.js';
import { mayHaveArrived } from './other-runs.js';
import {
  createInlineRecorder,
  createRelievedRecorder,
  createThreadRecorder,
  type Recorder,
} from './recorder.js';
import {
  asLedgerError,
  changeRow,
  factsOf,
  flush,
  forgetRuns,
  guarded,
  IN_MEMORY,
  insertRow,
  insertWhole,
  isBusy,
  type Known,
  knownOf,
  lastFactOf,
  numberedChunksOf,
  openAtHome,
  refuseReopened,
  rewriteFacts,
  runHeads,
  runRow,
  runRows,
  scrub,
  storedChunksOf,
} from './sqlite.js';
import {
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
  type Choosing,
  endColumns,
  type FactRow,
  type Held,
  inUse,
  isAtEnd,
  type Planned,
  refuseTaken,
  type RunRow,
  runTaken,
  type RunView,
  settled,
  type Store,
  type Write,
} from './store.js';

/** The ledger's database, the name of its file for messages, who works on its runs, and how far they had come. */
export interface LedgerFile {
  readonly database: Database.Database;
  readonly file: string;
  readonly locks: RunLocks;
  /** `null`: the ledger ends with the process, and has nothing to lose. */
  readonly marks: RunMarks | null;
  /** What writes facts; asked for where there are any. */
  readonly recorder: () => Recorder;
}

/**
 * Compares what the ledger knows of each run with the marks beside it. A mark that is fulfilled, of a run at its end, is
 * removed.
 * @throws LostFactsError when the ledger knows less than was on the disk once
 */
function refuseLostFacts(ledger: LedgerFile, but: string | undefined): void {
  for (const mark of ledger.marks?.all() ?? []) {
    if (mark.run === but || ledger.locks.isTaken(mark.run)) continue;
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

/** Facts of a run are gone, or nothing shows that they are not. */
function lossOf(ledger: LedgerFile, run: RunRow): LostFactsError | undefined {
  const unmarked = withoutMark(ledger, run);
  if (unmarked) return unmarked;
  // Rows of which nothing is on record may have been sent.
  if (run.settles_all === 1 && !isAtEnd(run))
    return new LostFactsError(
      `Run ${run.id} lost facts, and not all of its rows have been looked up since. Let "${ledgerCommand(ledger.file, 'resume', run.id)}" bring it to its end first.`,
    );
  const mark = ledger.marks?.of(run.id);
  const known = knownOf(ledger.database, run.id);
  const isLost = mark !== undefined && known !== undefined && isBehind(known, mark);
  return isLost ? lostEnd(ledger.file, mark, known.facts) : undefined;
}

/**
 * Removes the marks of runs that the ledger has forgotten and that were of these inputs: an import of them looks every
 * row up. Those of other inputs stay, since nobody has looked at what became of these.
 */
function settleForgotten({ marks, locks, ...ledger }: LedgerFile, identity: RunIdentity): void {
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

/**
 * The process of a run died, and the mark that shows how far it had come is not there. Runs of earlier versions had no
 * marks, and one that ended by itself needs none.
 */
function withoutMark(
  { marks, file }: LedgerFile,
  { id, state, opened_at }: RunRow,
): LostFactsError | undefined {
  if (state !== null || opened_at === 0 || marks === null || marks.of(id)) return undefined;
  return new LostFactsError(
    `The process of run ${id} died, and ${file}.${id}.mark, which tells how much of it should be in the ledger, is not there. Was the ledger copied alone? Bring ${file}-wal and the mark along, or let "${ledgerCommand(file, 'resume', id, '--settle-all')}" look every open row up before it sends anything.`,
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
 * A ledger in a file as it is now; for as long as a transaction keeps others from changing it. `begun`: when the command
 * began that asks.
 */
function viewOf(ledger: LedgerFile, only?: 'undos', begun?: Moment): RunView {
  const { database, file, locks } = ledger;
  return {
    ledger: file,
    runs: runRows(database, only),
    isTaken: (run) => locks.isTaken(run),
    isAtWork: (run) => locks.isTaken(run),
    wasFreedMeanwhile: ({ ended_at: at }) =>
      // What seems to be yet to come was written before the clock was set.
      begun !== undefined && at !== null && at > begun.wall && at <= momentNow().wall,
    // Machines share runs of a database alone.
    refuseShared: () => undefined,
    leavesNothing: ({ id }) => {
      for (const [, facts] of numberedChunksOf(database, file, id))
        if (mayHaveArrived(facts)) return false;
      return true;
    },
    lossOf: (run) => lossOf(ledger, run),
    unmarked: (run) => withoutMark(ledger, run),
    refuseLostFacts: (but) => refuseLostFacts(ledger, but),
  };
}

/** Chooses and writes in one step that no other process can come between. */
function decide<T>(
  parts: LedgerFile,
  choose: (view: RunView) => Planned<T>,
  { begun, waits }: Choosing,
): { readonly result: T; readonly held: Held | undefined } {
  let taken: Taken | undefined;
  const choosing = parts.database.transaction(() => {
    const planned = choose(viewOf(parts, undefined, begun));
    for (const write of planned.writes)
      if (write.kind === 'take') taken = { id: write.run, lock: take(parts, write.run) };
      else apply(parts, write);
    return planned;
  });
  try {
    const { result, writes } = choosing.immediate();
    for (const write of writes) afterwards(parts, write);
    const opens = writes.some(({ kind }) => kind === 'begin' || kind === 'reopen');
    return { result, held: taken && heldBy(parts, taken, opens) };
  } catch (error) {
    // A transaction that could not be written, or a mark, must not leave the run locked.
    taken?.lock.release();
    if (isBusy(error) && waits) refuseWriting(parts, choose, begun);
    throw error;
  }
}

interface Taken {
  readonly id: string;
  readonly lock: RunLock;
}

function take({ database, locks }: LedgerFile, id: string): RunLock {
  const lock = locks.take(id);
  if (!lock) throw inUse(runRow(database, id) ?? { id, worker: null });
  return lock;
}

function apply({ database, marks }: LedgerFile, write: Exclude<Write, { kind: 'take' }>): void {
  // So that a process that dies right after the transaction leaves a mark. A run whose mark is missing keeps lacking it
  // until what is not on record is looked up.
  const announce = (id: string): void => {
    if (runRow(database, id)?.state !== null) marks?.announce(id);
  };
  switch (write.kind) {
    case 'begin':
      announce(write.row.id);
      forgetRuns(database, [write.row.id]);
      insertRow(database, write.row);
      return;
    case 'reopen':
      announce(write.run.id);
      changeRow(database, write.run.id, write.columns);
      return;
    case 'change':
      changeRow(database, write.run, write.columns);
      return;
    case 'forget':
      forgetRuns(database, write.runs);
  }
}

/** What is done once a transaction is on the disk. */
function afterwards(parts: LedgerFile, write: Write): void {
  const { database, marks } = parts;
  switch (write.kind) {
    case 'begin':
    case 'reopen':
      // Before anything is sent: from here on, a ledger that lost its end is noticed.
      if (marks) markNow(parts, marks, write.kind === 'begin' ? write.row.id : write.run.id);
      if (write.settles) settleForgotten(parts, write.settles);
      return;
    case 'forget':
      // What is not on record any more on purpose is not lost.
      for (const id of write.runs) marks?.remove(id);
      if (write.runs.length > 0) database.exec('VACUUM');
  }
}

/** Says in the mark of a run what is on the disk. */
function markNow({ database }: LedgerFile, marks: RunMarks, id: string): void {
  const row = rowOf(database, id);
  const facts = knownOf(database, id)?.facts ?? 0;
  marks.begin({ run: id, facts, openedAt: row.opened_at, of: markedInput(row) });
  // The run itself is in the file, and not in its log alone, so that a copy of the file has it.
  flush(database);
}

/**
 * A process that is paused while it writes keeps all others from writing: whoever has waited for it is told the run.
 * @throws LedgerInUseError when the run that would be taken is the one that is at work
 */
function refuseWriting(
  parts: LedgerFile,
  choose: (view: RunView) => Planned<unknown>,
  begun: Moment | undefined,
): void {
  const view = viewOf(parts, undefined, begun);
  const take = choose(view).writes.find((write) => write.kind === 'take');
  const run = view.runs.find(({ id }) => id === take?.run);
  if (run) refuseTaken(view, run);
}

function rowOf(database: Database.Database, id: string): RunRow {
  const row = runRow(database, id);
  if (!row) throw new Error(`Run ${id} is not on record.`);
  return row;
}

/** `opens`: whether this process works on the run, so that a mark goes with it. */
function heldBy(parts: LedgerFile, { id, lock }: Taken, opens: boolean): Held {
  const { database, file, marks } = parts;
  const row = runRow(database, id);
  const isThere = sameFile(file);
  const lost = (): CardlineError | undefined => {
    if (!isThere()) return ledgerGone(file);
    return lock.isHeld() ? undefined : runTaken(id);
  };
  const change = (columns: Partial<RunRow>): Promise<void> =>
    settled(() =>
      guarded(file, () => {
        if (!isThere()) throw ledgerGone(file);
        const changing = database.transaction(() => {
          if (row) refuseReopened(database, id, row.opened_at);
          changeRow(database, id, columns);
        });
        changing.immediate();
      }),
    );
  return {
    row,
    shared: undefined,
    mayBegin: () => lost() ?? true,
    confirm: () =>
      settled(() => {
        const error = lost();
        if (error) throw error;
      }),
    record: (chunk, facts) => parts.recorder().record(id, chunk, facts, row?.opened_at),
    change,
    end: (end) => change(endColumns(end)),
    release: () =>
      settled(() => {
        if (opens && marks) markEnd(parts, marks, id);
        lock.release();
      }),
  };
}

/** A run that ended by itself, and that is whole in the file, needs no mark any more. */
function markEnd({ database }: LedgerFile, marks: RunMarks, id: string): void {
  try {
    if (rowOf(database, id).state !== null && flush(database)) marks.remove(id);
  } catch {
    // The mark stays, and is compared with the ledger when it is opened next.
  }
}

async function* storedChunks(
  { database, file }: LedgerFile,
  run: string,
): AsyncGenerator<readonly FactRow[], void, undefined> {
  for (const rows of storedChunksOf(database, file, run)) {
    yield rows;
    // Reading the ledger holds up everything else; others have their turn in between.
    await new Promise(setImmediate);
  }
}

/** Opens the ledger in a file, or makes it. @throws LedgerError */
export function openFile(
  path: string,
  { thread, busyMs }: { readonly thread: boolean; readonly busyMs?: number | undefined },
): Store {
  const taken =
    path === IN_MEMORY
      ? { path, release: () => undefined }
      : guarded(path, () => takeLedgerFile(path));
  try {
    const { path: file } = taken;
    const database = guarded(file, () => openAtHome(file, busyMs));
    const marks = file === IN_MEMORY ? null : marksBeside(file);
    let recorder: Recorder | undefined;
    const store = storeOn({
      ...{ database, file, marks, locks: locksOf(file) },
      recorder: () => (recorder ??= recorderOf(database, file, marks, thread)),
    });
    return {
      ...store,
      close: async () => {
        await recorder?.close();
        database.close();
        taken.release();
      },
    };
  } catch (error) {
    taken.release();
    throw error;
  }
}

/** What is done with an open database; closing it is left to whoever opened it. */
export function storeOn(parts: LedgerFile): Store {
  const { database, file, locks } = parts;
  const ask = <T>(work: () => T): Promise<T> => settled(() => guarded(file, work));
  const isTaken = (run: string): boolean => guarded(file, () => locks.isTaken(run));
  return {
    file,
    decide: (choose, choosing = {}) => ask(() => decide(parts, choose, choosing)),
    look: async (use, only) => {
      try {
        return await use(viewOf(parts, only));
      } catch (error) {
        throw asLedgerError(error, file);
      }
    },
    list: (ids) => ask(() => ({ rows: runRows(database, ids), isTaken })),
    heads: (filter, page) => ask(() => ({ ...runHeads(database, filter, page), isTaken })),
    row: (run) => ask(() => runRow(database, run)),
    chunk: ({ id }, chunk) => ask(() => factsOf(database, id, chunk)),
    chunks: ({ id }) =>
      settled(() => (backwards) => numberedChunksOf(database, file, id, backwards)),
    stored: ({ id }) => storedChunks(parts, id),
    lastFact: ({ id }) => ask(() => lastFactOf(database, id)),
    rewrite: ({ id }, chunk, facts) => ask(() => rewriteFacts(database, id, chunk, facts)),
    scrub: () => ask(() => scrub(database, file)),
    receive: async (run, check) => {
      const { id, state } = run.row;
      const stored = () => ({ row: rowOf(database, id), facts: () => storedChunks(parts, id) });
      await insertWhole(database, run, () => check(stored())).catch((error: unknown) => {
        throw asLedgerError(error, file);
      });
      // One that is not at its end needs a mark.
      if (state !== 'finished' && parts.marks) markNow(parts, parts.marks, id);
      else flush(database);
    },
    close: () => Promise.resolve(),
  };
}

function recorderOf(
  database: Database.Database,
  file: string,
  marks: RunMarks | null,
  thread: boolean,
): Recorder {
  const here = createInlineRecorder(database, file, marks);
  return thread ? createRelievedRecorder(here, () => createThreadRecorder(file)) : here;
}
