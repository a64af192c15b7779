import { defined } from '../../core/defined.js';
import type { RowState } from '../../core/facts.js';
import { DONE_BEFORE, type DoneBy, type KnownKind } from '../../core/duplicates.js';
import type { KnownScope } from '../../core/ledger.js';
import type { RunMode } from '../../core/mode.js';

/** A row of an earlier run, and the runs that it belongs to. */
export interface EarlierRow {
  readonly state: RowState;
  /** Mode of the earlier run. */
  readonly mode: RunMode;
  /** Whether it had the campaign of the new run. */
  readonly sameCampaign: boolean;
  /** Whether the new run adds clients to a campaign. */
  readonly enqueues: boolean;
  /** Whether the earlier run was taken back, and this row was not, or not wholly. */
  readonly isTakenBack: boolean;
  /** Whether a run was taken back since whose rows the earlier one took as they were. */
  readonly reliesOnUndone: boolean;
}

/** What a row of an earlier run means for the same row of a new one. */
export interface Repeat {
  /**
   * `gone`: the run reversed what runs before it had done, so that nothing is known of the row. `removed`: it removed the
   * client from the campaign; a card that an even earlier run created is only added to it again. `sent`: it did
   * something that does not count as done, so that the row is sent again.
   */
  readonly kind: KnownKind | 'gone' | 'removed' | 'sent';
  /** What the earlier run did, for the person. */
  readonly what: string;
  /** The even earlier run that did it, where it was not this one. */
  readonly by?: DoneBy;
  /** It counts only where no other run has the row: there is a card, and who made it is not on record here. */
  readonly isLast?: true;
}

/** What a mode does about rows that an earlier run has done. */
export interface RepeatRule {
  /** Modes of runs that did what this one would do again. */
  readonly modes: ReadonlySet<RunMode>;
  /** Which earlier runs it asks. */
  readonly scope: KnownScope;
  /** Whether rows are identified by their place in the file too: a client may have several. */
  readonly byPlace: boolean;
  /** Whether a client that was sent otherwise is left out, as one that is there: else it is sent again. @default false */
  readonly skipsChanged?: boolean;
  readonly repeatOf: (row: EarlierRow) => Repeat | null;
}

/**
 * Modes that would do something twice, or be refused, when a row that was done is sent again. The others bring a client
 * to a state, and may do so any number of times.
 */
export const REPEATS: Readonly<Record<RunMode, RepeatRule | null>> = {
  create: {
    modes: new Set(['create', 'upsert', 'delete', 'dequeue']),
    scope: 'same files',
    byPlace: false,
    repeatOf: repeatedCreation,
  },
  enqueue: {
    modes: new Set(['enqueue', 'dequeue', 'delete']),
    scope: 'same content',
    byPlace: false,
    repeatOf: repeatedEnqueueing,
  },
  dequeue: changeOnce('dequeue', ['create', 'upsert', 'enqueue'], false),
  delete: changeOnce('delete', ['create', 'upsert'], false),
  callbacks: changeOnce('callbacks', [], true),
  upsert: null,
  update: null,
  contacts: null,
  rekey: null,
  undo: null,
  reconcile: null,
};

const SUCCESS = /^Success/;

/** Cards of an earlier `create` or `upsert` are there; what is left is the campaign, where it is another one. */
function repeatedCreation(row: EarlierRow): Repeat | null {
  const { state, mode, sameCampaign, enqueues, isTakenBack, reliesOnUndone } = row;
  const { stage, createResult, doneBy } = state;
  if (mode === 'delete') return state.changedTo === 'deleted' ? GONE : null;
  if (mode === 'dequeue') return sameCampaign && state.changedTo === 'dequeued' ? REMOVED : null;
  const before = skippedBefore(row);
  if (before) return before;
  if (stage === 'creating' || stage === 'create_unknown')
    return { kind: 'create_unknown', what: 'sent' };
  if (createResult === null) return null;
  if (!doneBy && !SUCCESS.test(createResult)) return null;
  // What an undo has left of a client is not on record.
  if (isTakenBack || (doneBy && reliesOnUndone)) return { kind: 'create_unknown', what: 'sent' };
  if (doneBy) return repeatedAddition(row, doneBy);
  if (!enqueues) return { kind: 'done', what: 'created' };
  if (!sameCampaign) return { kind: 'created', what: 'created' };
  if (stage === 'enqueued') return { kind: 'done', what: 'created' };
  return stage === 'enqueuing' || stage === 'enqueue_unknown'
    ? { kind: 'enqueue_unknown', what: 'created' }
    : { kind: 'created', what: 'created' };
}

