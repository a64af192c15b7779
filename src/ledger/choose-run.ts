import type Database from 'better-sqlite3';
import { UsageError } from '../core/errors.js';
import type { RunIdentity } from '../core/ledger.js';
import type { RunRow } from './run-table.js';

/** What the ledger has for an import that is about to begin. */
export type Choice =
  | { readonly kind: 'new' }
  | { readonly kind: 'continue'; readonly run: RunRow }
  /** The very same import has been done. */
  | { readonly kind: 'done'; readonly run: RunRow };

/**
 * The latest run of the same content, mapping, installation and campaign, to be continued or found done; else a new
 * one. `wanted` names a run that has to be continued.
 * @throws UsageError when a run of the same files broke off and something that it is bound to has changed.
 */
export function chooseRun(
  database: Database.Database,
  identity: RunIdentity,
  wanted: string | undefined,
): Choice {
  const { content, mapping, installation, campaignId } = identity;
  const same = database
    .prepare<[string, string, string, number | null], RunRow>(
      `SELECT * FROM run WHERE content = ? AND mapping = ? AND installation = ? AND campaign IS ?
       ORDER BY created_at DESC, rowid DESC`,
    )
    .all(content, mapping, installation, campaignId);
  const run = wanted === undefined ? same[0] : same.find(({ id }) => id === wanted);
  if (run) return { kind: run.state === 'finished' ? 'done' : 'continue', run };
  const broken = brokenOff(database, identity, wanted);
  if (broken) throw changedSince(broken, identity);
  return { kind: 'new' };
}

/** A run of the same files that has not got to their end. */
function brokenOff(
  database: Database.Database,
  { inputs }: RunIdentity,
  wanted: string | undefined,
): RunRow | undefined {
  return wanted === undefined
    ? database
        .prepare<[string], RunRow>(
          `SELECT * FROM run WHERE inputs = ? AND (state IS NULL OR state = 'stopped')
           ORDER BY created_at DESC, rowid DESC LIMIT 1`,
        )
        .get(JSON.stringify(inputs))
    : database.prepare<[string], RunRow>('SELECT * FROM run WHERE id = ?').get(wanted);
}

function changedSince(run: RunRow, identity: RunIdentity): UsageError {
  const changed = [
    run.content === identity.content ? '' : 'the input',
    run.mapping === identity.mapping ? '' : 'the mapping',
    run.installation === identity.installation ? '' : 'the installation',
    run.campaign === identity.campaignId ? '' : 'the campaign',
  ].filter((what) => what !== '');
  const what = changed.join(' and ');
  const have = changed.length > 1 ? 'have' : 'has';
  return new UsageError(
    `Run ${run.id} of the same file is not at its end, and ${what} ${have} changed since it began. Restore what has changed to continue it, or begin anew with --again.`,
  );
}
