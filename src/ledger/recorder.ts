import type Database from 'better-sqlite3';
import { Worker } from 'node:worker_threads';
import { type CardlineError, LedgerError } from '../core/errors.js';
import type { Fact } from '../core/facts.js';
import { asLedgerError, factInserter, knownOf, runRow } from './sqlite.js';
import {
  ledgerGone,
  markedInput,
  type MarkWriter,
  type RunMarks,
  sameFile,
} from './sqlite-files.js';
import { type StoredFact, storedFacts } from './store.js';

/** Writes facts, all of a call or none. Everything that waits at the same time shares one flush to the disk. */
export interface Recorder {
  /**
   * Resolves when the facts are on the disk.
   * @param openedAt when the run was opened, as the ledger has it: nothing is recorded for one that is another's by now
   * @throws LedgerError; then nothing is recorded any more, since a gap in the facts would be worse than a stop.
   */
  record(run: string, chunk: number, facts: readonly Fact[], openedAt?: number): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly facts: readonly StoredFact[];
  readonly counted: number;
  readonly done: () => void;
  readonly failed: (error: CardlineError) => void;
}

/** Facts that are written together at most: each may be of some 100 KiB. */
const MAX_FACTS = 1000;

/** Facts that wait to be written. */
interface FactQueue {
  /**
   * Resolves when the facts are on the disk.
   * @throws LedgerError; then nothing is recorded any more, since a gap in the facts would be worse than a stop.
   */
  add(facts: readonly StoredFact[], counted?: number): Promise<void>;
  /** Resolves when nothing is on its way. */
  idle(): Promise<void>;
}

/**
 * Writes facts one time after the other: what comes in one turn, or meanwhile, goes together into the next write. Facts of
 * one call are written together, or none of them.
 */
export function factQueue(
  write: (facts: readonly StoredFact[], counted: number) => void | Promise<void>,
  asError: (error: unknown) => CardlineError,
  turn: () => Promise<unknown>,
): FactQueue {
  const waiting: Waiting[] = [];
  let broken: CardlineError | undefined;
  let writing: Promise<void> | undefined;
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      await turn();
      let length = 0;
      const end = waiting.findIndex(({ facts }) => (length += facts.length) > MAX_FACTS);
      const all = waiting.splice(0, end < 0 ? waiting.length : Math.max(1, end));
      try {
        if (broken) throw broken;
        const counted = all.reduce((sum, one) => sum + one.counted, 0);
        await write(
          all.flatMap(({ facts }) => facts),
          counted,
        );
        for (const { done } of all) done();
      } catch (error) {
        broken ??= asError(error);
        for (const { failed } of all) failed(broken);
      }
    }
    writing = undefined;
  };
  return {
    add: (facts, counted = 0) =>
      new Promise((done, failed) => {
        waiting.push({ facts, counted, done, failed });
        writing ??= writeAll();
      }),
    idle: async () => writing,
  };
}

/** Writes facts in one transaction: when it returns they are on the disk. */
export interface FactWriter {
  readonly write: (facts: readonly StoredFact[]) => void;
  readonly close: () => void;
}

/** `runMarks`: marks of the runs, which are brought up to what has been written. */
export function writerOf(database: Database.Database, runMarks: RunMarks | null): FactWriter {
  const insertAll = factInserter(database);
  const isThere = sameFile(database.name);
  const marks = runMarks && advancing(database, runMarks);
  return {
    write: (facts) => {
      if (!isThere()) throw ledgerGone(database.name);
      insertAll(facts);
      marks?.advance(facts);
    },
    close: () => {
      marks?.close();
    },
  };
}

function advancing(database: Database.Database, marks: RunMarks) {
  const open = new Map<string, { readonly mark: MarkWriter; facts: number }>();
  const begin = (run: string) => {
    const of = markedInput(runRow(database, run) ?? { inputs: '[]', content: '' });
    const { opened: openedAt = 0, facts = 0 } = knownOf(database, run) ?? {};
    const begun = { mark: marks.open({ run, openedAt, of }), facts };
    open.set(run, begun);
    return begun;
  };
  return {
    advance: (written: readonly StoredFact[]): void => {
      const counts = new Map<string, number>();
      for (const { run } of written) counts.set(run, (counts.get(run) ?? 0) + 1);
      for (const [run, count] of counts) {
        const known = open.get(run);
        // What was just written is in the count already.
        const { mark, facts } = known ?? begin(run);
        const now = known ? (known.facts += count) : facts;
        mark.write(now);
      }
    },
    close: (): void => {
      for (const { mark } of open.values()) mark.close();
    },
  };
}

