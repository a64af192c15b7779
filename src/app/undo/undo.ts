import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { centerKey } from '../../core/center.js';
import { UsageError } from '../../core/errors.js';
import type { Installation } from '../../installation/installation.js';
import type { RunIdentity, RunRecord } from '../../core/ledger.js';
import { MODE_TRAITS } from '../../core/mode.js';
import type { Problem } from '../../core/problem.js';
import { undoOf } from '../../core/undo.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import type { RunLock } from '../../ledger/runs/run-lock.js';
import { loadInstallation } from '../../installation/load.js';
import { onJson } from '../../pipeline/change/rule.js';
import { undoRule } from '../../pipeline/change/undo.js';
import { executeRun } from '../run/execute-run.js';
import { connect } from '../connect/connect.js';
import { ledgerPath } from '../run/ledger-path.js';
import type { ImportResult, UndoRequest } from '../requests.js';
import { centerOf } from '../repeats/run-identity.js';
import type { UndoSettings } from '../run/run-settings.js';
import { recordedRun } from '../runs/runs.js';
import { planForRun } from '../run/plan-for-run.js';
import type { RunPlan } from '../run/run-plan.js';

/**
 * Takes back what a run did: removes the call applications that it added (interface.md 4.10), deletes the clients that
 * it created (4.7), and gives the fields that it changed their values from before (4.2). It is a run of its own, with
 * report and continuation; what cannot be taken back ends as `failed`, and the report says why.
 * @throws UsageError when the run is not on record, was of a mode of which nothing can be taken back, or was on another
 * contact center; LedgerInUseError when it is under way; ConfigurationError, LedgerError as `importFiles` does.
 */
export async function undoRun(request: UndoRequest): Promise<ImportResult> {
  const installation = await loadInstallation(request.installation);
  const file = ledgerPath(request.ledger, installation);
  const ledger = openLedger(file);
  let held: RunLock | undefined;
  try {
    recordedRun(ledger, file, request.undoes);
    // Nobody goes on with the run meanwhile.
    held = ledger.holdRun(request.undoes);
    const undone = recordedRun(ledger, file, request.undoes);
    checkUndoable(undone, installation, request);
    const connection = connect(request, installation);
    try {
      return await executeRun(request, undoPlan(ledger, undone, installation, request), {
        ledger,
        identity: undoIdentity(undone, ledger.lastFact(undone.run)),
        settings: undoSettings(request),
        connection,
        before: () => 0,
      });
    } finally {
      await connection.center.close();
    }
  } finally {
    held?.release();
    await ledger.close();
  }
}

const NOTHING_DONE: Problem = {
  column: null,
  code: 'nothing_done',
  message: 'The run did nothing with this row that could be taken back.',
  value: null,
};

function checkUndoable(
  { run, mode, installation: center }: RunRecord,
  installation: Installation,
  { baseUrl }: UndoRequest,
): void {
  const reason = MODE_TRAITS[mode].notUndoable;
  if (reason !== null)
    throw new UsageError(`Run ${run} is of mode ${mode}, and cannot be taken back: ${reason}.`);
  if (centerKey(center) !== centerKey(centerOf(installation, baseUrl !== undefined)))
    throw new UsageError(
      `Run ${run} was on another contact center than the one that installation "${installation.name}" describes.`,
    );
}

function undoPlan(
  ledger: Ledger,
  record: RunRecord,
  installation: Installation,
  { cancelCallbacks = false }: UndoRequest,
): RunPlan {
  return {
    mode: 'undo',
    ...planForRun(ledger, record, installation, {
      // Of several rows of a client the last one is taken back first: each finds what it left.
      backwards: true,
      payloadOf: undoOf,
      skipped: NOTHING_DONE,
    }),
    changeRule: (changes) =>
      onJson(undoRule(changes, { campaignId: record.campaignId, cancelCallbacks })),
  };
}

/** An undo of a run is always the same one, unless the run has gone on since. */
function undoIdentity({ run, installation, campaignId }: RunRecord, lastFact: number): RunIdentity {
  const digest = createHash('sha256').update(`undo ${run} ${lastFact}`).digest('hex');
  return { inputs: [`run ${run}`], content: digest, mapping: digest, installation, campaignId };
}

function undoSettings(request: UndoRequest): UndoSettings {
  return {
    mode: 'undo',
    undoes: request.undoes,
    installation: resolve(request.installation),
    sandbox: request.baseUrl !== undefined,
    cancelCallbacks: request.cancelCallbacks ?? false,
  };
}
