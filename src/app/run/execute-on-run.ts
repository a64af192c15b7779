import { createHash } from 'node:crypto';
import { centerKey } from '../../core/center.js';
import { UsageError } from '../../core/errors.js';
import type { RunIdentity, RunRecord } from '../../core/ledger.js';
import type { Installation } from '../../installation/installation.js';
import { loadInstallation } from '../../installation/load.js';
import { type HeldRun, type Ledger, openLedger } from '../../ledger/ledger.js';
import { connect } from '../connect/connect.js';
import { joinSharedPace } from '../connect/join-shared-pace.js';
import { centerOf } from '../repeats/run-identity.js';
import type { ImportResult, RunOptions } from '../requests.js';
import { recordedRun } from '../runs/recorded-run.js';
import { executeRun } from './execute-run.js';
import { ledgerPath } from './ledger-path.js';
import { observed } from './observe/observed.js';
import { type RowsOfRun, planForRun, type SharedPlan } from './plan-for-run.js';
import type { RunPlan } from './run-plan.js';

/** What is done with the rows of a run on record. */
export interface WorkOnRun {
  /** Id of the run. */
  readonly run: string;
  /** Whether nobody may continue the run meanwhile. */
  readonly holds: boolean;
  /** @throws UsageError where this cannot be done with the run */
  readonly checkRun: (record: RunRecord) => void;
  readonly rows: (record: RunRecord) => RowsOfRun;
  readonly plan: (record: RunRecord, installation: Installation) => Omit<RunPlan, keyof SharedPlan>;
  /** Text that is the same when the same is done once more. */
  readonly identity: (record: RunRecord, ledger: Ledger) => Promise<string>;
  /** Whatever is needed to begin it again without its command. */
  readonly settings: object;
}

/** Executes a run whose input is a run on record, in the same ledger and at the same contact center. */
export const executeOnRun = (request: RunOptions, work: WorkOnRun): Promise<ImportResult> =>
  observed(request, (seen) => executeObserved(seen, work));

async function executeObserved(request: RunOptions, work: WorkOnRun): Promise<ImportResult> {
  const installation = await loadInstallation(request.installation);
  const file = ledgerPath(request.ledger, installation);
  const ledger = await openLedger(file, { lease: request.lease });
  let held: HeldRun | undefined;
  try {
    await recordedRun(ledger, file, work.run);
    if (work.holds) held = await ledger.holdRun(work.run);
    // As it is now that nobody continues it.
    const record = await recordedRun(ledger, file, work.run);
    work.checkRun(record);
    refuseOtherCenter(record, installation, request);
    const connection = connect(request, installation);
    if (held) connection.gates.add(held.mayBegin);
    connection.shared = await joinSharedPace(request, installation);
    try {
      const shared = planForRun(ledger, record, installation, work.rows(record));
      return await executeRun(
        request,
        { ...shared, ...work.plan(record, installation) },
        {
          ledger,
          identity: identityOn(record, await work.identity(record, ledger)),
          settings: work.settings,
          connection,
          before: () => 0,
        },
      );
    } finally {
      await connection.shared?.close();
      await connection.center.close();
    }
  } finally {
    await held?.release();
    await ledger.close();
  }
}

function refuseOtherCenter(
  { run, installation: center }: RunRecord,
  installation: Installation,
  { baseUrl }: RunOptions,
): void {
  if (centerKey(center) !== centerKey(centerOf(installation, baseUrl !== undefined)))
    throw new UsageError(
      `Run ${run} was on another contact center than the one that installation "${installation.name}" describes.`,
    );
}

function identityOn({ run, installation, campaignId }: RunRecord, text: string): RunIdentity {
  const digest = createHash('sha256').update(text).digest('hex');
  return { inputs: [`run ${run}`], content: digest, mapping: digest, installation, campaignId };
}
