import { type Earlier, type Inspection, ALREADY_IN_CAMPAIGN } from './client.js';
import { type DoneBy, createdBefore, doneBefore, doneByIn, unchangedSince } from './duplicates.js';
import { type Outcome, type Problem, rowProblem } from './outcome.js';
import type { RowRecord } from './prepared.js';
import { SHARED_PHONE } from './quality.js';
import { ZONE_SOURCES } from './time.js';
import type { RowReport } from './report.js';

/**
 * What a run learns, as it learns it. A fact belongs to one chunk of rows; rows are identified by their position in it.
 * The order of recording is the order of events. How a row stands is derived from them (`foldChunk`), never kept.
 */
export type Fact =
  /** `data` is the JSON text of a `ReadFact`, in UTF-8 on its way to the ledger. */
  | { readonly kind: 'read'; readonly data: string | Uint8Array }
  /** Rows that repeat an earlier one and are not sent. */
  | { readonly kind: 'duplicates'; readonly rows: readonly (readonly [at: number, why: Problem])[] }
  /** Rows of which an earlier run did all, or a part: `skipped` need nothing any more, cards of `created` exist. */
  | {
      readonly kind: 'known';
      readonly skipped: readonly (readonly [at: number, by: DoneBy | OldSkip])[];
      readonly created: readonly (readonly [
        at: number,
        clientId: number | null,
        by: DoneBy | OldCreation,
      ])[];
    }
  /** Rows that are as this earlier run sent them, which was confirmed: nothing is sent or looked up for them. */
  | { readonly kind: 'unchanged'; readonly rows: readonly number[]; readonly by: DoneBy }
  /** The clients are about to be sent to be created: from here on, the contact center may have them. */
  | { readonly kind: 'creating'; readonly rows: readonly number[] }
  /** The request surely never left, or was turned away untouched. */
  | { readonly kind: 'not_created'; readonly rows: readonly number[] }
  | { readonly kind: 'created'; readonly results: readonly CreatedResult[] }
  | { readonly kind: 'create_unknown'; readonly rows: readonly number[]; readonly reason: string }
  /** What a lookup found of clients whose creation was unknown; a client that it did not find is to be sent again. */
  | {
      readonly kind: 'create_settled';
      readonly found: readonly (readonly [at: number, clientId: number | null])[];
      readonly absent: readonly number[];
    }
  | { readonly kind: 'enqueuing'; readonly rows: readonly number[] }
  | { readonly kind: 'not_enqueued'; readonly rows: readonly number[] }
  | { readonly kind: 'enqueued'; readonly results: readonly EnqueuedResult[] }
  | { readonly kind: 'enqueue_unknown'; readonly rows: readonly number[]; readonly reason: string }
  /** Clients of an unknown request that turned out to be in the campaign. */
  | { readonly kind: 'enqueue_settled'; readonly rows: readonly number[] }
  /** How clients stood before they are changed; `absent`: those that are not there, and are to be created. */
  | {
      readonly kind: 'looked_up';
      readonly found: readonly (readonly [at: number, earlier: Earlier])[];
      readonly absent?: readonly number[];
    }
  /** Requests that change these clients are about to be sent. */
  | { readonly kind: 'changing'; readonly rows: readonly number[] }
  /** None of the requests left. */
  | { readonly kind: 'not_changed'; readonly rows: readonly number[] }
  /** `as`: the outcome of those that were not refused. */
  | {
      readonly kind: 'changed';
      readonly as: Outcome;
      readonly results: readonly ChangedResult[];
    }
  | { readonly kind: 'change_unknown'; readonly rows: readonly number[]; readonly reason: string }
  /** Clients of a lost request that turned out to be changed. */
  | { readonly kind: 'change_settled'; readonly as: Outcome; readonly rows: readonly number[] }
  /** What a comparison found. */
  | {
      readonly kind: 'inspected';
      readonly results: readonly (readonly [at: number, found: Inspection])[];
    };

type FactKind = Fact['kind'];

/** In place of what the earlier run did, older versions recorded the problem and the result that tell of it. */
type OldSkip = Problem;
type OldCreation = string;

/** A refusal carries its text; a success the internal id, which an answer may lack. */
type CreatedResult = readonly [at: number, clientId: number | null, refusal?: string];
type EnqueuedResult = readonly [at: number, refusal?: string, lists?: readonly string[]];

