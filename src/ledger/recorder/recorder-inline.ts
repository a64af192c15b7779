import type Database from 'better-sqlite3';
import type { CardlineError } from '../../core/errors.js';
import { asLedgerError } from '../database.js';
import type { RunMarks } from '../mark.js';
import { type Recorder, type Waiting, storedFacts } from './recorder.js';
import { writerOf } from './write-facts.js';

/** Records in this thread, at the end of each turn. For what is recorded first, and for a ledger in memory. */
export function createInlineRecorder(
  database: Database.Database,
  file: string,
  marks: RunMarks | null,
): Recorder {
  const writer = writerOf(database, marks);
  let waiting: Waiting[] = [];
  let broken: CardlineError | undefined;

  const flush = (): void => {
    const all = waiting;
    waiting = [];
    try {
      writer.write(all.flatMap(({ facts }) => facts));
      for (const { done } of all) done();
    } catch (error) {
      broken = asLedgerError(error, file);
      for (const { failed } of all) failed(broken);
    }
  };

  return {
    record: (run, chunk, facts, openedAt) =>
      new Promise((done, failed) => {
        if (broken) {
          failed(broken);
          return;
        }
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ facts: storedFacts(run, chunk, facts, openedAt), done, failed });
      }),
    close: () => {
      writer.close();
      return Promise.resolve();
    },
  };
}
