import { centerKey } from '../../core/center.js';
import type { EarlierRun, RunIdentity } from '../../core/ledger.js';
import { chooseAnew, chooseRun, isContentAsked, type Choice } from './choose-run.js';
import { earlierRunOf, earlierRuns } from './earlier-runs.js';
import { refuseTaken } from './in-use.js';
import type { OpenedRun, RunRequest } from './run-request.js';
import { type RunRow, listOf, modeOf, newRunId, recordOf } from './run-table.js';
import type { RunView } from './run-view.js';
import { idsOf } from './taken-back.js';

/** What becomes of a request to open a run, before anybody has locked it. */
export type Decision =
  Exclude<OpenedRun, { readonly kind: 'open' }> | RunToBegin | RunToContinue;

/** A run that is put on record anew. `replaces`: one that did nothing, and whose id it takes. */
export interface RunToBegin {
  readonly kind: 'begin';
  readonly id: string;
  readonly replaces: RunRow | undefined;
  readonly out: string;
  readonly relies: readonly EarlierRun[];
  readonly beside: readonly string[];
}

export interface RunToContinue {
  readonly kind: 'continue';
  readonly id: string;
  readonly run: RunRow;
  readonly relies: readonly EarlierRun[];
  readonly beside: readonly string[];
}

/**
 * Decides which run an import is: a new one, one that is continued, or one that is done.
 * @throws UsageError, LedgerInUseError as `chooseRun` does; LostFactsError when the ledger has lost its end
 */
export function decideRun(view: RunView, request: RunRequest): Decision {
  const { identity, again = false, settleAll = false } = request;
  if (!settleAll) view.refuseLostFacts();
  const isQuick =
    identity.fingerprint !== undefined && identity.content === identity.fingerprint.content;
  const mayWait = isQuick && !again && request.isContentFinal !== true;
  if (mayWait && isContentAsked(view, identity, request.run)) return { kind: 'digest' };
  const atWork = runsAtWork(view, identity);
  if (request.waitsForRuns && atWork.length > 0) return { kind: 'wait', runs: atWork };
  refuseOtherIssues(view, request);
  const found = again ? chooseAnew(view, identity) : chooseRun(view, request);
  if (found.kind === 'done' && !request.readsOnly)
    return { kind: 'done', record: recordOf(found.run, view) };
  const choice: Choice = found.kind === 'done' ? { kind: 'new' } : found;
  if (choice.kind !== 'new' && !settleAll) view.refuseUnmarked(choice.run);
  if (choice.kind !== 'continue') return { ...begun(view, request, choice), beside: atWork };
  const { run } = choice;
  const relies = reliedOn(view, idsOf(run.relies));
  return { kind: 'continue', id: run.id, run, relies, beside: atWork };
}

/** Ids of runs that are at work on the contact center, the latest first, without those that only read. */
function runsAtWork(view: RunView, { installation }: RunIdentity): string[] {
  const center = centerKey(installation);
  return view.runs
    .filter(({ state }) => state === null)
    .filter((run) => modeOf(run) !== 'reconcile' && centerKey(run.installation) === center)
    .filter(({ id }) => view.isAtWork(id))
    .map(({ id }) => id)
    .toReversed();
}

function begun(
  view: RunView,
  request: RunRequest,
  choice: Exclude<Choice, { readonly kind: 'continue' | 'done' }>,
): Omit<RunToBegin, 'beside'> {
  const replaces = choice.kind === 'take_over' ? choice.run : undefined;
  const id = replaces?.id ?? freeRunId(view);
  // Whoever resumes a run by its name wants its folder too, and what it began with, such as all rows anew.
  const kept = request.run === undefined ? undefined : replaces;
  return {
    kind: 'begin',
    ...{ id, replaces },
    out: kept?.out ?? request.out(id),
    relies: kept ? reliedOn(view, idsOf(kept.relies)) : reliesOf(view, request, id),
  };
}

/** The earlier runs that a new one knows of. */
function reliesOf(view: RunView, { identity, knows, again }: RunRequest, own: string): EarlierRun[] {
  if (!knows || again) return [];
  return earlierRuns(view, identity, knows, own).map((run) => earlierRunOf(view, run));
}

/** The earlier runs that a run knew of when it began, as far as they are still on record. */
function reliedOn(view: RunView, ids: readonly string[]): EarlierRun[] {
  return ids.flatMap((id) => {
    const run = view.runs.find((one) => one.id === id);
    return run ? [earlierRunOf(view, run)] : [];
  });
}

/**
 * What another process does with an issue of the same list is not on record yet.
 * @throws LedgerInUseError
 */
function refuseOtherIssues(view: RunView, { identity, knows }: RunRequest): void {
  const list = knows?.list;
  if (list === undefined) return;
  for (const run of view.runs)
    if (listOf(run) === list && centerKey(run.installation) === centerKey(identity.installation))
      refuseTaken(view, run);
}

/** An id that no run has: two may begin within a second. */
function freeRunId({ runs }: RunView): string {
  for (;;) {
    const id = newRunId();
    if (!runs.some((run) => run.id === id)) return id;
  }
}
