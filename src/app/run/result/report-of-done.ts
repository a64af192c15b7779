import { resolve } from 'node:path';
import type { RunRecord } from '../../../core/ledger.js';
import { syncFields } from '../../../installation/installation.js';
import type { Ledger } from '../../../ledger/ledger.js';
import type { ImportResult, RunOptions } from '../../requests.js';
import { resultOfDone } from './done-run.js';
import { reportsOrCounts } from './end-of-run.js';
import type { RunPlan } from '../run-plan.js';

/**
 * The result of an import that was finished earlier, with its report: that of a shared run is written by whoever waits for
 * its end, and its submitter may not have lived to see it.
 */
export async function reportOfDone(
  record: RunRecord,
  ledger: Ledger,
  { list: _, ...plan }: RunPlan,
  request: RunOptions,
): Promise<ImportResult> {
  const out = resolve(request.out ?? record.out);
  const done = resultOfDone({ ...record, out }, ledger.file);
  if (done.report !== '') return done;
  const { run, inputs } = record;
  const { report, rejects, reasons } = await reportsOrCounts({
    run: {
      run,
      rows: () => ledger.rowsOf(run),
      waiting: () => ledger.waitingOf(run),
    },
    ...{ plan, out, inputs },
    identifierNames: syncFields(plan.installation.card),
    ...{ requests: 0, retries: 0, seconds: 0, stopped: false, ledger: ledger.file },
    unread: () => ({ rows: 0, exact: true }),
    onWarning: (message) => request.onWarning?.(message),
  });
  return { ...done, report, rejects, ...(reasons ? { reasons } : {}) };
}
