import type { EarlierRun, RunIdentity } from '../core/ledger.js';
import { ledgerCommand } from '../core/text.js';
import {
  isAtEnd,
  listOf,
  modeOf,
  recordOf,
  refuseTaken,
  type RunRow,
  type RunView,
  undoneBy,
} from './store.js';
import type { KnownRuns } from './port.js';

import { basename, dirname, extname } from 'node:path';
import { centerKey } from '../core/client.js';
import { LedgerInUseError, UsageError } from '../core/errors.js';
import { type Fact, foldChunk } from '../core/facts.js';
import { isImport, MODE_TRAITS, type RunMode } from '../core/outcome.js';
import { REJECTS_NAME } from '../core/report.js';

/**
 * Whether an undo of the run, or of an earlier run whose rows this one took as they were, has changed anything since.
 * @throws LedgerInUseError when such an undo is under way
 */
export function isTakenBack(view: RunView, { id, relies }: RunRow): boolean {
  const undos = [...undosOf(view, [id]), ...undosOf(view, idsOf(relies), id)];
  for (const undo of undos) refuseTaken(view, undo);
  return undos.some((undo) => hasChanged(view, undo));
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
  { runs }: Pick<RunView, 'runs'>,
  undone: readonly string[],
  after?: string,
): RunRow[] {
  if (undone.length === 0) return [];
  return runsAfter(runs, after).filter((run) => undone.includes(undoneBy(run) ?? ''));
}

/** Runs that began after this one; all, where it is not on record. */
const runsAfter = (runs: readonly RunRow[], run: string | undefined): RunRow[] =>
  runs.slice(runs.findIndex(({ id }) => id === run) + 1);

/** Whether an undo has changed anything, or may have. */
function hasChanged(view: RunView, undo: RunRow): boolean {
  return undo.state === 'finished' || !isIdle(view, undo);
}

/** Ids of the runs that took these back, or a part of them, by the run that was taken back. */
export function undosByRun(view: RunView, undone: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const undo of undosOf(view, undone)) {
    const run = undoneBy(undo);
    if (run === undefined || !hasChanged(view, undo)) continue;
    found.set(run, [...(found.get(run) ?? []), undo.id]);
  }
  return found;
}

/** Facts that leave nothing at the contact center, where each intent was taken back. */
export const HARMLESS: ReadonlySet<Fact['kind']> = new Set([
  'read',
  'duplicates',
  'known',
  'unchanged',
  'creating',
  'not_created',
  'looked_up',
  'changing',
  'not_changed',
  'inspected',
]);

/** Whether a run broke off with nothing at the contact center: every request that it intended surely never left. */
export function isIdle(view: RunView, run: RunRow): boolean {
  if (isAtEnd(run)) return false;
  // What is on record of it is not all that it did.
  if (run.settles_all === 1 || view.lossOf(run)) return false;
  return view.leavesNothing(run);
}

/** Whether these facts of a chunk leave it open that the contact center has anything of it. */
export function mayHaveArrived(facts: readonly Fact[]): boolean {
  return (
    facts.some(({ kind }) => !HARMLESS.has(kind)) ||
    (foldChunk(facts)?.states.some(({ stage }) => stage === 'creating' || stage === 'changing') ??
      false)
  );
}

/** How standard input is called among the inputs of a run: it may be another list each time. */
const STANDARD_INPUT = 'standard input';

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
export function isOvertaken(view: RunView, run: RunRow): boolean {
  if (isOldIssue(view, run)) return true;
  if (isAtEnd(run) || view.lossOf(run)) return false;
  return laterRuns(view, run, sourcesOf(view, run)).some(
    (later) => isImport(modeOf(later)) && !isTakenBack(view, later),
  );
}

/** The files whose rows those of a run are, as the table has them: its own, and those whose rejects they are. */
function sourcesOf({ runs }: RunView, run: RunRow): Set<string> {
  const known = new Set([run]);
  for (const one of known)
    for (const file of filesOf(one))
      for (const origin of originsOf(runs, file, one.id)) known.add(origin);
  return new Set([...known].map((one) => filesText(filesOf(one))));
}

/**
 * Whether a later issue of the list of a run that is not finished has sent anything: what the earlier one had left was
 * sent with that, and may be another by now.
 */
