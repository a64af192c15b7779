import { ChangedSinceError, UsageError } from '../core/errors.js';
import type { EarlierRun, RunIdentity } from '../core/ledger.js';
import { ledgerCommand } from '../core/text.js';
import {
  earlierRunOf,
  earlierRuns,
  filesText,
  idsOf,
  isIdle,
  isOfRejects,
  isOvertaken,
  isReversed,
  isTakenBack,
  isUndisputed,
  isSameCenter,
  refuseUnfinishedUndos,
  runsWithSuchRows,
} from './other-runs.js';
import {
  isAtEnd,
  listOf,
  modeOf,
  newRunId,
  partsText,
  type Planned,
  recordOf,
  refuseFreed,
  refuseTaken,
  type RunRow,
  type RunView,
} from './store.js';
import {
  type Foreseen,
  type KnownRuns,
  type OpenedRun,
  type RunRequest,
  workerText,
} from './port.js';

type Choice =
  | { readonly kind: 'new' }
  | { readonly kind: 'continue'; readonly run: RunRow }
  /** Nothing of the run has reached the contact center: it is forgotten, and the new one takes its id. */
  | { readonly kind: 'take_over'; readonly run: RunRow }
  /** The very same import has been done. */
  | { readonly kind: 'done'; readonly run: RunRow };

/**
 * The latest run of the same content, mapping, installation and campaign, to be continued or found done; else a new
 * one. A run that broke off before anything of it could reach the contact center binds nobody, nor does one that was
 * taken back. The request may name a run that has to be continued.
 * @throws UsageError when a run of the same files or content broke off and something that it is bound to has changed.
 * @throws LedgerInUseError when another process works on that run, or takes this one back.
 */
function chooseRun(
  view: RunView,
  { identity, run: wanted, readsOnly = false, knows }: RunRequest,
): Choice {
  const list = wanted === undefined ? knows?.list : undefined;
  const runs = sameRuns(view, identity);
  const run =
    wanted === undefined
      ? runs.find((one) => isUndisputed(view, one))
      : runs.find(({ id }) => id === wanted);
  if (run && wanted !== undefined && isTakenBack(view, run))
    throw new UsageError(`Run ${run.id} was taken back by an undo; import its file again.`);
  if (run && wanted !== undefined && isOvertaken(view, run))
    throw new UsageError(
      `A later run of the same file has come to its end since run ${run.id} broke off; import the file again, which sends what both have left.`,
    );
  if (run?.state === 'finished') {
    if (isReversed(view, run)) return { kind: 'new' };
    refuseUnfinishedUndos(view, run);
    // Other issues may lie between, and what failed is sent again.
    return list === undefined ? { kind: 'done', run } : { kind: 'new' };
  }
  if (run) {
    const kind = isIdle(view, run) ? 'take_over' : 'continue';
    // Why it stopped, such as for its canary, somebody is to see before more is sent.
    if (kind === 'continue' && run.state === 'stopped') refuseFreed(view, run);
    return { kind, run };
  }
  // Who only reads and who sends have nothing to do with each other.
  const broken = brokenOff(view, identity, wanted)
    // What an issue of the same list has left is sent with this one.
    .filter((one) => list === undefined || listOf(one) !== list)
    .filter((one) => (modeOf(one) === 'reconcile') === readsOnly)
    .filter((one) => isUndisputed(view, one));
  const binding = broken.find((one) => !isIdle(view, one));
  if (binding) {
    refuseTaken(view, binding);
    throw changedSince(view, binding, identity);
  }
  const rejects =
    readsOnly || !knows || list !== undefined ? undefined : brokenRejects(view, identity, knows);
  if (rejects) throw ofRejectsFirst(view, rejects);
  return broken[0] ? { kind: 'take_over', run: broken[0] } : { kind: 'new' };
}

/**
 * The choice of who wants to begin anew, whatever the ledger has.
 * @throws LedgerInUseError when another process works on an import of the same files or content at this moment, on one of
 * rows of theirs, such as their rejects, or takes the very same one back; UsageError when other machines would send the
 * rows, too
 */
function chooseAnew(view: RunView, { identity, knows }: RunRequest): Choice {
  const runs = new Set([
    ...sameRuns(view, identity),
    ...brokenOff(view, identity, undefined),
    // What a list has to do with others is another question (`refuseOtherIssues`).
    ...(knows ? runsWithSuchRows(view, identity, { ...knows, list: undefined }).runs : []),
  ]);
  for (const run of runs) {
    refuseTaken(view, run);
    view.refuseShared(run);
    refuseFreed(view, run);
  }
  return { kind: 'new' };
}

