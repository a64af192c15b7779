import { UsageError } from '../../core/errors.js';
import type { RunRecord } from '../../core/ledger.js';
import { MODE_TRAITS } from '../../core/mode.js';
import type { Problem } from '../../core/problem.js';
import { undoOf } from '../../core/undo.js';
import { onJson } from '../../pipeline/change-rule.js';
import { undoRule } from '../../pipeline/change-rules.js';
import type { ImportResult, UndoRequest } from '../requests.js';
import { executeOnRun } from '../run/execute-on-run.js';
import { placeSettings } from '../run/run-settings.js';

/**
 * Takes back what a run did: removes the call applications that it added (interface.md 4.10), deletes the clients that
 * it created (4.7), and gives the fields that it changed their values from before (4.2). It is a run of its own, with
 * report and continuation; what cannot be taken back ends as `failed`, and the report says why.
 * @throws UsageError when the run is not on record, was of a mode of which nothing can be taken back, or was on another
 * contact center; LedgerInUseError when it is under way; ConfigurationError, LedgerError as `importFiles` does.
 */
export function undoRun(request: UndoRequest): Promise<ImportResult> {
  const { undoes, cancelCallbacks = false } = request;
  return executeOnRun(request, {
    run: undoes,
    holds: true,
    checkRun: refuseNotUndoable,
    // Of several rows of a client the last one is taken back first: each finds what it left.
    rows: () => ({ backwards: true, payloadOf: undoOf, skipped: NOTHING_DONE }),
    plan: ({ campaignId }) => ({
      mode: 'undo',
      changeRule: (changes) => onJson(undoRule(changes, { campaignId, cancelCallbacks })),
    }),
    // It is always the same one, unless the run was continued since.
    identity: async ({ run }, ledger) => `undo ${run} ${await ledger.lastFact(run)}`,
    settings: { ...placeSettings(request), mode: 'undo', undoes, cancelCallbacks },
  });
}

const NOTHING_DONE: Problem = {
  column: null,
  code: 'nothing_done',
  message: 'The run did nothing with this row that could be taken back.',
  value: null,
};

function refuseNotUndoable({ run, mode }: RunRecord): void {
  const reason = MODE_TRAITS[mode].notUndoable;
  if (reason !== null)
    throw new UsageError(`Run ${run} is of mode ${mode}, and cannot be taken back: ${reason}.`);
}
