import type { PreparedChunk, RowRecord } from '../../core/prepared.js';
import type { SeenKeys } from '../../core/duplicates.js';
import { type Fact, readFactOf } from '../../core/facts.js';
import { isErased } from '../../core/erase.js';
import type { DequeuePayload } from '../../core/client.js';
import type { EarlierRun } from '../../core/ledger.js';
import type { Ledger } from '../../ledger/ledger.js';
import { CHUNK_ROWS } from '../../prepare/plan.js';
import { type KnownClients, keyOf } from '../repeats/known-clients.js';
import { recordedChunk } from '../run/recorded-chunk.js';

/** Clients of earlier lists that are not in this one. */
export interface MissingRows {
  /** The runs of the earlier lists, the latest first. */
  readonly runs: readonly EarlierRun[];
  readonly known: KnownClients;
  /** Keys of the clients of this list. */
  readonly list: SeenKeys;
  readonly factsOf: Ledger['factsOf'];
  readonly identifierNames: readonly string[];
  /** How many there are. */
  readonly total: number;
}

/** A callback that somebody has arranged is kept. */
const PAYLOAD: DequeuePayload = { cancelCallbacks: false };

/**
 * The missing clients, each as the row that it had in the last list that had it. The ledger is read again for them, so
 * that their number takes no memory.
 * @param before facts of the run that removes them, where it began before: its rows keep their places, whoever was
 * erased since. @default it begins now
 */
export async function* missingChunks(
  missing: MissingRows,
  before: Iterable<readonly [number: number, facts: readonly Fact[]]> = [],
): AsyncGenerator<PreparedChunk> {
  let first = 0;
  for (const [, facts] of before) {
    const read = facts.find((fact) => fact.kind === 'read');
    if (!read) continue;
    const chunk = readFactOf(read.data);
    for (const record of chunk.rows) if (!isErased(record)) noteOnce(missing.list, record[2]);
    first += chunk.rows.length;
    yield chunkOf(missing, chunk);
  }
  for (const [input, { run }] of missing.runs.entries()) {
    let rows: RowRecord[] = [];
    const chunk = (): PreparedChunk => {
      const made = chunkOf(missing, { input, sheet: null, first, rows });
      first += rows.length;
      rows = [];
      return made;
    };
    for (const [, facts] of await missing.factsOf(run)) {
      for (const record of rowsIn(facts))
        if (isMissing(missing, run, record)) {
          const [row, uuid, identifiers] = record;
          // A row that repeats another one has the same client.
          if (!noteOnce(missing.list, identifiers)) continue;
          rows.push([row, uuid, identifiers, 0]);
          if (rows.length === CHUNK_ROWS) yield chunk();
        }
      await new Promise(setImmediate);
    }
    if (rows.length > 0) yield chunk();
  }
}

function rowsIn(facts: readonly Fact[]): readonly RowRecord[] {
  const read = facts.find((fact) => fact.kind === 'read');
  return read ? readFactOf(read.data).rows : [];
}

type Identified = RowRecord[2];
const valuesOf = (identifiers: Identified): (string | number)[] =>
  identifiers.map((value) => value ?? '');

/** Whether the run has the last word on the client of a row, and this list lacks it. */
function isMissing({ known, list }: MissingRows, run: string, record: RowRecord): boolean {
  const values = valuesOf(record[2]);
  const deed = known.deedOf(values);
  return deed?.run === run && deed.isPresent && list.find(keyOf(values, null), 0) === null;
}

function noteOnce(list: SeenKeys, identifiers: Identified): boolean {
  const key = keyOf(valuesOf(identifiers), null);
  if (list.find(key, 0)) return false;
  list.add(key, 0, 0, 0);
  return true;
}

function chunkOf(
  { identifierNames, total }: MissingRows,
  read: Parameters<typeof recordedChunk>[0],
): PreparedChunk {
  const taken = read.rows.flatMap((record, at) =>
    isErased(record) ? [] : [{ at, record, payload: PAYLOAD }],
  );
  const done = read.first + read.rows.length;
  return recordedChunk(read, taken, identifierNames, { total, done });
}
