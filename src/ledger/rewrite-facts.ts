import type Database from 'better-sqlite3';
import { LedgerInUseError } from '../core/errors.js';
import type { Fact } from '../core/facts.js';
import { flush } from './database.js';
import { storedFacts } from './recorder/recorder.js';

/** Writes the facts of a chunk anew, in their order; what they held before is overwritten with zeros. */
export function rewriteFacts(
  database: Database.Database,
  run: string,
  chunk: number,
  facts: readonly Fact[],
): void {
  database.pragma('secure_delete = ON');
  const select = database.prepare<[string, number], { id: number; kind: string }>(
    'SELECT id, kind FROM fact WHERE run = ? AND chunk = ? ORDER BY id',
  );
  const update = database.prepare('UPDATE fact SET data = CAST(? AS TEXT) WHERE id = ?');
  const rewrite = database.transaction(() => {
    const rows = select.all(run, chunk);
    const stored = storedFacts(run, chunk, facts);
    if (rows.length !== stored.length || rows.some(({ kind }, at) => kind !== stored[at]?.kind))
      throw new Error(`The facts of run ${run} are others than those that were read.`);
    for (const [at, { id }] of rows.entries()) update.run(stored[at]?.data, id);
  });
  rewrite.immediate();
}

/**
 * Writes the whole file anew and empties its log, so that no page of either holds what was rewritten.
 * @throws LedgerInUseError when another process reads the ledger, and so keeps old pages
 */
export function scrub(database: Database.Database, file: string): void {
  const isClean = flush(database);
  if (isClean) database.exec('VACUUM');
  if (!isClean || !flush(database))
    throw new LedgerInUseError(
      `The ledger ${file} is being read by another process, which keeps old pages of it. Wait for it, and run the same command again.`,
    );
}
