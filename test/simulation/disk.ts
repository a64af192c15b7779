import { LedgerError } from '../../src/core/errors.js';
import { type Fact, type WaitingRows, reportRows, waitingIn } from '../../src/core/facts.js';
import type { RunLedger } from '../../src/core/ledger.js';
import type { RowReport } from '../../src/core/report.js';
import { mayHaveArrived } from '../../src/ledger/other-runs.js';
import { type StoredFact, factOf } from '../../src/ledger/store.js';
import type { Life } from './life.js';
import type { BrokenFlush } from './scenario.js';
import type { Timeline } from './timeline.js';
import type { Common } from './world.js';

/** The facts of one run. */
export class FactTable {
  readonly #chunks = new Map<number, Fact[]>();

  factsOf = (chunk: number): readonly Fact[] => this.#chunks.get(chunk) ?? [];
  all = (): Fact[][] => [...this.#chunks].toSorted(([a], [b]) => a - b).map(([, facts]) => facts);
  /** The report of the run as it stands. */
  rows = (campaign: boolean): RowReport[] => [...reportRows(this.all(), campaign)];
  /** Rows that are on record, and for which something is yet to be sent. */
  waiting = (campaign: boolean): WaitingRows => waitingIn(this.all(), campaign);
  /** Whether a request may have reached anybody. */
  mayHaveArrived = (): boolean => this.all().some(mayHaveArrived);

  append(chunk: number, facts: readonly Fact[]): void {
    this.#chunks.set(chunk, [...this.factsOf(chunk), ...facts]);
  }

  /** A fact as it is written; gives it as it is read. */
  store({ chunk, kind, data }: StoredFact): Fact {
    const text = typeof data === 'string' ? data : Buffer.from(data).toString();
    const fact = factOf({ chunk, kind, data: text });
    this.append(chunk, [fact]);
    return fact;
  }

  clear(): void {
    this.#chunks.clear();
  }
}

/** Brings what waits to a disk. */
interface Flusher<Write> {
  put(write: Write): void;
  /** Takes back what has not reached the disk. */
  takeBack(): Write[];
}

/** What waits at the same time shares a flush; while one is on its way, others wait for the next. */
export function createFlusher<Write>(
  timeline: Timeline,
  flushMs: () => number,
  land: (writes: readonly Write[]) => void,
): Flusher<Write> {
  let queued: Write[] = [];
  let flushing: Write[] = [];
  const flush = (): void => {
    if (flushing.length > 0 || queued.length === 0) return;
    flushing = queued;
    queued = [];
    const writes = flushing;
    timeline.after(flushMs(), () => {
      if (flushing !== writes) return;
      flushing = [];
      land(writes);
      flush();
    });
  };
  return {
    put: (write) => {
      queued.push(write);
      flush();
    },
    takeBack: () => {
      const writes = [...flushing, ...queued];
      flushing = [];
      queued = [];
      return writes;
    },
  };
}

/** A disk that holds the facts of one run, and loses what was not flushed when the process dies. */
export interface Disk extends Pick<FactTable, 'factsOf' | 'rows' | 'waiting'> {
  /** The run's ledger, as a process sees it. */
  open(life: Life, campaign: boolean): RunLedger;
  /** The process died: of the writes on their way, the first `kept` had reached the disk all the same. */
  crash(kept: number): void;
}

/** Facts of a chunk that have reached the disk. */
export interface Kept {
  readonly chunk: number;
  readonly facts: readonly Fact[];
}

interface Write extends Kept {
  readonly done: () => void;
  readonly failed: (error: LedgerError) => void;
}

export function createDisk(
  { timeline, counts }: Common,
  flushMs: () => number,
  brokenFlushes: readonly BrokenFlush[],
  onKept: (kept: readonly Kept[]) => void,
): Disk {
  const table = new FactTable();
  const { factsOf, rows, waiting } = table;
  let flushes = 0;
  let broken: LedgerError | undefined;

  const keep = (writes: readonly Write[]): void => {
    for (const { chunk, facts } of writes) table.append(chunk, facts);
    onKept(writes);
  };
  const flusher = createFlusher<Write>(timeline, flushMs, (writes) => {
    flushes++;
    const fault = brokenFlushes.find(({ flush }) => flush === flushes);
    if (!fault) {
      keep(writes);
      for (const { done } of writes) done();
      return;
    }
    counts.add('broken flushes');
    if (fault.landed) keep(writes);
    broken = new LedgerError('The disk is full.');
    for (const { failed } of [...writes, ...flusher.takeBack()]) failed(broken);
  });
  const record = (life: Life, chunk: number, facts: readonly Fact[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const failed = (error: LedgerError): void => life.tell(() => reject(error));
      const written = JSON.parse(JSON.stringify(facts)) as Fact[];
      if (broken) failed(broken);
      else flusher.put({ chunk, facts: written, done: () => life.tell(resolve), failed });
    });

  return {
    ...{ factsOf, rows, waiting },
    crash: (kept) => {
      const writes = flusher.takeBack();
      keep(writes.slice(0, kept));
      counts.add('lost writes', Math.max(0, writes.length - kept));
    },
    open: (life, campaign) => {
      broken = undefined;
      // What cannot have reached anybody is forgotten, and the run begins anew.
      if (!table.mayHaveArrived()) table.clear();
      return ledgerOn(table, campaign, {
        continued: table.all().length > 0,
        record: (chunk, facts) => life.call(() => record(life, chunk, facts)),
      });
    },
  };
}

/** The ledger of the one run, of which some things are particular. */
export function ledgerOn(
  table: FactTable,
  campaign: boolean,
  particular: Pick<RunLedger, 'continued' | 'record'> & Partial<RunLedger>,
): RunLedger {
  return {
    ...{ run: 'simulated', settlesAll: false },
    factsOf: (chunk) => Promise.resolve(table.factsOf(chunk)),
    rows: () => Promise.resolve(table.rows(campaign)),
    waiting: () => Promise.resolve(table.waiting(campaign)),
    end: () => Promise.resolve(),
    ...particular,
  };
}
