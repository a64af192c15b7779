import { LedgerInUseError, UsageError } from '../../core/errors.js';
import type { RowState } from '../../core/facts.js';
import type { RunRecord } from '../../core/ledger.js';
import type { Problem } from '../../core/problem.js';
import type { Installation } from '../../installation/installation.js';
import type { Expected } from '../../reconcile/compare.js';
import type { ImportResult, ReconcileRunRequest } from '../requests.js';
import { executeOnRun } from '../run/execute-on-run.js';
import { placeSettings } from '../run/run-settings.js';
import { announceLookUps, inspector } from './inspector.js';

const NOTHING_CLAIMED: Problem = {
  column: null,
  code: 'nothing_claimed',
  message: 'The report claims nothing of this row that could be looked for.',
  value: null,
};

/**
 * Checks that everything that the report of an earlier run claims is so in the contact center: cards that it created or
 * changed, call applications that it added or removed, cards that it deleted. It changes nothing.
 * @throws UsageError when the run is not on record, is under way, or changed nothing
 */
export function reconcileRun(request: ReconcileRunRequest): Promise<ImportResult> {
  const { checks } = request;
  return executeOnRun(request, {
    run: checks,
    holds: false,
    checkRun: (record) => {
      refuseUncheckable(record);
      warnOfWrongSum(record, request);
    },
    rows: ({ campaignId }) => ({
      payloadOf: (state) => claimOf(state, campaignId),
      skipped: NOTHING_CLAIMED,
    }),
    plan: ({ rows, campaignId }, installation) => {
      const perRow = campaignId === null ? 1 : 2;
      announceLookUps({ rows: rows ?? 0, isEstimate: false, perRow }, request, installation);
      return {
        mode: 'reconcile',
        changeRule: () => null,
        inspect: (changes) =>
          inspector(changes, rulesOf(installation), (claim) => claim as Expected),
      };
    },
    identity: ({ run }) => Promise.resolve(`reconcile ${run}`),
    settings: { ...placeSettings(request), mode: 'reconcile', checks },
  });
}

function refuseUncheckable({ run, mode, state }: RunRecord): void {
  if (mode === 'undo' || mode === 'reconcile')
    throw new UsageError(`Run ${run} is of mode ${mode}; check the import itself.`);
  if (state === 'running')
    throw new LedgerInUseError(`Run ${run} is under way; it can be checked when it has ended.`);
}

function warnOfWrongSum(
  { run, rows, outcomes }: RunRecord,
  { onWarning }: ReconcileRunRequest,
): void {
  const sum = Object.values(outcomes ?? {}).reduce((total, count) => total + count, 0);
  if (rows !== null && outcomes !== null && rows !== sum)
    onWarning?.(`Run ${run} read ${rows} rows, and its outcomes add up to ${sum}.`);
}

function rulesOf({ card }: Installation) {
  return Object.fromEntries(
    Object.entries(card).map(([name, { type }]) => [
      name,
      { type: type === 'Number' ? ('Number' as const) : ('text' as const), ignoreCase: false },
    ]),
  );
}

const SUCCEEDED = /^Success/;

/** What the report claims of a row; `null`: nothing. */
function claimOf(state: RowState, campaignId: number | null): Expected | null {
  const { createResult, enqueueResult, changedTo, clientId, earlier } = state;
  const isCreated = createResult !== null && SUCCEEDED.test(createResult);
  const isEnqueued = enqueueResult !== null && SUCCEEDED.test(enqueueResult);
  if (changedTo === 'deleted') return { fields: {}, campaignId: null, gone: 'card' };
  if (changedTo === 'dequeued') return { fields: {}, campaignId, gone: 'application' };
  if (!isCreated && !isEnqueued && changedTo === null) return null;
  const written = Object.entries(earlier?.fields ?? {}).map(([name, [, value]]) => [name, value]);
  return {
    fields: Object.fromEntries(written) as Expected['fields'],
    campaignId: isEnqueued || changedTo === 'scheduled' ? campaignId : null,
    ...(isCreated ? { clientId } : {}),
  };
}