/**
 * `added`: contacts that the card has by this change, and that no operation takes from it; `maybeAdded`: those that may
 * have been there before.
 */
type ChangedResult = readonly [
  at: number,
  refusal?: string | null,
  added?: number,
  maybeAdded?: number,
];

/** The rows of a chunk, after they were read and mapped. */
export interface ReadFact {
  readonly input: number;
  readonly sheet: string | null;
  /** Ordinal of the first row. */
  readonly first: number;
  readonly rows: readonly RowRecord[];
  /** Fingerprints of what the rows became (`printsText`); absent where nobody compares them. */
  readonly prints?: string;
  /** Positions of the rows with a phone that many rows of the list have; absent where there is none. */
  readonly shared?: readonly number[];
}

interface StageTraits {
  /** How a row counts that comes no further; `change`, `verdict`: as what was done with it says. */
  readonly outcome: Outcome | 'change' | 'verdict';
  /** Whether something is yet to be done for the row, or to be found out. */
  readonly isOpen: boolean;
}

/** How far a row has come: a continued run goes on from there, and a report says how it ends. */
export const STAGES = {
  pending: { outcome: 'unknown', isOpen: true },
  creating: { outcome: 'unknown', isOpen: true },
  create_unknown: { outcome: 'unknown', isOpen: true },
  create_failed: { outcome: 'failed', isOpen: false },
  created: { outcome: 'created', isOpen: false },
  enqueuing: { outcome: 'unknown', isOpen: true },
  enqueue_unknown: { outcome: 'unknown', isOpen: true },
  enqueue_failed: { outcome: 'enqueue_failed', isOpen: false },
  enqueued: { outcome: 'enqueued', isOpen: false },
  changing: { outcome: 'unknown', isOpen: true },
  change_unknown: { outcome: 'unknown', isOpen: true },
  change_failed: { outcome: 'failed', isOpen: false },
  changed: { outcome: 'change', isOpen: false },
  inspected: { outcome: 'verdict', isOpen: false },
  unchanged: { outcome: 'unchanged', isOpen: false },
  rejected: { outcome: 'rejected', isOpen: false },
  skipped: { outcome: 'skipped', isOpen: false },
} as const satisfies Record<string, StageTraits>;

export type RowStage = keyof typeof STAGES;

/** Whether something was sent for a row of which it is not known what became. */
export const isInDoubt = (stage: RowStage): boolean => stage !== 'pending' && STAGES[stage].isOpen;

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
function initialState(record: RowRecord): RowState {
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

/** Result of a request whose answer was lost, and that a lookup found to have taken effect. */
export const CONFIRMED = 'Success (confirmed by lookup)';
type Rows = readonly number[];
type Appliers = {
  readonly [K in Exclude<FactKind, 'read'>]: (
    states: RowState[],
    fact: Extract<Fact, { readonly kind: K }>,
  ) => void;
};

/** How each kind of fact brings the rows of a chunk to where it takes them. */
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
    updateAll(states, rows, { stage: 'unchanged', doneBy: by, note });
  },
  creating: (states, { rows }) => begin(states, rows, 'creating'),
  enqueuing: (states, { rows }) => begin(states, rows, 'enqueuing'),
  changing: (states, { rows }) => begin(states, rows, 'changing'),
  not_created: (states, { rows }) => updateAll(states, rows, { stage: 'pending' }),
  not_changed: (states, { rows }) => updateAll(states, rows, { stage: 'pending' }),
  not_enqueued: (states, { rows }) => {
    for (const at of rows) update(states, at, { stage: stageBeforeCampaign(states[at]) });
  },
  create_unknown: (states, { rows, reason }) => lose(states, rows, 'create_unknown', reason),
  enqueue_unknown: (states, { rows, reason }) => lose(states, rows, 'enqueue_unknown', reason),
  change_unknown: (states, { rows, reason }) => lose(states, rows, 'change_unknown', reason),
  create_settled: (states, { found, absent }) => {
    for (const [at, clientId] of found)
      update(states, at, {
        stage: 'created',
        clientId,
        createResult: CONFIRMED,
        doneBy: null,
        note: null,
      });
    updateAll(states, absent, { stage: 'pending', wasAbsent: true, note: null });
  },
  enqueue_settled: (states, { rows }) =>
    updateAll(states, rows, { stage: 'enqueued', enqueueResult: CONFIRMED, note: null }),
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
    updateAll(states, absent, { wasAbsent: true });
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
  change_settled: (states, { as: changedTo, rows }) =>
    updateAll(states, rows, { stage: 'changed', changeResult: CONFIRMED, changedTo, note: null }),
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
  updateAll(states, rows, { stage, note: rowProblem('unknown', reason) });
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

