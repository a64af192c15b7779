import type Database from 'better-sqlite3';
import type { Fact } from '../core/facts.js';
import type { LedgerError } from '../core/errors.js';
import { asLedgerError } from './database.js';

/** Writes facts so that one flush to the disk serves all that were recorded in the same turn. */
export interface Recorder {
  record(run: string, chunk: number, facts: readonly Fact[]): Promise<void>;
}

interface Entry {
  readonly run: string;
  readonly chunk: number;
  readonly facts: readonly Fact[];
  readonly done: () => void;
  readonly failed: (error: LedgerError) => void;
}

/** Group commit: what waits when the turn ends goes into one transaction, and is acknowledged after it. */
export function createRecorder(database: Database.Database, file: string): Recorder {
  const insert = database.prepare('INSERT INTO fact (run, chunk, kind, data) VALUES (?, ?, ?, ?)');
  let waiting: Entry[] = [];
  let broken: LedgerError | undefined;

  const write = database.transaction((entries: readonly Entry[]) => {
    for (const { run, chunk, facts } of entries)
      for (const fact of facts) insert.run(run, chunk, fact.kind, dataOf(fact));
  });

  const flush = (): void => {
    const entries = waiting;
    waiting = [];
    try {
      write.immediate(entries);
    } catch (error) {
      // Nothing is recorded any more after a failed write: a gap in the facts would be worse than a stop.
      broken = asLedgerError(error, file);
      const reason = broken;
      entries.forEach((entry) => {
        entry.failed(reason);
      });
      return;
    }
    entries.forEach((entry) => {
      entry.done();
    });
  };

  return {
    record: (run, chunk, facts) =>
      new Promise((done, failed) => {
        if (broken) {
          failed(broken);
          return;
        }
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ run, chunk, facts, done, failed });
      }),
  };
}

function dataOf(fact: Fact): string {
  if (fact.kind === 'read') return fact.data;
  const { kind: _, ...data } = fact;
  return JSON.stringify(data);
}