function isOldIssue(view: RunView, run: RunRow): boolean {
  const list = run.state === 'finished' ? undefined : listOf(run);
  if (list === undefined) return false;
  return runsAfter(view.runs, run.id)
    .filter((later) => listOf(later) === list && isIssue(modeOf(later)))
    .filter((later) => isSameCenter(later, run))
    .some((later) => !isIdle(view, later));
}

/** What removes clients that an issue lacks is a part of that issue. */
const isIssue = (mode: RunMode): boolean => isImport(mode) && mode !== 'dequeue';

/** Whether a later run over the same files or content has reversed what a finished one did: it is no longer done. */
export function isReversed(view: RunView, run: RunRow): boolean {
  const reversing = MODE_TRAITS[modeOf(run)].reversedBy;
  return laterRuns(view, run).some((later) => reversing.includes(modeOf(later)));
}

/** Runs over the same files or content that began later and came to their end. `files`: those files, if more than its own. */
function laterRuns(
  { runs }: RunView,
  run: RunRow,
  files: ReadonlySet<string> = new Set([filesText(filesOf(run))]),
): RunRow[] {
  return runsAfter(runs, run.id)
    .filter((later) => files.has(later.inputs) || later.content === run.content)
    .filter((later) => isAtEnd(later) && isSameCenter(later, run));
}

type OfInstallation = Pick<RunRow, 'installation'>;

export const isSameCenter = (one: OfInstallation, other: OfInstallation): boolean =>
  centerKey(one.installation) === centerKey(other.installation);

/**
 * Whether a run was neither taken back nor overtaken by a later one.
 * @throws LedgerInUseError when another process works on one that was
 */
export function isUndisputed(view: RunView, run: RunRow): boolean {
  if (!isTakenBack(view, run) && !isOvertaken(view, run)) return true;
  refuseTaken(view, run);
  return false;
}

/**
 * Runs that came to their end on the same contact center with the same content (or the same files): what their rows did
 * need not be done again. The latest first. Those that were taken back are among them, since an undo may have left some
 * of their rows. `own`: the id that the new one has.
 * @throws LedgerInUseError when another process works on one of them, or takes it back; UsageError when an undo of one is
 * not at its end
 */
export function earlierRuns(
  view: RunView,
  identity: RunIdentity,
  knows: KnownRuns,
  own: string,
): RunRow[] {
  const { runs, origins } = runsWithSuchRows(view, identity, knows);
  return runs
    .filter(({ id }) => id !== own)
    .filter((run) => {
      refuseUnfinishedUndos(view, run);
      // One that is not at its end is continued, unless that is over for it.
      const isLeft = isTakenBack(view, run) || isOvertaken(view, run);
      // What somebody is doing at this moment, or taking back, is not on record yet.
      refuseTaken(view, run);
      return isAtEnd(run) || isLeft || origins.has(run) || knows.list !== undefined;
    });
}

/**
 * Runs on the same contact center with rows that a new run may have too, the latest first, however far they have come.
 * `origins`: those that left the rejects that are rows of the new one.
 */