/** Runs that were bound to the same, the latest first. What only samples of large inputs say is no proof of an end. */
function sameRuns({ runs }: RunView, identity: RunIdentity): RunRow[] {
  const { content, fingerprint, mapping, installation, campaignId } = identity;
  const contents = new Set([content, fingerprint?.content ?? content]);
  const parts = partsText(identity);
  const isSame = (run: RunRow): boolean =>
    contents.has(run.content) &&
    run.mapping === mapping &&
    run.installation === installation &&
    run.campaign === campaignId &&
    (run.parts === null || run.parts === parts);
  return runs
    .filter(isSame)
    .filter((run) => run.state !== 'finished' || run.content !== fingerprint?.content)
    .toReversed();
}

/**
 * Whether the digest of large inputs decides what is done: where a run may have had the same content, or one of the
 * same files has to be continued. Runs of small files, and those of another fingerprint, had another content.
 */
function isContentAsked(view: RunView, identity: RunIdentity, wanted: string | undefined): boolean {
  const sample = identity.fingerprint?.sample;
  const isAlike = ({ fingerprint }: RunRow): boolean =>
    sample !== undefined && fingerprint === sample;
  return view.runs.some(isAlike) || brokenOff(view, identity, wanted).length > 0;
}

/** Runs of the same files or content that have not got to their end, the latest first; or the one that is wanted. */
function brokenOff(
  { runs }: RunView,
  { inputs, content }: RunIdentity,
  wanted: string | undefined,
): RunRow[] {
  if (wanted !== undefined) return runs.filter(({ id }) => id === wanted);
  const files = filesText(inputs);
  return runs
    .filter((run) => run.inputs === files || run.content === content)
    .filter((run) => !isAtEnd(run))
    .toReversed();
}

/** An import of rejects of these files that broke off: nobody else knows what it has sent. */
function brokenRejects(view: RunView, identity: RunIdentity, knows: KnownRuns): RunRow | undefined {
  const { runs, origins } = runsWithSuchRows(view, identity, knows);
  return runs
    .filter((run) => !isAtEnd(run))
    .filter((run) => isOfRejects(run) && !origins.has(run) && !isIdle(view, run))
    .find((run) => isUndisputed(view, run));
}

function ofRejectsFirst(view: RunView, run: RunRow): UsageError {
  refuseTaken(view, run);
  const { ledger } = view;
  return new UsageError(
    `Run ${run.id}, which sends rejects of this file, is not at its end. Continue it first (${ledgerCommand(ledger, 'resume', run.id)}), or take back what it did (${ledgerCommand(ledger, 'undo', run.id)}); or begin anew with --again, which sends all rows, also those that it has sent.`,
  );
}

function changedSince({ ledger }: RunView, run: RunRow, identity: RunIdentity): ChangedSinceError {
  const changed = changedParts(run, identity);
  const what = changed.join(' and ');
  const have = changed.length > 1 ? 'have' : 'has';
  return new ChangedSinceError(
    `Run ${run.id} of the same file is not at its end, and ${what} ${have} changed since it began. Restore what has changed to continue it; or take back what it did (${ledgerCommand(ledger, 'undo', run.id)}); or begin anew with --again, which sends all rows, also those that it has sent.`,
    run.id,
  );
}

function changedParts(run: RunRow, identity: RunIdentity): string[] {
  const before = JSON.parse(run.parts ?? '{}') as Record<string, string>;
  const now = identity.parts ?? {};
  const parts = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (name) => run.parts !== null && before[name] !== now[name],
  );
  const changed = [
    [identity.content, identity.fingerprint?.content].includes(run.content) ? '' : 'the input',
    run.mapping === identity.mapping
      ? ''
      : 'the mapping (or --mode, --recovery, --limit or --rows)',
    run.campaign === identity.campaignId ? '' : 'the campaign',
    ...parts,
  ].filter((what) => what !== '');
  // Its name, its address and its identifiers are reported as parts where the run has these.
  const isOther = run.installation !== identity.installation;
  return isOther && parts.length === 0 ? [...changed, 'the installation'] : changed;
}

/** What becomes of a request to open a run, before anybody has locked it. */
export type Decision =
  | Exclude<OpenedRun, { readonly kind: 'open' }>
  | RunToBegin
  | (ChosenRun & { readonly kind: 'continue'; readonly run: RunRow });

interface ChosenRun {
  readonly id: string;
  readonly relies: readonly EarlierRun[];
  readonly beside: readonly string[];
}

