import { LedgerError } from '../../src/core/errors.js';
import type { Fact } from '../../src/core/facts.js';
import { reportChunk, waitingIn } from '../../src/core/fold.js';
import type { RunLedger } from '../../src/core/ledger.js';
import type { Life } from './life.js';
import type { BrokenFlush } from './scenario.js';
import type { Timeline } from './timeline.js';

/** A disk that holds the facts of one run, and loses what was not flushed when the process dies. */
export interface Disk {
  /** The run's ledger, as a process sees it. */
  open(life: Life, campaign: boolean): RunLedger;
  /** What a power cut would leave of a chunk. */
  factsOf(chunk: number): readonly Fact[];
  /** The process died: of the writes on their way, the first `kept` had reached the disk all the same. */
  crash(kept: number): void;
  readonly counts: { flushes: number; broken: number; lost: number };
}

interface Write {
  readonly chunk: number;
  readonly facts: readonly Fact[];
  readonly done: () => void;
  readonly failed: (error: LedgerError) => void;
}

export function createDisk(
  timeline: Timeline,
  flushMs: () => number,
  brokenFlushes: readonly BrokenFlush[],
): Disk {
  const chunks = new Map<number, Fact[]>();
  const counts = { flushes: 0, broken: 0, lost: 0 };
  let waiting: Write[] = [];
  let flushing: Write[] = [];
  let broken: LedgerError | undefined;

  const keep = (writes: readonly Write[]): void => {
    for (const { chunk, facts } of writes)
      chunks.set(chunk, [...(chunks.get(chunk) ?? []), ...facts]);
  };

  /** What waits at the same time shares a flush; while one is on its way, others wait for the next. */
  const flush = (): void => {
    if (flushing.length > 0 || waiting.length === 0) return;
    flushing = waiting;
    waiting = [];
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
    for (const { failed } of [...writes, ...waiting]) failed(broken);
    waiting = [];
  };

  const record = (life: Life, chunk: number, facts: readonly Fact[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const failed = (error: LedgerError): void => life.tell(() => reject(error));
      if (broken) {
        failed(broken);
        return;
      }
      const written = JSON.parse(JSON.stringify(facts)) as Fact[];
      waiting.push({ chunk, facts: written, done: () => life.tell(resolve), failed });
      flush();
    });

  const factsOf = (chunk: number): readonly Fact[] => chunks.get(chunk) ?? [];
  const inOrder = (): Fact[][] =>
    [...chunks].toSorted(([a], [b]) => a - b).map(([, facts]) => facts);

  return {
    counts,
    factsOf,
    crash: (kept) => {
      const writes = [...flushing, ...waiting];
      keep(writes.slice(0, kept));
      counts.lost += Math.max(0, writes.length - kept);
      flushing = [];
      waiting = [];
    },
    open: (life, campaign) => {
      broken = undefined;
      const isContinued = chunks.size > 0;
      return {
        run: 'simulated',
        continued: isContinued,
        record: (chunk, facts) => life.call(() => record(life, chunk, facts)),
        factsOf,
        rows: () => inOrder().flatMap((facts) => reportChunk(facts, campaign)),
        waiting: () => inOrder().reduce((sum, facts) => sum + waitingIn(facts), 0),
        end: () => undefined,
      };
    },
  };
}