export function runsWithSuchRows(
  view: RunView,
  identity: RunIdentity,
  { scope, modes, list }: KnownRuns,
): { readonly runs: readonly RunRow[]; readonly origins: ReadonlySet<RunRow> } {
  const named = identity.inputs.filter((input) => filesText([input]) !== '');
  const { related, origins } = ofSameSource(view, scope === 'same files' ? named : []);
  const runs = view.runs
    .toReversed()
    .filter(
      (run) =>
        (scope !== 'same list' && run.content === identity.content) ||
        related.has(run) ||
        (list !== undefined && isAboutList(view, run, list)),
    )
    .filter((run) => modes.has(modeOf(run)) && isSameCenter(run, identity));
  return { runs, origins };
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
 * The runs over rows that those of the given files may be: a run's rejects are rows of its inputs, and both may be
 * corrected and imported again. `origins`: those whose rejects they are, or are those of another one.
 */
function ofSameSource(
  { runs }: RunView,
  inputs: readonly string[],
): { readonly related: ReadonlySet<string | RunRow>; readonly origins: ReadonlySet<RunRow> } {
  /** Files, and runs. */
  const related = new Set<string | RunRow>();
  const origins = new Set<RunRow>();
  const sources = (named: readonly string[], before?: string): (string | RunRow)[] =>
    // What came by standard input may have been another list each time.
    named
      .filter((file) => file !== STANDARD_INPUT)
      .flatMap((file): readonly (string | RunRow)[] => {
        const from = originsOf(runs, file, before);
        return from.length > 0 ? from : [file];
      });
  const add = (found: readonly (string | RunRow)[]): void => {
    for (const source of found) {
      related.add(source);
      if (typeof source !== 'string') origins.add(source);
    }
  };
  const all = runs.map((run) => ({ run, from: sources(filesOf(run), run.id) }));
  add(sources(inputs));
  for (let size = -1; size < related.size;) {
    size = related.size;
    for (const { run, from } of all) {
      if (!related.has(run) && !from.some((source) => related.has(source))) continue;
      related.add(run);
      add(from);
    }
  }
  return { related, origins };
}

/**
 * The runs that may have left a file of rejects in its folder, the latest first: up to one that surely wrote it anew. A
 * folder may be that of many runs (`--out`), and one without rejects leaves those of an earlier one there. `before`: the
 * run that read the file.
 */
function originsOf(runs: readonly RunRow[], file: string, before?: string): RunRow[] {
  if (!isRejects(file)) return [];
  const folder = dirname(file);
  const end = runs.findIndex(({ id }) => id === before);
  const there = runs
    .slice(0, end < 0 ? runs.length : end)
    .filter(({ out }) => out === folder)
    .toReversed();
  const last = there.findIndex((run) => hasWritten(run, file));
  return last < 0 ? there : there.slice(0, last + 1);
}

/** Whether a run surely wrote this file of rejects: an import does, of one input in its format, with rows for it. */
function hasWritten(run: RunRow, file: string): boolean {
  const { state, outcomes } = run;
  const [input, ...others] = filesOf(run);
  const isIts = input !== undefined && others.length === 0 && extname(input) === extname(file);
  if (state !== 'finished' || !isIts || outcomes === null || !isImport(modeOf(run))) return false;
  const counts = JSON.parse(outcomes) as Record<string, number>;
  return (counts['rejected'] ?? 0) + (counts['failed'] ?? 0) > 0;
}

const filesOf = ({ inputs }: RunRow): string[] => JSON.parse(inputs) as string[];

/** What runs over the same rows have in common. */
export const contentAndFiles = (run: RunRow): string[] => [run.content, ...filesOf(run)];

/** Whether a run is over rejects of others. */
export const isOfRejects = (run: RunRow): boolean => filesOf(run).some(isRejects);

const isRejects = (file: string): boolean => REJECTS_NAME.test(basename(file));

/**
 * What an undo will take back when it goes on, nobody can rely on.
 * @throws LedgerInUseError, UsageError
 */
export function refuseUnfinishedUndos(view: RunView, run: RunRow): void {
  for (const undo of undosOf(view, [run.id])) {
    refuseTaken(view, undo);
    if (!isAtEnd(undo))
      throw new UsageError(
        `Run ${undo.id}, which takes back run ${run.id} of the same file, is not at its end. Let "${ledgerCommand(view.ledger, 'resume', undo.id)}" bring it there first, or begin anew with --again.`,
      );
  }
}

/** A run of which another one knows, as its record shows it. */
export function earlierRunOf(view: RunView, run: RunRow): EarlierRun {
  const undos = undosOf(view, [run.id]).filter((undo) => hasChanged(view, undo));
  const since = undosOf(view, idsOf(run.relies), run.id);
  return {
    ...recordOf(run, view),
    undos: undos.map(({ id }) => id),
    reliesOnUndone: since.some((undo) => hasChanged(view, undo)),
    list: listOf(run) ?? null,
  };
}

/** Whether a run can be continued: nobody works on it, and it was neither taken back nor overtaken. */
function canContinue(view: RunView, run: RunRow): boolean {
  if (view.isTaken(run.id)) return false;
  try {
    return isUndisputed(view, run);
  } catch (error) {
    // Somebody takes it back at this moment.
    if (error instanceof LedgerInUseError) return false;
    throw error;
  }
}

/** Id of the latest run that can be continued; one on which somebody works only where there is no other. */
export function latestToResume(view: RunView): string | undefined {
  const open = view.runs.toReversed().filter(isUnfinished);
  const found =
    open.find((run) => canContinue(view, run)) ?? open.find(({ id }) => view.isTaken(id));
  return found?.id;
}

/** Those of these runs that can be continued. Finding it out takes a while: others get their turn. */
export async function resumableRuns(
  view: RunView,
  wanted: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = new Set(wanted);
  const found = new Set<string>();
  for (const run of view.runs.filter(({ id }) => ids.has(id)).filter(isUnfinished)) {
    if (canContinue(view, run)) found.add(run.id);
    await new Promise(setImmediate);
  }
  return found;
}

const isUnfinished = ({ state }: RunRow): boolean => state !== 'finished';

/**
 * Finished runs that ended before then, in milliseconds since the epoch, and can be forgotten, and those of old lists that
 * nobody can continue. A run is kept as long as what is on record of another one would mean something else without it:
 * where that is unfinished and relies on it, where it took that back, or came after it over the same files, content or
 * list.
 */
export function runsToForget(view: RunView, before: number): string[] {
  const { runs } = view;
  const over = runs.filter((run) => run.state === 'finished' || isOldIssue(view, run));
  const isOld = ({ id, ended_at, opened_at }: RunRow): boolean =>
    (ended_at ?? opened_at) < before && !view.isTaken(id);
  const isOver = new Set(over.map(({ id }) => id));
  return forgettable(runs, isOver, new Set(over.filter(isOld).map(({ id }) => id)));
}

/** Which of the old runs nothing that is kept needs; `runs` in the order in which they began. */
function forgettable(
  runs: readonly RunRow[],
  isOver: ReadonlySet<string>,
  old: Set<string>,
): string[] {
  for (let size = Infinity; old.size < size;) {
    size = old.size;
    for (const id of neededBy(runs.filter((run) => !old.has(run.id)))) old.delete(id);
    keepFollowers(runs, old);
  }
  return [...old];

  function neededBy(kept: readonly RunRow[]): string[] {
    const ids = new Set(kept.map(({ id }) => id));
    for (const run of kept) for (const id of idsOf(run.relies)) ids.add(id);
    const open = kept.filter(({ id }) => !isOver.has(id));
    return [
      ...open.flatMap(({ relies }) => idsOf(relies)),
      ...open.flatMap((run) => undoneBy(run) ?? []),
      // An undo says that what others rely on is not there any more.
      ...runs.filter((run) => ids.has(undoneBy(run) ?? '')).map(({ id }) => id),
    ];
  }
}

/** Of runs over the same files, content or list, the earlier ones are forgotten first: the last word counts. */
function keepFollowers(runs: readonly RunRow[], old: Set<string>): void {
  const sources = new Set<string>();
  for (const run of runs) {
    const list = listOf(run);
    const own = contentAndFiles(run);
    if (list !== undefined) own.push(`list ${list}`);
    const follows = removesClients(run) ? [...own, ANY_LIST] : own;
    if (old.has(run.id) && follows.some((source) => sources.has(source))) old.delete(run.id);
    if (old.has(run.id)) continue;
    for (const source of own) sources.add(source);
    if (list !== undefined) sources.add(ANY_LIST);
  }
}

/** What removes clients has a word on those of all lists. */
const removesClients = (run: RunRow): boolean => ['delete', 'dequeue'].includes(modeOf(run));

const ANY_LIST = '*';

/**
 * Whether the copy of a run has to look everything up before it sends: the other ledger may go on with it too, or not
 * all that it did is on record. Nobody works on the run.
 * @throws LostFactsError when the ledger has lost its end; LedgerInUseError when the run is being taken back
 */
export function lookupOfCopy(view: RunView, run: RunRow): 'here and there' | 'there' | 'nowhere' {
  view.refuseLostFacts(run.id);
  if (run.state === 'finished') return 'nowhere';
  if (canContinue(view, run)) return 'here and there';
  return view.lossOf(run) ? 'there' : 'nowhere';
}

/** @throws LedgerInUseError when somebody works on a run that took rows of this one as they were */
export function refuseRelying(view: RunView, id: string): void {
  for (const run of view.runs) if (idsOf(run.relies).includes(id)) refuseTaken(view, run);
}
