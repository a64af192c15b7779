import {
  holdErasure,
  identitiesOf,
  type PreparedChunk,
  type PreparedClients,
  type RowRecord,
} from '../core/prepared.js';
import type { readFactOf } from '../core/facts.js';
import type { RunRecord } from '../core/ledger.js';
import { REJECTS_NAME, type RowReport } from '../core/report.js';
import { existsSync, readdirSync } from 'node:fs';
import { CALL_CODES, type CallTime } from '../core/time.js';
import { GOOD_OUTCOMES, type Problem } from '../core/outcome.js';
import { createSeenKeys } from '../lists/seen.js';
import { keyOf } from './repeats.js';
import { basename, join } from 'node:path';
import { REPEATED_IDENTIFIERS, repeatOf, SHARED_CARD, type SeenKeys } from '../core/duplicates.js';

/** The rows of a chunk on record. */
export type ReadFact = ReturnType<typeof readFactOf>;

/** A row on record with something to do. */
export interface TakenRow {
  readonly at: number;
  readonly record: RowRecord;
  readonly payload: object;
}

/** A chunk of rows that come from the ledger, and not from a file. `done`, `total`: how far the work has come, in rows. */
export function recordedChunk(
  read: ReadFact,
  taken: readonly TakenRow[],
  identifierNames: readonly string[],
  done: number,
  total: number,
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
  const payloads = taken.map(({ payload }) => JSON.stringify(payload));
  let end = 0;
  // A comma stands between one and the next.
  const ends = payloads.map(
    (payload, at) => (end += Buffer.byteLength(payload) + (at > 0 ? 1 : 0)),
  );
  return {
    at: Uint32Array.from(taken, ({ at }) => at),
    rows: Uint32Array.from(taken, ({ record }) => record[0]),
    identities: identitiesOf(identifierNames, identities),
    derivedUuids: false,
    payload: Buffer.from(payloads.join(',')),
    ends: Uint32Array.from(ends),
    keys: new Uint32Array(),
    keyEnds: new Uint32Array(taken.length),
  };
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

/**
 * The rows of a comparison, in their order, with a problem more where a row has the synchronization identifiers of an
 * earlier one, or comes to its card with others: each names the first such row. Rows that the mapping leaves out are not
 * looked at.
 *
 * @param inputs names of the input files, in the order of `RowReport.input`
 * @param seen holds a key of 96 bits for each identity and each card, and nothing else of the rows
 */
export function* withRepeats(
  rows: Iterable<RowReport>,
  inputs: readonly string[],
  seen: SeenKeys,
): Generator<RowReport, void, undefined> {
  const firstWith = firstRows(inputs, seen);
  for (const row of rows) {
    const problem = repeatedIn(row, firstWith);
    yield problem ? { ...row, problems: [...row.problems, problem] } : row;
  }
}

/** Shows of the row that had the same key first, as words for a person; `null`: this one is it. */
type FirstWith = (key: string, row: RowReport) => string | null;

function repeatedIn(row: RowReport, firstWith: FirstWith): Problem | null {
  const { outcome, identifiers, inspection } = row;
  const isHeldBack = repeatOf(row) !== null;
  if (outcome === 'skipped' && !isHeldBack) return null;
  const isWhole = identifiers.every((value) => value !== null);
  const before = isWhole ? firstWith(JSON.stringify(['identifiers', ...identifiers]), row) : null;
  const clientId = inspection?.clientId ?? null;
  const owner = clientId === null ? null : firstWith(`card ${clientId}`, row);
  // It says so already, and of which row.
  if (isHeldBack) return null;
  if (before !== null)
    return problem(
      REPEATED_IDENTIFIERS,
      `The synchronization identifiers stand in ${before}, too.`,
    );
  if (owner === null) return null;
  return problem(SHARED_CARD, `The synchronization identifiers belong to the card of ${owner}.`);
}

const problem = (code: string, message: string): Problem => ({
  ...{ column: null, code, message, value: null },
});

function firstRows(inputs: readonly string[], seen: SeenKeys): FirstWith {
  // Sheets have row numbers of their own: a key is seen in a place, which is an input and a sheet.
  const places: string[] = [];
  let last: { readonly input: number; readonly sheet: string | null } | undefined;
  return (text, { input, sheet, row }) => {
    if (last?.input !== input || last.sheet !== sheet) {
      const names = [
        ...(inputs.length > 1 ? [basename(inputs[input] ?? '')] : []),
        ...(sheet === null ? [] : [sheet]),
      ];
      places.push(names.join(', sheet '));
      last = { input, sheet };
    }
    const key = keyOf([text], null);
    const here = places.length - 1;
    const found = seen.find(key, 0);
    if (!found) {
      seen.add(key, 0, here, row);
      return null;
    }
    const where = found.input === here ? '' : (places[found.input] ?? '');
    return where === '' ? `row ${found.row}` : `row ${found.row} of ${where}`;
  };
}

/** The rejects that a run left in its folder, as far as they are still there. */
export function rejectsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => REJECTS_NAME.test(name))
    .map((name) => join(folder, name));
}

/** Whether a row did not end well, or is left out for now. */
export function isReject({ outcome, problems }: RowReport): boolean {
  if (outcome === 'skipped') return callTimeOf(problems) !== null;
  return !GOOD_OUTCOMES.has(outcome);
}

/** Whether the rejects have a row: nobody is to mend one whose person was erased. */
export const isInRejects = (row: RowReport): boolean => isReject(row) && !holdErasure(row.problems);

const TIMES = new Map<string, CallTime>([
  [CALL_CODES.today, 'today'],
  [CALL_CODES.later, 'later'],
  [CALL_CODES.never, 'never'],
]);

/** When the client of a row may be called, by the codes of its problems or remarks; `null` where none says so. */
export function callTimeOf(found: readonly { readonly code: string }[]): CallTime | null {
  for (const { code } of found) {
    const time = TIMES.get(code);
    if (time) return time;
  }
  return null;
}
