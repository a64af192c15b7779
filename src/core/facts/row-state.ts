import type { Earlier } from '../change.js';
import type { RowRecord } from '../client/prepared.js';
import type { DoneBy } from '../duplicates/done-by.js';
import type { Inspection } from '../inspection.js';
import type { Outcome } from '../outcome.js';
import type { Problem } from '../problem.js';
import { type RowStage, STAGES } from './stage.js';

/** One row of a chunk, as far as the facts show. */
export interface RowState {
  stage: RowStage;
  clientId: number | null;
  createResult: string | null;
  /** The earlier run that created its card, or did all that the row asks for. */
  doneBy: DoneBy | null;
  enqueueResult: string | null;
  /** What became of a change: `Success`, or why it was refused. */
  changeResult: string | null;
  /** The outcome that the change gives the row; `null` as long as it has not been changed. */
  changedTo: Outcome | null;
  /** Contacts that were added by the change. */
  added: number;
  /** Contacts that the change added, or that were there before: which of the two, a lost answer left open. */
  maybeAdded: number;
  /** Whether a lookup before its creation did not find it. */
  wasAbsent: boolean;
  /** How the client stood before it was changed. */
  earlier: Earlier | null;
  /** What a comparison found. */
  inspection: Inspection | null;
  /** Lists of numbers that must not be called onto which a phone has come since the row was mapped. */
  listed: readonly string[] | null;
  /** Why a row is left out or unknown, beside the problems of its record. */
  note: Problem | null;
}

const FROM_STATUS = ['pending', 'rejected', 'skipped'] as const satisfies readonly RowStage[];

/** How a row stands before anything was done for it. */
export function initialState(record: RowRecord): RowState {
  return {
    stage: FROM_STATUS[record[3]],
    clientId: null,
    createResult: null,
    doneBy: null,
    enqueueResult: null,
    changeResult: null,
    changedTo: null,
    added: 0,
    maybeAdded: 0,
    wasAbsent: false,
    earlier: null,
    inspection: null,
    listed: null,
    note: null,
  };
}

/** How a row counts, if nothing more becomes of it. */
export function outcomeOf({ stage, changedTo, inspection }: RowState): Outcome {
  const { outcome } = STAGES[stage];
  if (outcome === 'verdict') return inspection?.verdict ?? 'unknown';
  return outcome === 'change' ? (changedTo ?? 'unknown') : outcome;
}

/** Whether a row is yet to be added to the campaign of its run. */
export function awaitsCampaign({ stage, enqueueResult }: RowState, campaign: boolean): boolean {
  return campaign && (stage === 'created' || (stage === 'changed' && enqueueResult === null));
}
