import type Database from 'better-sqlite3';
import { UsageError } from '../core/errors.js';
import type { Fact, FactKind } from '../core/facts.js';
import { foldChunk } from '../core/fold.js';
import type { RunIdentity } from '../core/ledger.js';
import { chunksOf } from './fact-table.js';
import type { RunRow } from './run-table.js';

/** What the ledger has for an import that is about to begin. */
export type Choice =
  | { readonly kind: 'new' }
  | { readonly kind: 'continue'; readonly run: RunRow }
  /** Nothing of the run has reached the contact center: it is forgotten, and the new one takes its id. */
  | { readonly kind: 'take_over'; readonly run: RunRow }
  /** The very same import has been done. */
  | { readonly kind: 'done'; readonly run: RunRow };

/** The ledger's database and the name of its file, for messages. */
export interface LedgerFile {
  readonly database: Database.Database;
  readonly file: string;
}

/**
 * The latest run of the same content, mapping, installation and campaign, to be continued or found done; else a new
 * one. A run of the same files that broke off before anything of it could reach the contact center binds nobody.
 * `wanted` names a run that has to be continued.
 * @throws UsageError when a run of the same files broke off and something that it is bound to has changed.
 */
export function chooseRun(
  ledger: LedgerFile,
  identity: RunIdentity,
  wanted: string | undefined,
): Choice {
  const { content, mapping, installation, campaignId } = identity;
  const same = ledger.database
    .prepare<[string, string, string, string, number | null], RunRow>(
      `SELECT * FROM run WHERE content IN (?, ?) AND mapping = ? AND installation = ? AND campaign IS ?
       ORDER BY created_at DESC, rowid DESC`,
    )
    .all(content, identity.glance?.content ?? content, mapping, installation, campaignId);
  const run = wanted === undefined ? same[0] : same.find(({ id }) => id === wanted);
  if (run?.state === 'finished') return { kind: 'done', run };
  if (run) return { kind: isIdle(ledger, run) ? 'take_over' : 'continue', run };
  const broken = brokenOff(ledger, identity, wanted);
  const binding = broken.find((one) => !isIdle(ledger, one));
  if (binding) throw changedSince(binding, identity);
  return broken[0] ? { kind: 'take_over', run: broken[0] } : { kind: 'new' };
}

/**
 * Whether the digest of large inputs decides what is done: where a run may have had the same content, or one of the
 * same files has to be continued. Runs of small files, and those of another fingerprint, had another content.
 */
export function isContentAsked(
  ledger: LedgerFile,
  identity: RunIdentity,
  wanted: string | undefined,
): boolean {
  const alike = ledger.database
    .prepare<[string | null]>('SELECT 1 FROM run WHERE fingerprint = ? LIMIT 1')
    .get(identity.glance?.fingerprint ?? null);
  return alike !== undefined || brokenOff(ledger, identity, wanted).length > 0;
}

/** Runs of the same files that have not got to their end, the latest first; or the one that is wanted. */
function brokenOff(
  { database }: LedgerFile,
  { inputs }: RunIdentity,
  wanted: string | undefined,
): RunRow[] {
  return wanted === undefined
    ? database
        .prepare<[string], RunRow>(
          `SELECT * FROM run WHERE inputs = ? AND (state IS NULL OR state = 'stopped')
           ORDER BY created_at DESC, rowid DESC`,
        )
        .all(JSON.stringify(inputs))
    : database.prepare<[string], RunRow>('SELECT * FROM run WHERE id = ?').all(wanted);
}

/** Facts that leave nothing at the contact center, where each intent was taken back. */
const HARMLESS: ReadonlySet<FactKind> = new Set([
  'read',
  'duplicates',
  'creating',
  'not_created',
  'looked_up',
  'changing',
  'not_changed',
  'inspected',
]);

/** Whether a run broke off with nothing at the contact center: every request that it intended surely never left. */
export function isIdle({ database, file }: LedgerFile, { id }: RunRow): boolean {
  const state = database
    .prepare<[string], Pick<RunRow, 'state'>>('SELECT state FROM run WHERE id = ?')
    .get(id)?.state;
  if (state === 'finished' || state === 'open') return false;
  for (const facts of chunksOf(database, file, id)) if (mayHaveArrived(facts)) return false;
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

function changedSince(run: RunRow, identity: RunIdentity): UsageError {
  const changed = [
    [identity.content, identity.glance?.content].includes(run.content) ? '' : 'the input',
    run.mapping === identity.mapping ? '' : 'the mapping (or --mode or --recovery)',
    run.installation === identity.installation ? '' : 'the installation',
    run.campaign === identity.campaignId ? '' : 'the campaign',
  ].filter((what) => what !== '');
  const what = changed.join(' and ');
  const have = changed.length > 1 ? 'have' : 'has';
  return new UsageError(
    `Run ${run.id} of the same file is not at its end, and ${what} ${have} changed since it began. Restore what has changed to continue it, or begin anew with --again.`,
  );
}
