import type { FileMetaData, RowGroup } from 'hyparquet';
import { InputError } from '../../core/errors.js';

const MIB = 2 ** 20;
/** Bytes that the values of one row group may take, unpacked: the pages of a column are unpacked together. */
const MAX_BYTES = 256 * MIB;
/** Cells of one row group: a value that is filled down takes next to no bytes. */
const MAX_CELLS = 50_000_000;
/** Cells that are read together, as objects of about 70 bytes each. */
const READ_CELLS = 2_000_000;

/** Rows that are read together: of one row group, the last one left out. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Refuses a file of which some row group would take too much memory, by what the file says of itself.
 * @throws InputError `too_large`
 */
export function checkGroups({ row_groups: groups }: FileMetaData, file: string): void {
  for (const [index, group] of groups.entries()) {
    const bytes = bytesOf(group);
    const rows = Number(group.num_rows);
    const cells = rows * group.columns.length;
    if (bytes <= MAX_BYTES && cells <= MAX_CELLS) continue;
    const what =
      bytes > MAX_BYTES
        ? `takes ${Math.ceil(bytes / MIB)} MiB, unpacked, and the limit is ${MAX_BYTES / MIB} MiB`
        : `has ${rows} rows of ${group.columns.length} columns, and the limit is ${MAX_CELLS} cells`;
    const reason = `row group ${index + 1} of ${groups.length} of the Parquet file ${what}. Write it with smaller row groups, or as CSV.`;
    throw new InputError('too_large', reason, { file });
  }
}

/** What the group says, or what its columns say together: writers differ in which they fill in. */
function bytesOf({ total_byte_size: total, columns }: RowGroup): number {
  const unpacked = columns.map(({ meta_data: about }) => Number(about?.total_uncompressed_size));
  return Math.max(
    Number(total),
    unpacked.reduce((sum, bytes) => sum + (bytes > 0 ? bytes : 0), 0),
  );
}

/**
 * The stretches in which the first rows are read. Pages before a stretch are passed over without being unpacked.
 * @param rows how many rows are wanted
 */
export function* stretches(
  { row_groups: groups }: FileMetaData,
  rows: number,
): Generator<Stretch, void, undefined> {
  let start = 0;
  for (const { num_rows: count, columns } of groups) {
    const end = start + Number(count);
    const step = Math.max(1, Math.floor(READ_CELLS / Math.max(1, columns.length)));
    for (; start < Math.min(end, rows); start += step)
      yield { start, end: Math.min(start + step, end, rows) };
    start = end;
  }
}