/** Records in this thread, at the end of each turn. For what is recorded first, and for a ledger in memory. */
export function createInlineRecorder(
  database: Database.Database,
  file: string,
  marks: RunMarks | null,
): Recorder {
  const writer = writerOf(database, marks);
  const queue = factQueue(
    (facts) => writer.write(facts),
    (error) => asLedgerError(error, file),
    () => new Promise(setImmediate),
  );
  return {
    record: (run, chunk, facts, openedAt) => queue.add(storedFacts(run, chunk, facts, openedAt)),
    close: () => {
      writer.close();
      return Promise.resolve();
    },
  };
}

/** A recorder that takes its time to begin. */
interface SlowStarter extends Recorder {
  /** Resolves when it records at once what it is given, or shows at once that it cannot. */
  readonly started: Promise<void>;
}

/** A run that records less, three times a batch, is over before a thread is of use: one takes 0.15 s of processor time. */
const RECORDS_HERE = 40;

/**
 * Records `here` at first, so that the first request does not wait for a thread to start, and small runs need none.
 * Where there is more to record, `relief` is called for it, and takes over once it has started.
 */
export function createRelievedRecorder(here: Recorder, relief: () => SlowStarter): Recorder {
  let thread: SlowStarter | undefined;
  let [hasStarted, recorded, underWay, failed] = [false, 0, 0, false];

  const call = (): void => {
    thread = relief();
    void thread.started.then(() => (hasStarted = true));
  };
  const recordHere = async (...given: Parameters<Recorder['record']>): Promise<void> => {
    underWay++;
    try {
      await here.record(...given);
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      underWay--;
    }
    if (++recorded === RECORDS_HERE) call();
  };

  return {
    record: (...given) =>
      // Facts stay in order: nothing is handed over while something is being recorded here. Nor after a failure.
      thread && hasStarted && underWay === 0 && !failed
        ? thread.record(...given)
        : recordHere(...given),
    close: async () => {
      await here.close();
      await thread?.close();
    },
  };
}

/** Facts to be written together; `number` is that of the last call that they belong to. */
export interface RecordMessage {
  readonly number: number;
  readonly facts: readonly StoredFact[];
}

/** First that the thread has started; then: the facts of every call up to this number are on the disk, or none can be written. */
export type RecordAnswer =
  'started' | { readonly written: number } | { readonly error: RecordError };

/** What is left of an error between threads. */
export type RecordError = Pick<CardlineError, 'message' | 'saysHowToContinue'>;

/**
 * Records in a thread of its own: a disk that takes its time to flush does not keep the thread that sends from
 * sending.
 */
export function createThreadRecorder(file: string): SlowStarter {
  const worker = new Worker(new URL('./recorder-worker.js', import.meta.url), { workerData: file });
  // From the start: a thread that has died does not tell so again.
  const exited = happened(worker, 'exit');
  // One that died while it started says nothing, and cannot record.
  const started = Promise.race([happened(worker, 'message'), exited]);
  const waiting = new Map<number, Pick<Waiting, 'done' | 'failed'>>();
  let unsent: StoredFact[] = [];
  let broken: CardlineError | undefined;
  let next = 0;

  // What is recorded in one turn goes in one message: each wakes the thread.
  const send = (): void => {
    if (unsent.length === 0) return;
    const message: RecordMessage = { number: next - 1, facts: unsent };
    unsent = [];
    worker.postMessage(message);
  };
  const fail = (error: CardlineError): void => {
    broken ??= error;
    for (const { failed } of waiting.values()) failed(broken);
    waiting.clear();
  };
  const acknowledge = (written: number): void => {
    // Numbers are given in ascending order, and a map keeps the order of insertion.
    for (const [number, { done }] of waiting) {
      if (number > written) return;
      waiting.delete(number);
      done();
    }
  };
  worker.on('message', (answer: RecordAnswer) => {
    if (answer === 'started') return;
    if ('written' in answer) acknowledge(answer.written);
    else fail(new LedgerError(answer.error.message, answer.error));
  });
  worker.on('error', (error) => {
    fail(new LedgerError(`The ledger ${file}: writing failed.`, { cause: error }));
  });

  return {
    started,
    record: (run, chunk, facts, openedAt) =>
      new Promise((done, failed) => {
        if (broken) {
          failed(broken);
          return;
        }
        if (unsent.length === 0) process.nextTick(send);
        unsent.push(...storedFacts(run, chunk, facts, openedAt));
        waiting.set(next++, { done, failed });
      }),
    close: async () => {
      send();
      worker.postMessage('close');
      await exited;
    },
  };
}

function happened(worker: Worker, event: 'exit' | 'message'): Promise<void> {
  return new Promise((resolve) => {
    worker.once(event, () => {
      resolve();
    });
  });
}
