import { basename, dirname } from 'node:path';
import { UsageError } from '../core/errors.js';
import { REJECTS_NAME } from '../core/rejects-name.js';
import type { EarlierRun, KnownScope, RunIdentity } from '../core/ledger.js';
import { hasChanged, idsOf, isTakenBack, undosOf } from './taken-back.js';
import { refuseTaken } from './in-use.js';
import { filesText, isOvertaken } from './later-runs.js';
import type { LedgerParts } from './ledger-parts.js';
import { type RunRow, recordOf } from './run-table.js';

/**
 * Runs that came to their end on the same contact center with the same content (or the same files): what their rows did
 * need not be done again. The latest first. Those that were taken back are among them, since an undo may have left some
 * of their rows.
 * @throws LedgerInUseError when one of them is being taken back; UsageError when an undo of one is not at its end
 */
export function earlierRuns(
  ledger: LedgerParts,
  { inputs, content, installation }: RunIdentity,
  scope: KnownScope,
): RunRow[] {
  const files = scope === 'same files' ? inputs.filter((input) => filesText([input]) !== '') : [];
  const folders = rejectsOf(files);
  return ledger.database
    .prepare<[string, string, string], RunRow>(
      `SELECT * FROM run WHERE content = ? OR out IN (SELECT value FROM json_each(?))
         OR EXISTS (SELECT 1 FROM json_each(run.inputs) AS one
                    WHERE one.value IN (SELECT value FROM json_each(?)))
       ORDER BY rowid DESC`,
    )
    .all(content, JSON.stringify(folders), JSON.stringify(files))
    .filter((run) => centerText(run.installation) === centerText(installation))
    .filter((run) => {
      for (const undo of undosOf(ledger, [run.id])) refuseUnfinished(ledger, run, undo);
      // One that is not at its end is continued, unless that is over for it.
      const isEnded = run.state === 'finished' || run.state === 'open';
      const isLeft = isTakenBack(ledger, run) || isOvertaken(ledger, run);
      return isEnded || isLeft || folders.includes(run.out);
    });
}

/** What of a contact center's text tells it apart: its name is for people, and may change. */
function centerText(installation: string): string {
  return /(?: another address| https?:\/\/).*$/s.exec(installation)?.[0] ?? installation;
}

/** Folders of runs whose rejects are among the inputs: these have rows of the run's own file. */
function rejectsOf(inputs: readonly string[]): string[] {
  return inputs
    .filter((input) => REJECTS_NAME.test(basename(input)))
    .map((input) => dirname(input));
}

/** What an undo will take back when it goes on, nobody can rely on. */
function refuseUnfinished(ledger: LedgerParts, run: RunRow, undo: RunRow): void {
  refuseTaken(ledger, undo);
  const isUnfinished = undo.state === null || undo.state === 'stopped';
  if (isUnfinished && hasChanged(ledger, undo))
    throw new UsageError(
      `Run ${undo.id}, which takes back run ${run.id} of the same file, is not at its end. Let "cardline resume ${undo.id}" bring it there first, or begin anew with --again.`,
    );
}

/** A run of which another one knows, as its record tells of it. */
export function earlierRunOf(ledger: LedgerParts, run: RunRow): EarlierRun {
  const undos = undosOf(ledger, [run.id]).filter((undo) => hasChanged(ledger, undo));
  const since = undosOf(ledger, idsOf(run.relies), run.id);
  return {
    ...recordOf(run, ledger.locks),
    undos: undos.map(({ id }) => id),
    reliesOnUndone: since.some((undo) => hasChanged(ledger, undo)),
  };
}
