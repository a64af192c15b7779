import type Database from 'better-sqlite3';
import type { StoredFact } from './recorder.js';

/** Writes facts in one transaction: when it returns they are on the disk. */
export type WriteFacts = (facts: readonly StoredFact[]) => void;

export function writerOf(database: Database.Database): WriteFacts {
  const insert = database.prepare(
    'INSERT INTO fact (run, chunk, kind, data) VALUES (?, ?, ?, CAST(? AS TEXT))',
  );
  const write = database.transaction((facts: readonly StoredFact[]) => {
    for (const { run, chunk, kind, data } of facts) insert.run(run, chunk, kind, data);
  });
  return (facts) => {
    write.immediate(facts);
  };
}
