import { foldChunk } from '../../core/facts.js';
import { MODE_TRAITS } from '../../core/mode.js';
import { undoOf } from '../../core/undo.js';
import { recordedRun } from '../runs/recorded-run.js';
import { existingLedger } from '../runs/runs.js';

/** What an undo of a run would do. */
export interface UndoPreview {
  /** When the run began, in milliseconds of the epoch. */
  readonly createdAt: number;
  /** Rows of which something would be taken back. */
  readonly rows: number;
  /** Clients that would be deleted. */
  readonly cards: number;
  /** Call applications that would be removed. */
  readonly applications: number;
  /** Clients whose fields would get their values from before. */
  readonly fields: number;
  /** Rows of which something cannot be taken back, or is not known. */
  readonly remaining: number;
  /** Why nothing of it can be taken back; `null` when it can. */
  readonly notUndoable: string | null;
}

/** Counts what an undo of a run would take back. Sends nothing. @throws UsageError when the run is not on record */
export async function previewUndo(run: string, ledgerFile: string): Promise<UndoPreview> {
  const ledger = await existingLedger(ledgerFile);
  try {
    const { mode, createdAt } = await recordedRun(ledger, ledgerFile, run);
    const counts = { createdAt, rows: 0, cards: 0, applications: 0, fields: 0, remaining: 0 };
    const { notUndoable } = MODE_TRAITS[mode];
    if (notUndoable !== null) return { ...counts, notUndoable };
    for (const [, facts] of await ledger.factsOf(run)) {
      for (const state of foldChunk(facts)?.states ?? []) {
        const payload = undoOf(state);
        if (!payload) continue;
        const { created, enqueued, fields, remarks } = payload;
        if (created) counts.cards++;
        if (enqueued) counts.applications++;
        if (fields && !created) counts.fields++;
        if (remarks) counts.remaining++;
        if (created || enqueued || fields) counts.rows++;
      }
      // Others get their turn.
      await new Promise(setImmediate);
    }
    return { ...counts, notUndoable };
  } finally {
    await ledger.close();
  }
}
