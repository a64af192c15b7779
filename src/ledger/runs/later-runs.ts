import { centerKey } from '../../core/center.js';
import { MODE_TRAITS, isImport } from '../../core/mode.js';
import type { LedgerParts } from '../ledger-parts.js';
import { hasLostFacts } from './lost-facts.js';
import { type RunRow, modeOf } from './run-table.js';
import { isTakenBack } from './taken-back.js';

/** How standard input is called among the inputs of a run: it may be another list each time. */
export const STANDARD_INPUT = 'standard input';

/** Inputs as the table has them; nothing where they do not tell which files they are. */
export function filesText(inputs: readonly string[]): string {
  return inputs.includes(STANDARD_INPUT) ? '' : JSON.stringify(inputs);
}

/**
 * Whether a run that broke off was overtaken: a later one over the same files or content, begun with --again, has come
 * to its end and was not taken back. To go on with it would send what that one has sent. One that has lost facts is
 * not: what it did is looked up first.
 * @throws LedgerInUseError when another process takes the later one back
 */
export function isOvertaken(ledger: LedgerParts, run: RunRow): boolean {
  if (run.state === 'finished' || run.state === 'open' || hasLostFacts(ledger, run)) return false;
  return laterRuns(ledger, run).some(
    (later) => isImport(modeOf(later)) && !isTakenBack(ledger, later),
  );
}

/** Whether a later run over the same files or content has reversed what a finished one did: it is no longer done. */
export function isReversed(ledger: LedgerParts, run: RunRow): boolean {
  const reversing = MODE_TRAITS[modeOf(run)].reversedBy;
  return laterRuns(ledger, run).some((later) => reversing.includes(modeOf(later)));
}

/** Runs over the same files or content that began later and came to their end. */
function laterRuns(
  { database }: LedgerParts,
  { id, inputs, content, installation }: RunRow,
): RunRow[] {
  const files = filesText(JSON.parse(inputs) as string[]);
  return database
    .prepare<[string, string, string], RunRow>(
      `SELECT * FROM run WHERE rowid > (SELECT rowid FROM run WHERE id = ?) AND (inputs = ? OR content = ?)
         AND state IN ('finished', 'open')`,
    )
    .all(id, files, content)
    .filter((later) => centerKey(later.installation) === centerKey(installation));
}
