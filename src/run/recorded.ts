import {
  identitiesOf,
  type PreparedChunk,
  type PreparedClients,
  type RowRecord,
} from '../core/prepared.js';
import type { ReadFact } from '../core/facts.js';
import type { RunRecord } from '../core/ledger.js';
import type { RowReport } from '../core/report.js';
import { createSeenKeys } from '../lists/seen.js';
import { withRepeats } from './repeated.js';

/** A row on record with something to do. */
export interface TakenRow {
  /** Its position in the chunk. */
  readonly at: number;
  readonly record: RowRecord;
  readonly payload: object;
}

/** How far the work has come, in rows. */
interface Done {
  readonly done: number;
  readonly total: number;
}

/** A chunk of rows that come from the ledger, and not from a file. */
export function recordedChunk(
  read: ReadFact,
  taken: readonly TakenRow[],
  identifierNames: readonly string[],
  { done, total }: Done,
): PreparedChunk {
  const { input, sheet, first, rows } = read;
  return {
    ...{ input, sheet, first, count: rows.length },
    read: Buffer.from(JSON.stringify(read)),
    clients: clientsOf(taken, identifierNames),
    rejected: 0,
    skipped: rows.length - taken.length,
    ...{ problems: [], remarks: [], evidence: [], kept: [], shown: [] },
    progress: total === 0 ? 1 : Math.max(0, Math.min(1, done / total)),
  };
}

function clientsOf(
  taken: readonly TakenRow[],
  identifierNames: readonly string[],
): PreparedClients {
  const identities = taken.map(({ record: [, uuid, identifiers] }) => ({
    uuid: uuid ?? '',
    values: identifierNames.map((_, place) => identifiers[place] ?? ''),
  }));
  const payloads = taken.map(({ payload }) => Buffer.from(JSON.stringify(payload)));
  return {
    at: Uint32Array.from(taken, ({ at }) => at),
    rows: Uint32Array.from(taken, ({ record }) => record[0]),
    identities: identitiesOf(identifierNames, identities),
    derivedUuids: false,
    payload: joined(payloads),
    ends: endsOf(payloads),
    keys: new Uint32Array(),
    keyEnds: new Uint32Array(taken.length),
  };
}

const COMMA = Buffer.from(',');

function joined(payloads: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(payloads.flatMap((payload, at) => (at > 0 ? [COMMA, payload] : [payload])));
}

/** Where each payload ends, with a comma between one and the next. */
function endsOf(payloads: readonly Uint8Array[]): Uint32Array {
  const ends = new Uint32Array(payloads.length);
  let end = 0;
  for (const [at, payload] of payloads.entries()) {
    end += payload.length + (at > 0 ? COMMA.length : 0);
    ends[at] = end;
  }
  return ends;
}

/** The rows of a run as its reports tell of them: of a comparison, with remarks where rows repeat others. */
export function reportedRows(
  { mode, inputs }: Pick<RunRecord, 'mode' | 'inputs'>,
  rows: Iterable<RowReport>,
): Iterable<RowReport> {
  return mode === 'reconcile' ? comparedRows(inputs, rows) : rows;
}

function* comparedRows(
  inputs: readonly string[],
  rows: Iterable<RowReport>,
): Generator<RowReport, void, undefined> {
  const seen = createSeenKeys();
  try {
    yield* withRepeats(rows, inputs, seen);
  } finally {
    seen.close();
  }
}
