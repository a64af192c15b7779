import type { Fact, FactKind } from '../../core/facts/facts.js';
import { foldChunk } from '../../core/facts/fold.js';
import { chunksOf } from '../fact-table.js';
import { refuseTaken } from './in-use.js';
import type { LedgerParts } from '../ledger-parts.js';
import { hasLostFacts } from './lost-facts.js';
import type { RunRow } from './run-table.js';

/**
 * Whether an undo of the run, or of an earlier run whose rows this one took as they were, has changed anything since.
 * @throws LedgerInUseError when such an undo is under way
 */
export function isTakenBack(ledger: LedgerParts, { id, relies }: RunRow): boolean {
  const undos = [...undosOf(ledger, [id]), ...undosOf(ledger, idsOf(relies), id)];
  for (const undo of undos) refuseTaken(ledger, undo);
  return undos.some((undo) => hasChanged(ledger, undo));
}

/** Earlier runs that a run knew of when it began. */
export function idsOf(relies: RunRow['relies']): string[] {
  return relies === null ? [] : (JSON.parse(relies) as string[]);
}

/**
 * Runs that took one of these back, or are about to; `after`: only those that began after this run. The order of runs
 * is that of their places in the table, since clocks may be set back.
 */
export function undosOf(
  { database }: Pick<LedgerParts, 'database'>,
  runs: readonly string[],
  after?: string,
): RunRow[] {
  if (runs.length === 0) return [];
  return database
    .prepare<[string, string | null], RunRow>(
      // The first condition says no more than the second: it spares reading the settings of all runs as JSON.
      `SELECT * FROM run WHERE instr(settings, '"mode":"undo"') > 0
         AND json_extract(settings, '$.mode') = 'undo'
         AND json_extract(settings, '$.undoes') IN (SELECT value FROM json_each(?))
         AND rowid > coalesce((SELECT rowid FROM run WHERE id = ?), 0)`,
    )
    .all(JSON.stringify(runs), after ?? null);
}

/** Whether an undo has changed anything, or may have. */
export function hasChanged(ledger: LedgerParts, undo: RunRow): boolean {
  return undo.state === 'finished' || !isIdle(ledger, undo);
}

/** Facts that leave nothing at the contact center, where each intent was taken back. */
const HARMLESS: ReadonlySet<FactKind> = new Set([
  'read',
  'duplicates',
  'known',
  'creating',
  'not_created',
  'looked_up',
  'changing',
  'not_changed',
  'inspected',
]);

/** Whether a run broke off with nothing at the contact center: every request that it intended surely never left. */
export function isIdle(ledger: LedgerParts, run: RunRow): boolean {
  const { id, state, settles_all } = run;
  if (state === 'finished' || state === 'open') return false;
  // What is on record of it is not all that it did.
  if (settles_all === 1 || hasLostFacts(ledger, run)) return false;
  for (const facts of chunksOf(ledger.database, ledger.file, id))
    if (mayHaveArrived(facts)) return false;
  return true;
}

/** Whether these facts of a chunk leave it open that the contact center has anything of it. */
export function mayHaveArrived(facts: readonly Fact[]): boolean {
  return (
    facts.some(({ kind }) => !HARMLESS.has(kind)) ||
    (foldChunk(facts)?.states.some(({ stage }) => stage === 'creating' || stage === 'changing') ??
      false)
  );
}
