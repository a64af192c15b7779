import type { Fact, ReadFact, RowStage } from './facts.js';
import type { Outcome } from './outcome.js';
import type { Problem } from './problem.js';
import type { RowRecord } from './prepared.js';
import type { RowReport } from './report.js';

/** One row of a chunk, as far as the facts tell. */
export interface RowState {
  stage: RowStage;
  clientId: number | null;
  createResult: string | null;
  enqueueResult: string | null;
  /** Why a row is left out or unknown, beside the problems of its record. */
  note: Problem | null;
}

const FROM_STATUS = ['pending', 'rejected', 'skipped'] as const satisfies readonly RowStage[];

/** What a chunk's facts, in the order of recording, say of each of its rows. */
export function foldChunk(facts: readonly Fact[]): { read: ReadFact; states: RowState[] } | null {
  let read: ReadFact | null = null;
  let states: RowState[] = [];
  for (const fact of facts) {
    if (fact.kind === 'read') {
      read = readFactOf(fact.data);
      states = read.rows.map(initialState);
    } else {
      apply(states, fact);
    }
  }
  return read && { read, states };
}

/** Parses the text of a `read` fact. It was written by us: its shape is not checked again. */
export function readFactOf(data: string): ReadFact {
  return JSON.parse(data) as ReadFact;
}

function initialState(record: RowRecord): RowState {
  return {
    stage: FROM_STATUS[record[3]],
    clientId: null,
    createResult: null,
    enqueueResult: null,
    note: null,
  };
}

function apply(states: RowState[], fact: Exclude<Fact, { kind: 'read' }>): void {
  switch (fact.kind) {
    case 'duplicates':
      for (const [at, why] of fact.rows) update(states, at, { stage: 'skipped', note: why });
      return;
    case 'creating':
    case 'enqueuing':
      for (const at of fact.rows) update(states, at, { stage: fact.kind, note: null });
      return;
    case 'not_created':
      for (const at of fact.rows) update(states, at, { stage: 'pending' });
      return;
    case 'not_enqueued':
      for (const at of fact.rows) update(states, at, { stage: 'created' });
      return;
    case 'create_unknown':
    case 'enqueue_unknown':
      for (const at of fact.rows)
        update(states, at, { stage: fact.kind, note: note('unknown', fact.reason) });
      return;
    case 'create_settled':
      for (const [at, clientId] of fact.found)
        update(states, at, { stage: 'created', clientId, createResult: CONFIRMED, note: null });
      for (const at of fact.absent) update(states, at, { stage: 'pending', note: null });
      return;
    case 'enqueue_settled':
      for (const at of fact.rows)
        update(states, at, { stage: 'enqueued', enqueueResult: CONFIRMED, note: null });
      return;
    case 'created':
      for (const [at, clientId, refusal] of fact.results)
        update(states, at, {
          stage: refusal === undefined ? 'created' : 'create_failed',
          clientId,
          createResult: refusal ?? 'Success',
          note: null,
        });
      return;
    case 'enqueued':
      for (const [at, refusal] of fact.results)
        update(states, at, {
          stage: refusal === undefined ? 'enqueued' : 'enqueue_failed',
          enqueueResult: refusal ?? 'Success',
          note: null,
        });
  }
}

function update(states: RowState[], at: number, change: Partial<RowState>): void {
  const state = states[at];
  if (state) Object.assign(state, change);
}

function note(code: string, message: string): Problem {
  return { column: null, code, message, value: null };
}

/** Result of a request whose answer was lost, and that a lookup found to have taken effect. */
const CONFIRMED = 'Success (confirmed by lookup)';
const NOT_ANSWERED =
  'The run ended before the contact center answered; whether this took effect is not known.';
/** Code of the problem that a row has when a stopped run has yet to enqueue it. */
export const NOT_YET = 'not_yet';
const NOT_ENQUEUED = note(
  NOT_YET,
  'The run stopped before the call application was asked for; continue the run.',
);

const OUTCOME_OF: Record<Exclude<RowStage, 'pending'>, Outcome> = {
  creating: 'unknown',
  create_unknown: 'unknown',
  create_failed: 'failed',
  created: 'created',
  enqueuing: 'unknown',
  enqueue_unknown: 'unknown',
  enqueue_failed: 'enqueue_failed',
  enqueued: 'enqueued',
  rejected: 'rejected',
  skipped: 'skipped',
};

function outcomeOf(stage: RowStage): Outcome {
  return stage === 'pending' ? 'unknown' : OUTCOME_OF[stage];
}

const STAGE_NOTE: Partial<Record<RowStage, Problem>> = {
  creating: note('unknown', NOT_ANSWERED),
  enqueuing: note('unknown', NOT_ANSWERED),
};

/**
 * The report lines of a chunk: one for each row, but for those that a stopped run has yet to send. `campaign`: whether
 * the run adds its clients to a campaign.
 */
export function reportChunk(facts: readonly Fact[], campaign: boolean): RowReport[] {
  const folded = foldChunk(facts);
  if (!folded) return [];
  const { read, states } = folded;
  return read.rows.flatMap((record, at) => {
    const state = states[at] ?? initialState(record);
    return state.stage === 'pending' ? [] : [reportRow(read, record, at, state, campaign)];
  });
}

/** How many rows of a chunk are yet to be sent. */
export function waitingIn(facts: readonly Fact[]): number {
  return foldChunk(facts)?.states.filter(({ stage }) => stage === 'pending').length ?? 0;
}

function reportRow(
  read: ReadFact,
  record: RowRecord,
  at: number,
  state: RowState,
  campaign: boolean,
): RowReport {
  const { stage, clientId, createResult, enqueueResult } = state;
  const waiting = stage === 'created' && campaign;
  const added = state.note ?? (waiting ? NOT_ENQUEUED : STAGE_NOTE[stage]);
  return {
    ordinal: read.first + at,
    input: read.input,
    sheet: read.sheet,
    row: record[0],
    uuid: record[1],
    identifiers: record[2],
    outcome: waiting ? 'enqueue_failed' : outcomeOf(stage),
    createdClientId: clientId,
    createResult,
    enqueueResult,
    problems: added ? [...(record[4] ?? []), added] : (record[4] ?? []),
  };
}
