import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { centerKey } from '../../core/center.js';
import { LedgerInUseError, UsageError } from '../../core/errors.js';
import type { RowState } from '../../core/facts/row-state.js';
import type { Installation } from '../../installation/installation.js';
import type { RunRecord } from '../../core/ledger.js';
import type { Problem } from '../../core/problem.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { loadInstallation } from '../../installation/load.js';
import type { Expected } from '../../reconcile/compare.js';
import { executeRun } from '../run/execute-run.js';
import { connect } from '../connect/connect.js';
import { inspector } from './inspector.js';
import { ledgerPath } from '../run/ledger-path.js';
import type { ImportResult, ReconcileRunRequest } from '../requests.js';
import { centerOf } from '../repeats/run-identity.js';
import { recordedRun } from '../runs/runs.js';
import { planForRun } from '../run/plan-for-run.js';
import type { RunPlan } from '../run/run-plan.js';

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
export async function reconcileRun(request: ReconcileRunRequest): Promise<ImportResult> {
  const installation = await loadInstallation(request.installation);
  const file = ledgerPath(request.ledger, installation);
  const ledger = openLedger(file);
  try {
    const checked = recordedRun(ledger, file, request.checks);
    refuseUncheckable(checked, installation, request);
    const connection = connect(request, installation);
    try {
      const digest = createHash('sha256').update(`reconcile ${checked.run}`).digest('hex');
      return await executeRun(request, checkPlan(ledger, checked, installation), {
        ledger,
        identity: {
          inputs: [`run ${checked.run}`],
          content: digest,
          mapping: digest,
          installation: checked.installation,
          campaignId: checked.campaignId,
        },
        settings: {
          mode: 'reconcile',
          checks: checked.run,
          installation: resolve(request.installation),
          sandbox: request.baseUrl !== undefined,
        },
        connection,
        before: () => 0,
      });
    } finally {
      await connection.center.close();
    }
  } finally {
    await ledger.close();
  }
}

function refuseUncheckable(
  { run, mode, state, rows, outcomes, installation: center }: RunRecord,
  installation: Installation,
  request: ReconcileRunRequest,
): void {
  if (mode === 'undo' || mode === 'reconcile')
    throw new UsageError(`Run ${run} is of mode ${mode}; check the import itself.`);
  if (state === 'running')
    throw new LedgerInUseError(`Run ${run} is under way; it can be checked when it has ended.`);
  if (centerKey(center) !== centerKey(centerOf(installation, request.baseUrl !== undefined)))
    throw new UsageError(
      `Run ${run} was on another contact center than the one that installation "${installation.name}" describes.`,
    );
  const sum = Object.values(outcomes ?? {}).reduce((total, count) => total + count, 0);
  if (rows !== null && outcomes !== null && rows !== sum)
    request.onWarning?.(`Run ${run} read ${rows} rows, and its outcomes add up to ${sum}.`);
}

function checkPlan(ledger: Ledger, record: RunRecord, installation: Installation): RunPlan {
  return {
    mode: 'reconcile',
    ...planForRun(ledger, record, installation, {
      payloadOf: (state) => claimOf(state, record.campaignId),
      skipped: NOTHING_CLAIMED,
    }),
    changeRule: () => null,
    inspect: (changes) => inspector(changes, rulesOf(installation), (claim) => claim as Expected),
  };
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