function updateAll(states: RowState[], rows: Rows, change: Partial<RowState>): void {
  for (const at of rows) update(states, at, change);
}

/** What a chunk's facts, in the order of recording, say of each of its rows. */
export function foldChunk(facts: readonly Fact[]): { read: ReadFact; states: RowState[] } | null {
  let read: ReadFact | null = null;
  let states: RowState[] = [];
  for (const fact of facts) {
    if (fact.kind === 'read') {
      read = readFactOf(fact.data);
      states = read.rows.map(initialState);
    } else {
      // The table has the function of each kind: that this is the one of this fact, the compiler cannot follow.
      const apply = APPLY[fact.kind] as (states: RowState[], fact: Fact) => void;
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

const NOT_ANSWERED =
  'The run ended before the contact center answered; whether this took effect is not known.';

/** Stages in which a run may have ended without an answer. */
const UNANSWERED: ReadonlySet<RowStage> = new Set(['creating', 'enqueuing', 'changing']);

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
    if (folded) yield* linesOf(folded, campaign);
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
  for (const facts of chunks) countWaiting(waiting, foldChunk(facts)?.states ?? [], campaign);
  return waiting;
}

/** The rows of one chunk. */
export interface ChunkRows {
  /** Its number among those of the run. */
  readonly chunk: number;
  readonly rows: readonly RowReport[];
  readonly waiting: WaitingRows;
}

/** What `reportRows` and `waitingIn` give, chunk by chunk. */
export function* rowsByChunk(
  chunks: Iterable<readonly [number: number, facts: readonly Fact[]]>,
  campaign: boolean,
): Generator<ChunkRows, void, undefined> {
  for (const [chunk, facts] of chunks) {
    const folded = foldChunk(facts);
    if (!folded) continue;
    const waiting = { rows: 0, withCard: 0 };
    countWaiting(waiting, folded.states, campaign);
    yield { chunk, rows: [...linesOf(folded, campaign)], waiting };
  }
}

/** The report lines of a chunk. Every row has a state. */
function* linesOf(
  { read, states }: { readonly read: ReadFact; readonly states: readonly RowState[] },
  campaign: boolean,
): Generator<RowReport, void, undefined> {
  const shared = read.shared && new Set(read.shared);
  let at = 0;
  for (const state of states) {
    const record = read.rows[at];
    if (record && !isWaiting(state, campaign)) yield reportRow(read, record, at, state, shared);
    at++;
  }
}

function countWaiting(
  waiting: { rows: number; withCard: number },
  states: readonly RowState[],
  campaign: boolean,
): void {
  for (const state of states) {
    if (!isWaiting(state, campaign)) continue;
    waiting.rows++;
    if (state.stage !== 'pending') waiting.withCard++;
  }
}

function reportRow(
  read: ReadFact,
  record: RowRecord,
  at: number,
  state: RowState,
  shared: ReadonlySet<number> | undefined,
): RowReport {
  const { stage, clientId, createResult, enqueueResult, changeResult } = state;
  const added = state.note ?? (UNANSWERED.has(stage) ? rowProblem('unknown', NOT_ANSWERED) : null);
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
  const { inspection, listed: heldBy } = state;
  const remarks = shared?.has(at) ? [...(record[5] ?? []), SHARED_PHONE] : record[5];
  const zoneFrom = record[6] == null ? undefined : ZONE_SOURCES[record[6]];
  if (!inspection && !remarks && !heldBy && !zoneFrom) return report;
  return {
    ...report,
    ...(inspection ? { inspection } : {}),
    ...(remarks ? { remarks } : {}),
    ...(heldBy ? { heldBy } : {}),
    ...(zoneFrom ? { zoneFrom } : {}),
  };
}

const NO_PROBLEMS: readonly Problem[] = [];
