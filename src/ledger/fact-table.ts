import type Database from 'better-sqlite3';
import type { Fact } from '../core/facts.js';
import { asLedgerError } from './database.js';

interface FactRow {
  readonly chunk: number;
  readonly kind: string;
  readonly data: string;
}

/** @throws LedgerError when the file is damaged or the disk fails. */
export function factsOf(
  database: Database.Database,
  file: string,
  run: string,
  chunk: number,
): Fact[] {
  return guarded(file, () =>
    database
      .prepare<[string, number], FactRow>(
        'SELECT chunk, kind, data FROM fact WHERE run = ? AND chunk = ? ORDER BY id',
      )
      .all(run, chunk)
      .map(factOf),
  );
}

/** The facts of each chunk, in the order of the chunks. @throws LedgerError */
export function* chunksOf(
  database: Database.Database,
  file: string,
  run: string,
): Generator<Fact[], void, undefined> {
  for (const [, facts] of numberedChunksOf(database, file, run)) yield facts;
}

/** The same with the number of each chunk; `backwards`: the last chunk first. @throws LedgerError */
export function* numberedChunksOf(
  database: Database.Database,
  file: string,
  run: string,
  backwards = false,
): Generator<[number: number, facts: Fact[]], void, undefined> {
  try {
    const rows = database
      .prepare<[string], FactRow>(
        `SELECT chunk, kind, data FROM fact WHERE run = ? ORDER BY chunk ${backwards ? 'DESC' : ''}, id`,
      )
      .iterate(run);
    let chunk: [number: number, facts: Fact[]] | undefined;
    for (const row of rows) {
      if (row.chunk !== chunk?.[0]) {
        if (chunk) yield chunk;
        chunk = [row.chunk, []];
      }
      chunk[1].push(factOf(row));
    }
    if (chunk) yield chunk;
  } catch (error) {
    throw asLedgerError(error, file);
  }
}

/** Turns whatever a damaged file or a failing disk brings into a LedgerError. */
export function guarded<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asLedgerError(error, file);
  }
}

/** Written by us: its shape is not checked again. */
function factOf({ kind, data }: FactRow): Fact {
  if (kind === 'read') return { kind, data };
  return { kind, ...(JSON.parse(data) as object) } as Fact;
}
