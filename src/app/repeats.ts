import type { RowState } from '../core/fold.js';
import type { KnownKind } from '../core/known.js';
import type { KnownScope } from '../core/ledger.js';
import type { RunMode } from '../core/mode.js';

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
  readonly kind: KnownKind;
  /** What the earlier run did, for the person. */
  readonly what: string;
}

/** What a mode does about rows that an earlier run has done. */
export interface RepeatRule {
  /** Modes of runs that did what this one would do again. */
  readonly modes: ReadonlySet<RunMode>;
  /** Which earlier runs it asks. */
  readonly scope: KnownScope;
  /** Whether rows are told by their place in the file too: a client may have several. */
  readonly byPlace: boolean;
  readonly repeatOf: (row: EarlierRow) => Repeat | null;
}

/**
 * Modes that would do something twice, or be refused, when a row that was done is sent again. The others bring a client
 * to a state, and may do so any number of times.
 */
export const REPEATS: Readonly<Record<RunMode, RepeatRule | null>> = {
  create: {
    modes: new Set(['create', 'upsert']),
    scope: 'same files',
    byPlace: false,
    repeatOf: repeatedCreation,
  },
  enqueue: {
    modes: new Set(['enqueue']),
    scope: 'same content',
    byPlace: false,
    repeatOf: repeatedEnqueueing,
  },
  dequeue: changeOnce('dequeue', false),
  delete: changeOnce('delete', false),
  callbacks: changeOnce('callbacks', true),
  upsert: null,
  update: null,
  contacts: null,
  rekey: null,
  undo: null,
  reconcile: null,
};

const SUCCESS = /^Success/;
/** Of a row of which an earlier run had created the card, or was about to add it to the campaign. */
const KNOWN = /^(Created|Sent) by run /;

/** Cards of an earlier `create` or `upsert` are there; what is left is the campaign, where it is another one. */
function repeatedCreation(row: EarlierRow): Repeat | null {
  const { state, sameCampaign, enqueues, isTakenBack, reliesOnUndone } = row;
  const { stage, createResult } = state;
  if (stage === 'creating' || stage === 'create_unknown')
    return { kind: 'create_unknown', what: 'sent' };
  if (createResult === null) return null;
  const isKnown = KNOWN.test(createResult);
  if (!isKnown && !SUCCESS.test(createResult)) return null;
  // What an undo has left of a client, nobody knows.
  if (isTakenBack || (isKnown && reliesOnUndone)) return { kind: 'create_unknown', what: 'sent' };
  // Who created it says more; what this run did is that it added it to the campaign.
  if (isKnown) return enqueues ? repeatedAddition(row) : null;
  if (!enqueues) return { kind: 'done', what: 'created' };
  if (!sameCampaign) return { kind: 'created', what: 'created' };
  if (stage === 'enqueued') return { kind: 'done', what: 'created' };
  return stage === 'enqueuing' || stage === 'enqueue_unknown'
    ? { kind: 'enqueue_unknown', what: 'created' }
    : { kind: 'created', what: 'created' };
}

/** Of a client whose card an earlier run had created. */
function repeatedAddition({ state: { stage }, sameCampaign }: EarlierRow): Repeat | null {
  if (!sameCampaign) return null;
  if (stage === 'enqueued') return { kind: 'done', what: 'enqueued' };
  return stage === 'enqueuing' || stage === 'enqueue_unknown'
    ? { kind: 'enqueue_unknown', what: 'sent' }
    : null;
}

function repeatedEnqueueing({ state, sameCampaign, isTakenBack }: EarlierRow): Repeat | null {
  return sameCampaign && !isTakenBack && state.stage === 'enqueued'
    ? { kind: 'done', what: 'enqueued' }
    : null;
}

function changeOnce(mode: RunMode, byPlace: boolean): RepeatRule {
  return {
    modes: new Set([mode]),
    scope: 'same content',
    byPlace,
    repeatOf: repeatedChange,
  };
}

function repeatedChange({ state, mode, sameCampaign }: EarlierRow): Repeat | null {
  if (!sameCampaign) return null;
  if (state.stage === 'changed' && state.changedTo !== null)
    return { kind: 'done', what: state.changedTo };
  const isUnknown = state.stage === 'changing' || state.stage === 'change_unknown';
  return isUnknown && mode === 'callbacks' ? { kind: 'change_unknown', what: 'sent' } : null;
}
