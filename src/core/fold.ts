import type { Earlier } from './change.js';
import { ALREADY_IN_CAMPAIGN } from './delivery.js';
import type { Inspection } from './inspection.js';
import type { Fact, ReadFact, RowStage } from './facts.js';
import type { Outcome } from './outcome.js';
import type { Problem } from './problem.js';
import type { RowRecord } from './client/prepared.js';
import type { RowReport } from './report.js';

/** One row of a chunk, as far as the facts tell. */
export interface RowState {
  stage: RowStage;
  clientId: number | null;
  createResult: string | null;
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
export function readFactOf(data: string | Uint8Array): ReadFact {
  return JSON.parse(textOf(data)) as ReadFact;
}

/** The text of a `read` fact. */
export function textOf(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : Buffer.from(data).toString();
}

function initialState(record: RowRecord): RowState {
  return {
    stage: FROM_STATUS[record[3]],
    clientId: null,
    createResult: null,
    enqueueResult: null,
    changeResult: null,
    changedTo: null,
    added: 0,
    maybeAdded: 0,
    wasAbsent: false,
    earlier: null,
    inspection: null,
    note: null,
  };
}

function apply(states: RowState[], fact: Exclude<Fact, { kind: 'read' }>): void {
  switch (fact.kind) {
    case 'duplicates':
      for (const [at, why] of fact.rows) update(states, at, { stage: 'skipped', note: why });
      return;
    case 'known':
      for (const [at, why] of fact.skipped) update(states, at, { stage: 'skipped', note: why });
      for (const [at, clientId, how] of fact.created)
        update(states, at, { stage: 'created', clientId, createResult: how });
      return;
    case 'creating':
    case 'enqueuing':
    case 'changing':
      for (const at of fact.rows) {
        const state = states[at];
        if (!state) continue;
        state.stage = fact.kind;
        state.note = null;
      }
      return;
    case 'not_created':
    case 'not_changed':
      for (const at of fact.rows) update(states, at, { stage: 'pending' });
      return;
    case 'not_enqueued':
      for (const at of fact.rows) update(states, at, { stage: stageBeforeCampaign(states[at]) });
      return;
    case 'create_unknown':
    case 'enqueue_unknown':
    case 'change_unknown':
      for (const at of fact.rows)
        update(states, at, { stage: fact.kind, note: note('unknown', fact.reason) });
      return;
    case 'create_settled':
      for (const [at, clientId] of fact.found)
        update(states, at, { stage: 'created', clientId, createResult: CONFIRMED, note: null });
      for (const at of fact.absent)
        update(states, at, { stage: 'pending', wasAbsent: true, note: null });
      return;
    case 'enqueue_settled':
      for (const at of fact.rows)
        update(states, at, { stage: 'enqueued', enqueueResult: CONFIRMED, note: null });
      return;
    // What nearly all rows of an import go through is set without an object in between.
    case 'created':
      for (const [at, clientId, refusal] of fact.results) {
        const state = states[at];
        if (!state) continue;
        state.stage = refusal === undefined ? 'created' : 'create_failed';
        state.clientId = clientId;
        state.createResult = refusal ?? 'Success';
        state.note = null;
      }
      return;
    case 'enqueued':
      for (const [at, refusal] of fact.results) {
        const state = states[at];
        if (!state) continue;
        state.stage = stageInCampaign(state, refusal);
        state.enqueueResult = refusal ?? 'Success';
        state.note = null;
      }
      return;
    case 'looked_up':
      for (const [at, earlier] of fact.found) update(states, at, { earlier });
      for (const at of fact.absent ?? []) update(states, at, { wasAbsent: true });
      return;
    case 'changed':
      for (const [at, refusal = null, added = 0, maybeAdded = 0] of fact.results)
        update(states, at, {
          stage: refusal === null ? 'changed' : 'change_failed',
          changeResult: refusal ?? 'Success',
          changedTo: refusal === null ? fact.as : null,
          added: added + (states[at]?.added ?? 0),
          maybeAdded: maybeAdded + (states[at]?.maybeAdded ?? 0),
          note: null,
        });
      return;
    case 'inspected':
      for (const [at, inspection] of fact.results)
        update(states, at, { stage: 'inspected', inspection, note: null });
      return;
    case 'change_settled':
      for (const at of fact.rows)
        update(states, at, {
          stage: 'changed',
          changeResult: CONFIRMED,
          changedTo: fact.as,
          note: null,
        });
  }
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

function note(code: string, message: string): Problem {
  return { column: null, code, message, value: null };
}

/** Result of a request whose answer was lost, and that a lookup found to have taken effect. */
export const CONFIRMED = 'Success (confirmed by lookup)';
const NOT_ANSWERED =
  'The run ended before the contact center answered; whether this took effect is not known.';

const OUTCOME_OF: Record<Exclude<RowStage, 'pending' | 'changed' | 'inspected'>, Outcome> = {
  creating: 'unknown',
  create_unknown: 'unknown',
  create_failed: 'failed',
  created: 'created',
  enqueuing: 'unknown',
  enqueue_unknown: 'unknown',
  enqueue_failed: 'enqueue_failed',
  enqueued: 'enqueued',
  changing: 'unknown',
  change_unknown: 'unknown',
  change_failed: 'failed',
  rejected: 'rejected',
  skipped: 'skipped',
};

function outcomeOf({ stage, changedTo, inspection }: RowState): Outcome {
  if (stage === 'inspected') return inspection?.verdict ?? 'unknown';
  if (stage === 'changed') return changedTo ?? 'unknown';
  return stage === 'pending' ? 'unknown' : OUTCOME_OF[stage];
}

/** Whether a row is yet to be added to the campaign of its run. */
export function awaitsCampaign({ stage, enqueueResult }: RowState, campaign: boolean): boolean {
  return campaign && (stage === 'created' || (stage === 'changed' && enqueueResult === null));
}

const STAGE_NOTE: Partial<Record<RowStage, Problem>> = {
  creating: note('unknown', NOT_ANSWERED),
  enqueuing: note('unknown', NOT_ANSWERED),
  changing: note('unknown', NOT_ANSWERED),
};

/** Whether something is yet to be sent for a row, and nothing of it is in doubt. */
function isWaiting(state: RowState, campaign: boolean): boolean {
  return state.stage === 'pending' || awaitsCampaign(state, campaign);
}

/**
 * The report lines of these chunks: one for each row, but for those for which a stopped run has yet to send something.
 * `campaign`: whether the run adds its clients to a campaign.
 */
export function* reportRows(
  chunks: Iterable<readonly Fact[]>,
  campaign: boolean,
): Generator<RowReport, void, undefined> {
  for (const facts of chunks) {
    const folded = foldChunk(facts);
    if (!folded) continue;
    const { read, states } = folded;
    let at = 0;
    for (const record of read.rows) {
      const state = states[at] ?? initialState(record);
      if (!isWaiting(state, campaign)) yield reportRow(read, record, at, state);
      at++;
    }
  }
}

/** Rows for which something is yet to be sent. */
export interface WaitingRows {
  readonly rows: number;
  /** Those among them whose card exists: they are yet to be added to the campaign. */
  readonly withCard: number;
}

/** The waiting rows of these chunks. `campaign`: as in `reportRows`. */
export function waitingIn(chunks: Iterable<readonly Fact[]>, campaign: boolean): WaitingRows {
  const waiting = { rows: 0, withCard: 0 };
  for (const facts of chunks)
    for (const state of foldChunk(facts)?.states ?? []) {
      if (!isWaiting(state, campaign)) continue;
      waiting.rows++;
      if (state.stage !== 'pending') waiting.withCard++;
    }
  return waiting;
}

function reportRow(read: ReadFact, record: RowRecord, at: number, state: RowState): RowReport {
  const { stage, clientId, createResult, enqueueResult, changeResult } = state;
  const added = state.note ?? STAGE_NOTE[stage];
  const problems = record[4] ?? NO_PROBLEMS;
  const report: RowReport = {
    ordinal: read.first + at,
    input: read.input,
    sheet: read.sheet,
    row: record[0],
    uuid: record[1],
    identifiers: record[2],
    outcome: outcomeOf(state),
    createdClientId: clientId,
    createResult,
    enqueueResult,
    changeResult,
    problems: added ? [...problems, added] : problems,
  };
  return state.inspection ? { ...report, inspection: state.inspection } : report;
}

const NO_PROBLEMS: readonly Problem[] = [];
