import type Database from 'better-sqlite3';
import { type MarkWriter, type RunMarks, markedInput } from '../mark.js';
import type { StoredFact } from './recorder.js';
import { ledgerGone, sameFile } from '../ledger-file.js';
import { refuseReopened } from '../runs/in-use.js';
import { factCount, runRow } from '../runs/run-table.js';

/** Writes facts in one transaction: when it returns they are on the disk. */
export interface FactWriter {
  readonly write: (facts: readonly StoredFact[]) => void;
  readonly close: () => void;
}

/** `runMarks`: marks of the runs, which are brought up to what has been written. */
export function writerOf(database: Database.Database, runMarks: RunMarks | null): FactWriter {
  const insert = database.prepare(
    'INSERT INTO fact (run, chunk, kind, data) VALUES (?, ?, ?, CAST(? AS TEXT))',
  );
  const isThere = sameFile(database.name);
  const insertAll = database.transaction((facts: readonly StoredFact[]) => {
    refuseOthers(database, facts);
    for (const { run, chunk, kind, data } of facts) insert.run(run, chunk, kind, data);
  });
  const marks = runMarks && advancing(database, runMarks);
  return {
    write: (facts) => {
      if (!isThere()) throw ledgerGone(database.name);
      insertAll.immediate(facts);
      marks?.advance(facts);
    },
    close: () => {
      marks?.close();
    },
  };
}

/**
 * A process whose lock somebody has removed may have lost its run to another one, and learns of it here at the latest.
 * @throws RunTakenError
 */
function refuseOthers(database: Database.Database, facts: readonly StoredFact[]): void {
  let seen: StoredFact | undefined;
  for (const fact of facts) {
    if (fact.openedAt === undefined) continue;
    if (fact.run !== seen?.run || fact.openedAt !== seen.openedAt)
      refuseReopened(database, fact.run, fact.openedAt);
    seen = fact;
  }
}

/** Brings the marks of the runs up to what has been written. */
function advancing(database: Database.Database, marks: RunMarks) {
  const open = new Map<string, { readonly mark: MarkWriter; facts: number }>();
  const begin = (run: string) => {
    const row = runRow(database, run);
    const of = markedInput(row ?? { inputs: '[]', content: '' });
    const mark = marks.open({ run, openedAt: row?.opened_at ?? 0, of });
    const begun = { mark, facts: factCount(database, run) };
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
