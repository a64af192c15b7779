import { basename, dirname } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { REJECTS_NAME } from '../../core/report.js';
import { centerKey } from '../../core/center.js';
import type { EarlierRun, RunIdentity } from '../../core/ledger.js';
import { ledgerCommand } from '../../core/text.js';
import { hasChanged, idsOf, isTakenBack, undosOf } from './taken-back.js';
import { refuseTaken } from './in-use.js';
import { STANDARD_INPUT, filesText, isOvertaken } from './later-runs.js';
import type { KnownRuns } from './run-request.js';
import { type RunRow, listOf, modeOf, recordOf, undoneBy } from './run-table.js';
import type { RunView } from './run-view.js';

/**
 * Runs that came to their end on the same contact center with the same content (or the same files): what their rows did
 * need not be done again. The latest first. Those that were taken back are among them, since an undo may have left some
 * of their rows. `own`: the id that the new one has.
 * @throws LedgerInUseError when another process works on one of them, or takes it back; UsageError when an undo of one is
 * not at its end
 */
export function earlierRuns(
  view: RunView,
  { inputs, content, installation }: RunIdentity,
  { scope, modes, list }: KnownRuns,
  own: string,
): RunRow[] {
  const named = inputs.filter((input) => filesText([input]) !== '');
  const files = scope === 'same files' ? sameSource(view, named) : new Set<string>();
  const folders = foldersOf(files);
  return view.runs
    .toReversed()
    .filter(
      (run) =>
        (scope !== 'same list' && run.content === content) ||
        folders.has(run.out) ||
        isOver(run, files) ||
        (list !== undefined && isAboutList(view, run, list)),
    )
    .filter((run) => run.id !== own && modes.has(modeOf(run)))
    .filter((run) => centerKey(run.installation) === centerKey(installation))
    .filter((run) => {
      for (const undo of undosOf(view, [run.id])) refuseUnfinished(view, run, undo);
      // One that is not at its end is continued, unless that is over for it.
      const isEnded = run.state === 'finished' || run.state === 'open';
      const isLeft = isTakenBack(view, run) || isOvertaken(view, run);
      // What somebody is doing at this moment, or taking back, is not on record yet.
      refuseTaken(view, run);
      return isEnded || isLeft || folders.has(run.out) || list !== undefined;
    });
}

/** Whether a run was an issue of the list, took one back, or removed clients, whoever brought them. */
function isAboutList({ runs }: RunView, run: RunRow, list: string): boolean {
  const mode = modeOf(run);
  if (mode === 'delete' || mode === 'dequeue') return true;
  const undone = undoneBy(run);
  const issue = undone === undefined ? run : runs.find(({ id }) => id === undone);
  return issue !== undefined && listOf(issue) === list;
}

/**
 * The files with whose rows those of the given ones may be the same: a run's rejects are rows of its inputs, and both may
 * be corrected and imported again.
 */
function sameSource(view: RunView, inputs: readonly string[]): Set<string> {
  const runs = view.runs.map(({ inputs: text, out }) => ({
    files: JSON.parse(text) as string[],
    out,
  }));
  const files = new Set(inputs);
  for (let size = 0; files.size > size;) {
    size = files.size;
    const folders = foldersOf(files);
    const outs = new Set<string>();
    for (const run of runs) {
      if (folders.has(run.out)) for (const file of run.files) files.add(file);
      if (run.files.some((file) => files.has(file))) outs.add(run.out);
    }
    for (const run of runs)
      for (const file of run.files) if (isRejects(file) && outs.has(dirname(file))) files.add(file);
  }
  files.delete(STANDARD_INPUT);
  return files;
}

const isOver = (run: RunRow, files: ReadonlySet<string>): boolean =>
  files.size > 0 && (JSON.parse(run.inputs) as string[]).some((file) => files.has(file));

const isRejects = (file: string): boolean => REJECTS_NAME.test(basename(file));

/** Folders of the runs whose rejects are among the files. */
const foldersOf = (files: ReadonlySet<string>): Set<string> =>
  new Set([...files].filter(isRejects).map((file) => dirname(file)));

/**
 * What an undo will take back when it goes on, nobody can rely on.
 * @throws LedgerInUseError, UsageError
 */
export function refuseUnfinished(view: RunView, run: RunRow, undo: RunRow): void {
  refuseTaken(view, undo);
  if (undo.state === null || undo.state === 'stopped')
    throw new UsageError(
      `Run ${undo.id}, which takes back run ${run.id} of the same file, is not at its end. Let "${ledgerCommand(view.ledger, 'resume', undo.id)}" bring it there first, or begin anew with --again.`,
    );
}

/** A run of which another one knows, as its record shows it. */
export function earlierRunOf(view: RunView, run: RunRow): EarlierRun {
  const undos = undosOf(view, [run.id]).filter((undo) => hasChanged(view, undo));
  const since = undosOf(view, idsOf(run.relies), run.id);
  return {
    ...recordOf(run, view),
    undos: undos.map(({ id }) => id),
    reliesOnUndone: since.some((undo) => hasChanged(view, undo)),
  };
}
