import { EXIT } from '../../core/errors.js';
import { noOutcomes } from '../../core/outcome.js';
import type { ImportResult } from '../requests.js';
import type { RunPlan } from './run-plan.js';

/** A run that was handed over as a whole, and whose rows workers send: nobody has counted them yet. */
export function resultOfDetached(
  run: string,
  { mode, inputs, campaign }: RunPlan,
  out: string,
  ledger: string,
): ImportResult {
  return {
    exitCode: EXIT.ok,
    summary: {
      ...{ run, mode, rows: 0, outcomes: noOutcomes(), requests: 0, retries: 0 },
      ...{ seconds: 0, rowsPerSecond: 0, state: 'stopped', inputs, ledger },
      campaignId: campaign?.id ?? null,
    },
    ...{ out, ledger, report: '', rejects: [], detached: true },
  };
}