/** Nothing is known of a row that a run has reversed. */
const GONE: Repeat = { kind: 'gone', what: '' };
/** Its card is as it was, and its call application is not there any more. */
const REMOVED: Repeat = { kind: 'removed', what: '' };

/** A row that the earlier run left out itself, since an even earlier one had done it: that one may be forgotten by now. */
function skippedBefore(row: EarlierRow): Repeat | null {
  const { state, sameCampaign, enqueues, isTakenBack, reliesOnUndone } = row;
  const isDone = state.stage === 'skipped' && state.note?.code === DONE_BEFORE;
  if (!isDone && state.stage !== 'unchanged') return null;
  if (isTakenBack || reliesOnUndone) return { kind: 'create_unknown', what: 'sent' };
  const by = defined({ by: state.doneBy ?? undefined });
  if (!enqueues || sameCampaign) return { kind: 'done', what: 'created', ...by };
  return state.doneBy?.what === 'created'
    ? { kind: 'created', what: 'created', ...by }
    : { kind: 'create_unknown', what: 'sent', isLast: true };
}

/** Of a client whose card an even earlier run had created, which may be forgotten by now. */
function repeatedAddition(
  { state: { stage }, sameCampaign, enqueues }: EarlierRow,
  by: DoneBy,
): Repeat {
  if (!enqueues) return { kind: 'done', what: 'created', by };
  if (sameCampaign && stage === 'enqueued') return { kind: 'done', what: 'enqueued' };
  return sameCampaign && (stage === 'enqueuing' || stage === 'enqueue_unknown')
    ? { kind: 'enqueue_unknown', what: 'sent' }
    : { kind: 'created', what: 'created', by };
}

function repeatedEnqueueing(row: EarlierRow): Repeat | null {
  const { state, mode, sameCampaign, isTakenBack } = row;
  if (mode === 'delete') return state.changedTo === 'deleted' ? GONE : null;
  if (mode === 'dequeue') return sameCampaign && state.changedTo === 'dequeued' ? GONE : null;
  return sameCampaign && !isTakenBack && state.stage === 'enqueued'
    ? { kind: 'done', what: 'enqueued' }
    : null;
}

/** `reversedBy`: modes that bring back what this one takes away. */
function changeOnce(mode: RunMode, reversedBy: readonly RunMode[], byPlace: boolean): RepeatRule {
  return {
    modes: new Set([mode, ...reversedBy]),
    scope: 'same content',
    byPlace,
    repeatOf: (row) => (row.mode === mode ? repeatedChange(row) : broughtBack(row, mode)),
  };
}

function broughtBack({ state, sameCampaign }: EarlierRow, mode: RunMode): Repeat | null {
  const { stage, createResult } = state;
  if (mode === 'delete') return createResult !== null && SUCCESS.test(createResult) ? GONE : null;
  return sameCampaign && stage === 'enqueued' ? GONE : null;
}

function repeatedChange({ state, mode, sameCampaign }: EarlierRow): Repeat | null {
  if (!sameCampaign) return null;
  if (state.stage === 'changed' && state.changedTo !== null)
    return { kind: 'done', what: state.changedTo };
  if (state.stage === 'skipped' && state.note?.code === DONE_BEFORE)
    return { kind: 'done', what: 'done', ...defined({ by: state.doneBy ?? undefined }) };
  const isUnknown = state.stage === 'changing' || state.stage === 'change_unknown';
  return isUnknown && mode === 'callbacks' ? { kind: 'change_unknown', what: 'sent' } : null;
}
