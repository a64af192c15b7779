import { ChangedSinceError, LedgerInUseError, UsageError } from '../../core/errors/errors.js';
import type { RunIdentity } from '../../core/ledger.js';
import { refuseUnfinished } from './earlier-runs.js';
import { refuseTaken } from './in-use.js';
import { filesText, isOvertaken, isReversed } from './later-runs.js';
import type { LedgerParts } from '../ledger-parts.js';
import type { RunRequest } from './run-request.js';
import { type RunRow, modeOf, partsText } from './run-table.js';
import { isIdle, isTakenBack, undosOf } from './taken-back.js';

export type { LedgerParts } from '../ledger-parts.js';

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
  ledger: LedgerParts,
  { identity, run: wanted, readsOnly = false }: RunRequest,
): Choice {
  const runs = sameRuns(ledger, identity);
  const run =
    wanted === undefined
      ? runs.find((one) => isUndisputed(ledger, one))
      : runs.find(({ id }) => id === wanted);
  if (run && wanted !== undefined && isTakenBack(ledger, run))
    throw new UsageError(`Run ${run.id} was taken back by an undo; import its file again.`);
  if (run && wanted !== undefined && isOvertaken(ledger, run))
    throw new UsageError(
      `A later run of the same file has come to its end since run ${run.id} broke off; import the file again, which sends what both have left.`,
    );
  if (run?.state === 'finished') {
    if (isReversed(ledger, run)) return { kind: 'new' };
    for (const undo of undosOf(ledger, [run.id])) refuseUnfinished(ledger, run, undo);
    return { kind: 'done', run };
  }
  if (run) return { kind: isIdle(ledger, run) ? 'take_over' : 'continue', run };
  // Who only reads and who sends have nothing to do with each other.
  const broken = brokenOff(ledger, identity, wanted)
    .filter((one) => (modeOf(one) === 'reconcile') === readsOnly)
    .filter((one) => isUndisputed(ledger, one));
  const binding = broken.find((one) => !isIdle(ledger, one));
  if (binding) {
    refuseTaken(ledger, binding);
    throw changedSince(binding, identity);
  }
  return broken[0] ? { kind: 'take_over', run: broken[0] } : { kind: 'new' };
}

/**
 * Whether a run was neither taken back nor overtaken by a later one.
 * @throws LedgerInUseError when another process works on one that was
 */
function isUndisputed(ledger: LedgerParts, run: RunRow): boolean {
  if (!isTakenBack(ledger, run) && !isOvertaken(ledger, run)) return true;
  refuseTaken(ledger, run);
  return false;
}

/** Whether a run can be continued: nobody works on it, and it was neither taken back nor overtaken. */
export function canContinue(ledger: LedgerParts, run: RunRow): boolean {
  if (run.state === 'finished' || ledger.locks.isTaken(run.id)) return false;
  try {
    return isUndisputed(ledger, run);
  } catch (error) {
    // Somebody takes it back at this moment.
    if (error instanceof LedgerInUseError) return false;
    throw error;
  }
}

/**
 * Id of the latest of these runs, given the latest first, that can be continued; one on which somebody works only where
 * there is no other.
 */
export function latestToResume(ledger: LedgerParts, runs: readonly RunRow[]): string | undefined {
  const open = runs.filter(({ state }) => state !== 'finished');
  const found =
    open.find((run) => canContinue(ledger, run)) ??
    open.find(({ id }) => ledger.locks.isTaken(id));
  return found?.id;
}

/**
 * The choice of who wants to begin anew, whatever the ledger has.
 * @throws LedgerInUseError when another process works on an import of the same files or content at this moment, or takes
 * the very same one back
 */
export function chooseAnew(ledger: LedgerParts, identity: RunIdentity): Choice {
  const runs = [...sameRuns(ledger, identity), ...brokenOff(ledger, identity, undefined)];
  for (const run of runs) refuseTaken(ledger, run);
  return { kind: 'new' };
}

/** Runs that were bound to the same, the latest first. What only samples of large inputs say is no proof of an end. */
function sameRuns({ database }: LedgerParts, identity: RunIdentity): RunRow[] {
  const { content, fingerprint, mapping, installation, campaignId } = identity;
  return database
    .prepare<[string, string, string, string, number | null, string], RunRow>(
      `SELECT * FROM run WHERE content IN (?, ?) AND mapping = ? AND installation = ? AND campaign IS ?
         AND (parts IS NULL OR parts = ?)
       ORDER BY rowid DESC`,
    )
    .all(
      content,
      fingerprint?.content ?? content,
      mapping,
      installation,
      campaignId,
      partsText(identity),
    )
    .filter((run) => run.state !== 'finished' || run.content !== fingerprint?.content);
}

/**
 * Whether the digest of large inputs decides what is done: where a run may have had the same content, or one of the
 * same files has to be continued. Runs of small files, and those of another fingerprint, had another content.
 */
export function isContentAsked(
  ledger: LedgerParts,
  identity: RunIdentity,
  wanted: string | undefined,
): boolean {
  const alike = ledger.database
    .prepare<[string | null]>('SELECT 1 FROM run WHERE fingerprint = ? LIMIT 1')
    .get(identity.fingerprint?.sample ?? null);
  return alike !== undefined || brokenOff(ledger, identity, wanted).length > 0;
}

/** Runs of the same files or content that have not got to their end, the latest first; or the one that is wanted. */
function brokenOff(
  { database }: LedgerParts,
  { inputs, content }: RunIdentity,
  wanted: string | undefined,
): RunRow[] {
  return wanted === undefined
    ? database
        .prepare<[string, string], RunRow>(
          `SELECT * FROM run WHERE (inputs = ? OR content = ?) AND (state IS NULL OR state = 'stopped')
           ORDER BY rowid DESC`,
        )
        .all(filesText(inputs), content)
    : database.prepare<[string], RunRow>('SELECT * FROM run WHERE id = ?').all(wanted);
}

function changedSince(run: RunRow, identity: RunIdentity): ChangedSinceError {
  const changed = changedParts(run, identity);
  const what = changed.join(' and ');
  const have = changed.length > 1 ? 'have' : 'has';
  return new ChangedSinceError(
    `Run ${run.id} of the same file is not at its end, and ${what} ${have} changed since it began. Restore what has changed to continue it; or take back what it did (cardline undo ${run.id}); or begin anew with --again, which sends all rows, also those that it has sent.`,
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
