import type { Fact, ReadFact } from './facts.js';
import type { RowRecord } from '../client/prepared.js';
import { foldChunk } from './fold.js';
import type { Problem } from '../problem.js';
import { SHARED_PHONE } from '../list-quality/shared-phone.js';
import { ZONE_SOURCES } from '../time/zone-source.js';
import type { RowReport } from '../report.js';
import { type RowState, awaitsCampaign, initialState, outcomeOf } from './row-state.js';
import type { RowStage } from './stage.js';

const NOT_ANSWERED =
  'The run ended before the contact center answered; whether this took effect is not known.';

function note(code: string, message: string): Problem {
  return { column: null, code, message, value: null };
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
    const shared = sharedIn(read);
    let at = 0;
    for (const record of read.rows) {
      const state = states[at] ?? initialState(record);
      if (!isWaiting(state, campaign)) yield reportRow(read, record, at, state, shared);
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
    for (const state of foldChunk(facts)?.states ?? [])
      if (isWaiting(state, campaign)) countWaiting(waiting, state);
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
    const { read, states } = folded;
    const shared = sharedIn(read);
    const rows: RowReport[] = [];
    const waiting = { rows: 0, withCard: 0 };
    for (const [at, record] of read.rows.entries()) {
      const state = states[at] ?? initialState(record);
      if (isWaiting(state, campaign)) countWaiting(waiting, state);
      else rows.push(reportRow(read, record, at, state, shared));
    }
    yield { chunk, rows, waiting };
  }
}

function countWaiting(waiting: { rows: number; withCard: number }, { stage }: RowState): void {
  waiting.rows++;
  if (stage !== 'pending') waiting.withCard++;
}

const sharedIn = ({ shared }: ReadFact): ReadonlySet<number> | undefined =>
  shared && new Set(shared);

function reportRow(
  read: ReadFact,
  record: RowRecord,
  at: number,
  state: RowState,
  shared: ReadonlySet<number> | undefined,
): RowReport {
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
