import type { ParquetRow } from 'hyparquet';
import { InputError } from '../../core/errors.js';
import type { Row, Source, SourceInfo } from '../../core/table.js';
import { openRegularFile } from '../../files/regular-file.js';
import { Batch } from '../batch.js';
import type { FoundFile } from '../file.js';
import { flatten } from '../records/flatten.js';
import { addTo, ColumnNames, NAMED_BY, type Entries } from '../records/names.js';
import { columnsOf, type ParquetColumn } from './columns.js';
import { COMPRESSORS } from './compressors.js';
import { bufferOf } from './file.js';
import { checkGroups, stretches } from './groups.js';
import { PARSERS } from './values.js';

/**
 * Opens a Parquet file. Nested values have dotted names; a row has the number of its record, from 1.
 * @throws InputError `broken_parquet`, `unsupported_compression`, `too_large`
 */
export async function openParquet(found: FoundFile): Promise<Source> {
  const source = new ParquetSource(found);
  await source.readNames();
  return source;
}

class ParquetSource implements Source {
  readonly info: SourceInfo;
  private readonly names = new ColumnNames();
  private read = 0;

  constructor(private readonly found: FoundFile) {
    const { file: _, ...rest } = found;
    this.info = { ...rest, bom: false, sheets: [] };
  }

  bytesRead(): number {
    return Math.min(this.read, this.info.bytes);
  }

  /** Columns without parts are known; what others hold shows in the first rows. */
  async readNames(): Promise<void> {
    const place = { file: this.found.file };
    for await (const { columns, records } of this.groups(NAMED_BY.records))
      for (const record of records.length > 0 ? records : [{}])
        this.names.add(entriesOf(columns, record), place);
  }

  async verify(): Promise<void> {
    for await (const _ of this.groups(Infinity));
  }

  async *batches(): AsyncGenerator<readonly Row[], void, undefined> {
    this.read = 0;
    const batch = new Batch();
    addTo(batch, this.names.header);
    let row = 0;
    try {
      const count = (bytes: number): void => {
        this.read += bytes;
      };
      for await (const { columns, records } of this.groups(Infinity, count))
        for (const record of records) {
          if (batch.isFull) yield batch.take();
          addTo(batch, this.names.row(entriesOf(columns, record), ++row));
        }
    } catch (error) {
      // What was read before the error is given before it, as with a CSV file.
      if (!batch.isEmpty) yield batch.take();
      throw error;
    }
    this.read = this.info.bytes;
    if (!batch.isEmpty) yield batch.take();
  }

  /** The records of the first rows, up to so many. */
  private async *groups(
    rows: number,
    onRead: (bytes: number) => void = () => undefined,
  ): AsyncGenerator<Group, void, undefined> {
    const { file, bytes } = this.found;
    const parquet = await import('hyparquet');
    const handle = await openRegularFile(file);
    try {
      const buffer = bufferOf(handle, bytes, onRead);
      const metadata = await orBroken(file, parquet.parquetMetadataAsync(buffer));
      checkGroups(metadata, file);
      const columns = columnsOf(parquet.parquetSchema(metadata));
      if (metadata.row_groups.length === 0) yield { columns, records: [] };
      for (const { start, end } of stretches(metadata, rows)) {
        const opened = parquet.parquetReadObjects({
          file: buffer,
          metadata,
          rowStart: start,
          rowEnd: end,
          parsers: PARSERS,
          compressors: COMPRESSORS,
          utf8: false,
        });
        yield { columns, records: await orBroken(file, opened) };
      }
    } finally {
      await handle.close();
    }
  }
}

interface Group {
  readonly columns: readonly ParquetColumn[];
  readonly records: readonly ParquetRow[];
}

function entriesOf(columns: readonly ParquetColumn[], record: ParquetRow): Entries {
  return (take) => {
    for (const { name, isNested, shown } of columns) {
      const value: unknown = record[name] ?? null;
      // A nested column that is empty here has other names elsewhere.
      if (value !== null || !isNested) flatten(name, value === null ? null : shown(value), take);
    }
  };
}

/** The library's own words may hold content of the file; they decide what is wrong, and are not shown. */
async function orBroken<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const words = error instanceof Error ? error.message : '';
    const codec = /compression codec: (\w+)/.exec(words)?.[1];
    const reason =
      codec === undefined
        ? 'the Parquet file is cut off or damaged. Copy or download it again.'
        : `the Parquet file is compressed with ${codec}, which cannot be read here. Write it with Snappy or gzip.`;
    throw new InputError(
      codec === undefined ? 'broken_parquet' : 'unsupported_compression',
      reason,
      {
        file,
      },
    );
  }
}
