import { LedgerError } from '../../src/core/errors.js';
import { type Fact, type WaitingRows, reportRows, waitingIn } from '../../src/core/facts.js';
import type { RunLedger } from '../../src/core/ledger.js';
import type { RowReport } from '../../src/core/report.js';
import { mayHaveArrived } from '../../src/ledger/other-runs.js';
import type { Life } from './life.js';
import type { BrokenFlush } from './scenario.js';
import type { Timeline } from './timeline.js';

/** A disk that holds the facts of one run, and loses what was not flushed when the process dies. */
export interface Disk {
  /** The run's ledger, as a process sees it. */
  open(life: Life, campaign: boolean): RunLedger;
  /** What a power cut would leave of a chunk. */
  factsOf(chunk: number): readonly Fact[];
  /** The report of the run as it stands. */
  rows(campaign: boolean): RowReport[];
  /** Rows that are on record, and for which something is yet to be sent. */
  waiting(campaign: boolean): WaitingRows;
  /** The process died: of the writes on their way, the first `kept` had reached the disk all the same. */
  crash(kept: number): void;
  readonly counts: { flushes: number; broken: number; lost: number };
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
  timeline: Timeline,
  flushMs: () => number,
  brokenFlushes: readonly BrokenFlush[],
  onKept: (kept: readonly Kept[]) => void = () => undefined,
): Disk {
  const chunks = new Map<number, Fact[]>();
  const counts = { flushes: 0, broken: 0, lost: 0 };
  let queued: Write[] = [];
  let flushing: Write[] = [];
  let broken: LedgerError | undefined;

  const keep = (writes: readonly Write[]): void => {
    for (const { chunk, facts } of writes)
      chunks.set(chunk, [...(chunks.get(chunk) ?? []), ...facts]);
    onKept(writes);
  };

  /** What waits at the same time shares a flush; while one is on its way, others wait for the next. */
  const flush = (): void => {
    if (flushing.length > 0 || queued.length === 0) return;
    flushing = queued;
    queued = [];
    const writes = flushing;
    timeline.after(flushMs(), () => {
      if (flushing === writes) finish(writes);
    });
  };

  const finish = (writes: readonly Write[]): void => {
    counts.flushes++;
    const fault = brokenFlushes.find(({ flush: number }) => number === counts.flushes);
    flushing = [];
    if (!fault) {
      keep(writes);
      for (const { done } of writes) done();
      flush();
      return;
    }
    counts.broken++;
    if (fault.landed) keep(writes);
    broken = new LedgerError('The disk is full.');
    for (const { failed } of [...writes, ...queued]) failed(broken);
    queued = [];
  };

  const record = (life: Life, chunk: number, facts: readonly Fact[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const failed = (error: LedgerError): void => life.tell(() => reject(error));
      if (broken) {
        failed(broken);
        return;
      }
      const written = JSON.parse(JSON.stringify(facts)) as Fact[];
      queued.push({ chunk, facts: written, done: () => life.tell(resolve), failed });
      flush();
    });

  const factsOf = (chunk: number): readonly Fact[] => chunks.get(chunk) ?? [];
  const inOrder = (): Fact[][] =>
    [...chunks].toSorted(([a], [b]) => a - b).map(([, facts]) => facts);

  const rows = (campaign: boolean): RowReport[] => [...reportRows(inOrder(), campaign)];
  const waiting = (campaign: boolean): WaitingRows => waitingIn(inOrder(), campaign);
  return {
    counts,
    factsOf,
    rows,
    waiting,
    crash: (kept) => {
      const writes = [...flushing, ...queued];
      keep(writes.slice(0, kept));
      counts.lost += Math.max(0, writes.length - kept);
      flushing = [];
      queued = [];
    },
    open: (life, campaign) => {
      broken = undefined;
      // What cannot have reached anybody is forgotten, and the run begins anew.
      if (!inOrder().some(mayHaveArrived)) chunks.clear();
      const isContinued = chunks.size > 0;
      return {
        run: 'simulated',
        continued: isContinued,
        settlesAll: false,
        record: (chunk, facts) => life.call(() => record(life, chunk, facts)),
        factsOf: (chunk) => Promise.resolve(factsOf(chunk)),
        rows: () => Promise.resolve(rows(campaign)),
        waiting: () => Promise.resolve(waiting(campaign)),
        end: () => Promise.resolve(),
      };
    },
  };
}
