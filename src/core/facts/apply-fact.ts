import { ALREADY_IN_CAMPAIGN } from '../center-port.js';
import { createdBefore, doneBefore, doneByIn, unchangedSince } from '../duplicates/done-by.js';
import type { Fact, FactKind } from './facts.js';
import type { Problem } from '../problem.js';
import type { RowState } from './row-state.js';
import type { RowStage } from './stage.js';

/** Result of a request whose answer was lost, and that a lookup found to have taken effect. */
export const CONFIRMED = 'Success (confirmed by lookup)';
type Rows = readonly number[];
type Appliers = {
  readonly [K in Exclude<FactKind, 'read'>]: (
    states: RowState[],
    fact: Extract<Fact, { readonly kind: K }>,
  ) => void;
};

/** Brings the rows of a chunk to where a fact takes them. */
export function applyFact(states: RowState[], fact: Exclude<Fact, { kind: 'read' }>): void {
  // The table has the function of each kind: that this is the one of this fact, the compiler cannot follow.
  const apply = APPLY[fact.kind] as (states: RowState[], fact: Fact) => void;
  apply(states, fact);
}

const APPLY: Appliers = {
  duplicates: (states, { rows }) => {
    for (const [at, why] of rows) update(states, at, { stage: 'skipped', note: why });
  },
  known: (states, { skipped, created }) => {
    for (const [at, by] of skipped)
      update(states, at, {
        stage: 'skipped',
        ...('run' in by
          ? { doneBy: by, note: doneBefore(by) }
          : { doneBy: doneByIn(by.message), note: by }),
      });
    for (const [at, clientId, by] of created)
      update(states, at, {
        stage: 'created',
        clientId,
        ...(typeof by === 'string'
          ? { doneBy: doneByIn(by), createResult: by }
          : { doneBy: by, createResult: createdBefore(by) }),
      });
  },
  unchanged: (states, { rows, by }) => {
    const note = unchangedSince(by);
    for (const at of rows) update(states, at, { stage: 'unchanged', doneBy: by, note });
  },
  creating: (states, { rows }) => {
    begin(states, rows, 'creating');
  },
  enqueuing: (states, { rows }) => {
    begin(states, rows, 'enqueuing');
  },
  changing: (states, { rows }) => {
    begin(states, rows, 'changing');
  },
  not_created: (states, { rows }) => {
    for (const at of rows) update(states, at, { stage: 'pending' });
  },
  not_changed: (states, { rows }) => {
    for (const at of rows) update(states, at, { stage: 'pending' });
  },
  not_enqueued: (states, { rows }) => {
    for (const at of rows) update(states, at, { stage: stageBeforeCampaign(states[at]) });
  },
  create_unknown: (states, { rows, reason }) => {
    lose(states, rows, 'create_unknown', reason);
  },
  enqueue_unknown: (states, { rows, reason }) => {
    lose(states, rows, 'enqueue_unknown', reason);
  },
  change_unknown: (states, { rows, reason }) => {
    lose(states, rows, 'change_unknown', reason);
  },
  create_settled: (states, { found, absent }) => {
    for (const [at, clientId] of found)
      update(states, at, {
        stage: 'created',
        clientId,
        createResult: CONFIRMED,
        doneBy: null,
        note: null,
      });
    for (const at of absent) update(states, at, { stage: 'pending', wasAbsent: true, note: null });
  },
  enqueue_settled: (states, { rows }) => {
    for (const at of rows)
      update(states, at, { stage: 'enqueued', enqueueResult: CONFIRMED, note: null });
  },
  created: (states, { results }) => {
    for (const [at, clientId, refusal] of results) {
      const state = states[at];
      if (!state) continue;
      // What nearly all rows of an import go through is set without an object in between.
      state.stage = refusal === undefined ? 'created' : 'create_failed';
      state.clientId = clientId;
      state.createResult = refusal ?? 'Success';
      state.doneBy = null;
      state.note = null;
    }
  },
  enqueued: (states, { results }) => {
    for (const [at, refusal, lists = null] of results) {
      const state = states[at];
      if (!state) continue;
      state.stage = stageInCampaign(state, refusal);
      state.enqueueResult = refusal ?? 'Success';
      state.listed = lists;
      state.note = null;
    }
  },
  looked_up: (states, { found, absent = [] }) => {
    for (const [at, earlier] of found) update(states, at, { earlier });
    for (const at of absent) update(states, at, { wasAbsent: true });
  },
  changed: (states, { as, results }) => {
    for (const [at, refusal = null, added = 0, maybeAdded = 0] of results)
      update(states, at, {
        stage: refusal === null ? 'changed' : 'change_failed',
        changeResult: refusal ?? 'Success',
        changedTo: refusal === null ? as : null,
        added: added + (states[at]?.added ?? 0),
        maybeAdded: maybeAdded + (states[at]?.maybeAdded ?? 0),
        note: null,
      });
  },
  change_settled: (states, { as, rows }) => {
    for (const at of rows)
      update(states, at, { stage: 'changed', changeResult: CONFIRMED, changedTo: as, note: null });
  },
  inspected: (states, { results }) => {
    for (const [at, inspection] of results)
      update(states, at, { stage: 'inspected', inspection, note: null });
  },
};

function begin(states: RowState[], rows: Rows, stage: RowStage): void {
  for (const at of rows) {
    const state = states[at];
    if (!state) continue;
    state.stage = stage;
    state.note = null;
  }
}

function lose(states: RowState[], rows: Rows, stage: RowStage, reason: string): void {
  const why: Problem = { column: null, code: 'unknown', message: reason, value: null };
  for (const at of rows) update(states, at, { stage, note: why });
}

/** A client that was changed before is what it was then, when it is not added. */
function stageBeforeCampaign(state: RowState | undefined): RowStage {
  return state?.changedTo == null ? 'created' : 'changed';
}

/** For a client that was there before, to be in the campaign already is no failure. */
function stageInCampaign({ changedTo }: RowState, refusal: string | undefined): RowStage {
  if (refusal === undefined) return 'enqueued';
  return refusal === ALREADY_IN_CAMPAIGN && changedTo !== null ? 'changed' : 'enqueue_failed';
}

function update(states: RowState[], at: number, change: Partial<RowState>): void {
  const state = states[at];
  if (state) Object.assign(state, change);
}
