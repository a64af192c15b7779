import type { KeptRow, PreparedChunk, RowRecord } from '../../core/prepared.js';
import type { Problem, ProblemCount } from '../../core/problem.js';
import type { Row } from '../../core/row.js';
import type { CompiledMapping, MappedRow } from '../../mapping/compile.js';
import { type ColumnSettings, createClientColumns } from './client-columns.js';
import { CHUNK_BYTES, CHUNK_ROWS } from './plan.js';

export interface ChunkSettings extends ColumnSettings {
  readonly chunkClients: number;
  readonly keepRejected: boolean;
}

/** Collects mapped rows until a chunk is full. */
export interface ChunkBuilder {
  add(row: Row): void;
  isFull(): boolean;
  isEmpty(): boolean;
  /** The chunk so far; `progress` is the share of the input that has been read. */
  take(progress: number): PreparedChunk;
}

/**
 * `input` and `sheet` are the same for all rows of a builder; `first` is the ordinal of the first row. Rows whose
 * number of cells is not that of the header are rejected when `width` is given (CSV).
 */
export function createChunkBuilder(
  place: { input: number; sheet: string | null; first: number; width: number | undefined },
  mapping: CompiledMapping,
  settings: ChunkSettings,
): ChunkBuilder {
  const records: RowRecord[] = [];
  const kept: KeptRow[] = [];
  const counts = new Map<string, { -readonly [K in keyof ProblemCount]: ProblemCount[K] }>();
  const clients = createClientColumns(mapping, settings);
  let [rejected, skipped] = [0, 0];

  const count = (problem: Problem, row: number): void => {
    const key = `${problem.column ?? ''}\u0000${problem.code}`;
    const found = counts.get(key);
    if (found) found.count++;
    else counts.set(key, { ...withoutValue(problem), count: 1, firstRow: row });
  };

  const refuse = (row: Row, mapped: Exclude<MappedRow, { status: 'client' }>): void => {
    const status = mapped.status === 'rejected' ? 1 : 2;
    if (status === 1) {
      rejected++;
      for (const problem of mapped.problems) count(problem, row.row);
      if (settings.keepRejected) kept.push({ at: records.length, cells: row.cells });
    } else skipped++;
    records.push([row.row, mapped.uuid, mapped.identifiers, status, mapped.problems]);
  };

  return {
    add: (row) => {
      const mapped = mapRow(row, place.width, mapping);
      const refused =
        mapped.status === 'client' ? clients.add(mapped, records.length, row.row) : mapped;
      if (refused) refuse(row, refused);
      else records.push(clients.lastRecord());
    },
    isFull: () =>
      clients.count() >= settings.chunkClients ||
      clients.bytes() >= CHUNK_BYTES ||
      records.length >= CHUNK_ROWS,
    isEmpty: () => records.length === 0,
    take: (progress) => ({
      input: place.input,
      sheet: place.sheet,
      first: place.first,
      count: records.length,
      record: JSON.stringify(records),
      clients: clients.take(),
      rejected,
      skipped,
      problems: [...counts.values()],
      progress,
      kept,
    }),
  };
}

/** Maps a row, unless it has more or fewer cells than the header: then no cell can be trusted. */
function mapRow(row: Row, width: number | undefined, mapping: CompiledMapping): MappedRow {
  const cells = row.cells.length;
  if (width === undefined || cells === width) return mapping.map(row.cells);
  return {
    status: 'rejected',
    uuid: null,
    identifiers: mapping.identifierNames.map(() => null),
    problems: [
      {
        column: null,
        code: 'ragged',
        message: `The row has ${cells} cells where the header has ${width}. Check its quotes and delimiters.`,
        value: null,
      },
    ],
  };
}

function withoutValue({
  column,
  code,
  message,
}: Problem): Omit<ProblemCount, 'count' | 'firstRow'> {
  return { column, code, message };
}