/** A run that is put on record anew, perhaps by the id of one that did nothing. */
interface RunToBegin extends ChosenRun {
  readonly kind: 'begin';
  readonly out: string;
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
  const found = again ? chooseAnew(view, request) : chooseRun(view, request);
  if (found.kind === 'done' && !request.readsOnly)
    return { kind: 'done', record: recordOf(found.run, view) };
  const choice: Choice = found.kind === 'done' ? { kind: 'new' } : found;
  const unmarked = choice.kind !== 'new' && !settleAll ? view.unmarked(choice.run) : undefined;
  if (unmarked) throw unmarked;
  if (choice.kind !== 'continue') return { ...begun(view, request, choice), beside: atWork };
  const { run } = choice;
  const relies = reliedOn(view, idsOf(run.relies));
  return { kind: 'continue', id: run.id, run, relies, beside: atWork };
}

/** What opening a run would come to. @throws as `decideRun` does */
export function foreseen(view: RunView, request: RunRequest): Foreseen {
  const decision = decideRun(view, request);
  const { kind } = decision;
  if (kind === 'begin') return { kind, run: null, relies: decision.relies };
  if (kind === 'continue') return { kind, run: decision.id, relies: [] };
  return { kind, run: kind === 'done' ? decision.record.run : null, relies: [] };
}

/** Ids of runs that are at work on the contact center, the latest first, without those that only read. */
function runsAtWork(view: RunView, identity: RunIdentity): string[] {
  return view.runs
    .filter(({ state }) => state === null)
    .filter((run) => modeOf(run) !== 'reconcile' && isSameCenter(run, identity))
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
    ...{ kind: 'begin', id },
    out: kept?.out ?? request.out(id),
    relies: kept ? reliedOn(view, idsOf(kept.relies)) : reliesOf(view, request, id),
  };
}

function reliesOf(
  view: RunView,
  { identity, knows, again }: RunRequest,
  own: string,
): EarlierRun[] {
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
    if (listOf(run) === list && isSameCenter(run, identity)) refuseTaken(view, run);
}

/** An id that no run has: two may begin within a second. */
function freeRunId({ runs }: RunView): string {
  for (;;) {
    const id = newRunId();
    if (!runs.some((run) => run.id === id)) return id;
  }
}

/** What becomes of a request to open a run, and what is put on record with it. @throws as `decideRun` does */
export function openingOf(view: RunView, request: RunRequest): Planned<Decision> {
  const decision = decideRun(view, request);
  if (decision.kind !== 'begin' && decision.kind !== 'continue')
    return { result: decision, writes: [] };
  const { identity, renewed = {}, settleAll, shared: plan, stays = false } = request;
  const { id } = decision;
  const before = view.runs.find((run) => run.id === id);
  const now = Date.now();
  const opened = {
    worker: workerText(),
    // Each opening is distinguished from the one before.
    opened_at: Math.max(now, (before?.opened_at ?? 0) + 1),
    // How it ended before says nothing any more.
    ...{ state: null, ended_at: null, rows: null, outcomes: null },
  } as const;
  const settles = settleAll ? identity : undefined;
  const isContinued = decision.kind === 'continue';
  return {
    result: decision,
    writes: [
      { kind: 'take', run: id, shares: { plan, stays, continues: isContinued } },
      isContinued
        ? {
            ...{ kind: 'reopen', run: decision.run, settles },
            columns: {
              ...opened,
              content: identity.content,
              settings: settingsWith(decision.run, renewed),
              settles_all: settles ? 1 : decision.run.settles_all,
            },
          }
        : {
            ...{ kind: 'begin', settles },
            row: { ...opened, ...rowToBegin(request, decision), created_at: now },
          },
    ],
  };
}

/** The settings of a run with what a command replaces that goes on with it. */
export const settingsWith = (
  { settings }: RunRow,
  renewed: Readonly<Record<string, unknown>>,
): string => JSON.stringify({ ...(JSON.parse(settings) as object), ...renewed });

/** What a run has in its line that begins now. */
const rowToBegin = (
  { identity, settings, settleAll = false }: RunRequest,
  { id, out, relies }: RunToBegin,
) => ({
  ...{ id, out },
  inputs: JSON.stringify(identity.inputs),
  content: identity.content,
  mapping: identity.mapping,
  installation: identity.installation,
  campaign: identity.campaignId,
  settings: JSON.stringify(settings),
  fingerprint: identity.fingerprint?.sample ?? null,
  parts: partsText(identity),
  relies: JSON.stringify(relies.map(({ run }) => run)),
  settles_all: settleAll ? (1 as const) : (0 as const),
});
