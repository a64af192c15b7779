import type Database from 'better-sqlite3';
import type { Fact } from '../core/facts.js';
import { asLedgerError } from './database.js';

export interface FactRow {
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
  for (const rows of storedChunksOf(database, file, run, backwards)) {
    const [first] = rows;
    if (first) yield [first.chunk, guarded(file, () => rows.map(factOf))];
  }
}

/**
 * The facts of each chunk as they are stored. Between two chunks nothing is open, so that others can be written by the
 * same connection while these are read.
 * @throws LedgerError
 */
export function* storedChunksOf(
  database: Database.Database,
  file: string,
  run: string,
  backwards = false,
): Generator<FactRow[], void, undefined> {
  const next = backwards ? 'max(chunk)' : 'min(chunk)';
  const after = backwards ? '<' : '>';
  const select = guarded(file, () =>
    database.prepare<[string, string, number], FactRow>(
      `SELECT chunk, kind, data FROM fact WHERE run = ? AND chunk = (
         SELECT ${next} FROM fact WHERE run = ? AND chunk ${after} ?
       ) ORDER BY id`,
    ),
  );
  for (let at = backwards ? Number.MAX_SAFE_INTEGER : -1; ;) {
    const rows = guarded(file, () => select.all(run, run, at));
    const chunk = rows[0]?.chunk;
    if (chunk === undefined) return;
    yield rows;
    at = chunk;
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
export function factOf({ kind, data }: FactRow): Fact {
  if (kind === 'read') return { kind, data };
  return { kind, ...(JSON.parse(data) as object) } as Fact;
}
