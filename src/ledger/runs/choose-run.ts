import { ChangedSinceError, UsageError } from '../../core/errors.js';
import type { RunIdentity } from '../../core/ledger.js';
import { ledgerCommand } from '../../core/text.js';
import { refuseUnfinished } from './earlier-runs.js';
import { refuseFreed, refuseTaken } from './in-use.js';
import { filesText, isOvertaken, isReversed } from './later-runs.js';
import type { RunView } from './run-view.js';
import type { RunRequest } from './run-request.js';
import { type RunRow, listOf, modeOf, partsText } from './run-table.js';
import { isIdle, isTakenBack, undosOf } from './taken-back.js';

/** What the ledger has for an import that is about to begin. */
export type Choice =
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
export function chooseRun(
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
    for (const undo of undosOf(view, [run.id])) refuseUnfinished(view, run, undo);
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
  return broken[0] ? { kind: 'take_over', run: broken[0] } : { kind: 'new' };
}

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
 * The choice of who wants to begin anew, whatever the ledger has.
 * @throws LedgerInUseError when another process works on an import of the same files or content at this moment, or takes
 * the very same one back; UsageError when other machines would send the rows, too
 */
export function chooseAnew(view: RunView, identity: RunIdentity): Choice {
  const runs = [...sameRuns(view, identity), ...brokenOff(view, identity, undefined)];
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
export function isContentAsked(
  view: RunView,
  identity: RunIdentity,
  wanted: string | undefined,
): boolean {
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
    .filter(({ state }) => state === null || state === 'stopped')
    .toReversed();
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
    run.mapping === identity.mapping ? '' : 'the mapping (or --mode, --recovery, --limit or --rows)',
    run.campaign === identity.campaignId ? '' : 'the campaign',
    ...parts,
  ].filter((what) => what !== '');
  // Its name, its address and its identifiers are reported as parts where the run has these.
  const isOther = run.installation !== identity.installation;
  return isOther && parts.length === 0 ? [...changed, 'the installation'] : changed;
}
