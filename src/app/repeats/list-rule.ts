import { UNCHANGED_SINCE } from '../../core/duplicates.js';
import { defined } from '../../core/defined.js';
import { awaitsCampaign, type RowState, type RowStage } from '../../core/facts.js';
import type { Mode, RunMode } from '../../core/mode.js';
import { type EarlierRow, REPEATS, type Repeat, type RepeatRule } from './repeats.js';

/** Modes of runs that say something of the clients of a list. */
const MODES: ReadonlySet<RunMode> = new Set([
  ...(['create', 'upsert', 'update'] as const),
  ...(['undo', 'delete', 'dequeue'] as const),
]);

/**
 * What earlier issues of a list mean for the rows of a new one. A mode that creates clients does so once: rows that have
 * changed since are left out. The others bring clients to the state of their rows.
 */
export function listRule(mode: Mode): RepeatRule {
  const creates = mode === 'create' ? REPEATS.create : null;
  if (creates)
    return {
      ...creates,
      skipsChanged: true,
      repeatOf: (row) => createdAs(row, creates.repeatOf(row)),
    };
  return { modes: MODES, scope: 'same list', byPlace: false, repeatOf: wordOf };
}

function createdAs(row: EarlierRow, repeat: Repeat | null): Repeat | null {
  const { mode, state, sameCampaign } = row;
  // Whether it is still in the campaign shows when it is added again.
  if (mode === 'dequeue' && sameCampaign && isInDoubt(state.stage))
    return { kind: 'enqueue_unknown', what: 'sent' };
  return repeat?.kind === 'done' && isConfirmed(row) ? { ...repeat, kind: 'unchanged' } : repeat;
}

/** The last word on a client that a run has; `null`: it has none. */
function wordOf(row: EarlierRow): Repeat | null {
  const { state, mode, sameCampaign } = row;
  const { stage } = state;
  if (stage === 'pending' || stage === 'skipped') return null;
  if (mode === 'delete') return state.changedTo === 'deleted' || isInDoubt(stage) ? GONE : null;
  // What it left as it was may be in the campaign.
  if (mode === 'undo') return stage === 'rejected' ? null : SENT;
  if (mode === 'dequeue') return sameCampaign ? removalOf(state) : null;
  if (!sameCampaign) return stage === 'rejected' ? null : GONE;
  if (isConfirmed(row))
    return { kind: 'unchanged', what: 'sent', ...defined({ by: state.doneBy ?? undefined }) };
  return isInDoubt(stage) ? LOST : SENT;
}

const GONE: Repeat = { kind: 'gone', what: '' };
const SENT: Repeat = { kind: 'sent', what: 'sent' };
const LOST: Repeat = { kind: 'lost', what: 'sent' };

/** A client whose call application may be there still has to go. */
function removalOf({ stage, changedTo }: RowState): Repeat {
  if (isInDoubt(stage)) return LOST;
  return changedTo === null ? SENT : GONE;
}

const DOUBTS: ReadonlySet<RowStage> = new Set([
  'creating',
  'create_unknown',
  'enqueuing',
  'enqueue_unknown',
  'changing',
  'change_unknown',
]);

const isInDoubt = (stage: RowStage): boolean => DOUBTS.has(stage);

const SUCCESS = 'Success';

/**
 * Whether the contact center said that it has the row as it was sent. That a lookup found a card says only that there
 * is one.
 */
function isConfirmed({ state, enqueues }: EarlierRow): boolean {
  const { stage, doneBy, createResult, changeResult, changedTo, note } = state;
  if (stage === 'unchanged') return note?.code === UNCHANGED_SINCE;
  const isWhole = stage === 'enqueued' || stage === 'created' || stage === 'changed';
  if (!isWhole || doneBy !== null || awaitsCampaign(state, enqueues)) return false;
  return (
    createResult === SUCCESS ||
    (changeResult === SUCCESS && (changedTo === 'updated' || changedTo === 'unchanged'))
  );
}
