import { ByteWriter, ParquetWriter, schemaFromColumnData, type BasicType } from 'hyparquet-writer';
import type { RowReport } from '../core/report.js';
import { type AtomicFile, writeWhole } from './files.js';
import type { TableCell } from './columns.js';
import {
  type ReportTable,
  reportTable,
  type ReportSource,
  type RunReport,
  shownRows,
} from './rows.js';

/** Rows of a row group, which is held in memory until it is written. */
const GROUP = 20_000;

/**
 * Writes the rows as a Parquet file: whole numbers as INT64, other numbers as DOUBLE, everything else as text. The
 * metadata has the run's id and mode. The types of the identifiers are found in the rows, which are read twice for it.
 *
 * @throws OutputError when it cannot be written; an older file stays as it was
 */
export async function writeParquet(
  file: string,
  report: RunReport & Pick<ReportSource, 'rowsAgain'>,
): Promise<void> {
  const table = reportTable(report);
  const types = columnTypes(table, report, report.rowsAgain());
  await writeWhole(file, async (target) => {
    const writer = writerInto(target);
    const parquet = new ParquetWriter({
      writer,
      schema: schemaFromColumnData({ columnData: columnsOf(table, types, []) }),
      createdBy: 'cardline',
      kvMetadata: [
        { key: 'run', value: report.run.run },
        { key: 'mode', value: report.run.mode },
      ],
    });
    for (const rows of groups(shownRows(report)))
      await parquet.write({
        columnData: columnsOf(
          table,
          types,
          rows.map((row) => table.cells(row)),
        ),
        rowGroupSize: GROUP,
      });
    await parquet.finish();
  });
}

type ColumnType = Extract<BasicType, 'INT64' | 'DOUBLE' | 'STRING'>;

/** An identifier is a number when it is one in every row. */
function columnTypes(
  { columns }: ReportTable,
  { run, identifierNames }: RunReport,
  rows: Iterable<RowReport>,
): ColumnType[] {
  // While a run is in progress, rows that come later may have other types.
  const found = run.state === 'running' ? [] : identifierTypes(rows, identifierNames.length);
  return columns.map(({ type }) => {
    if (type === 'identifier') return found.shift() ?? 'STRING';
    return type === 'integer' ? 'INT64' : 'STRING';
  });
}

function identifierTypes(rows: Iterable<RowReport>, count: number): ColumnType[] {
  const types = Array<ColumnType | undefined>(count).fill(undefined);
  for (const { identifiers } of rows)
    for (let at = 0; at < count; at++) {
      const value = identifiers[at] ?? null;
      if (value === null || types[at] === 'STRING') continue;
      if (typeof value === 'string') types[at] = 'STRING';
      else if (!Number.isSafeInteger(value)) types[at] = 'DOUBLE';
      else types[at] ??= 'INT64';
    }
  return types.map((type) => type ?? 'STRING');
}

function columnsOf(
  { columns }: ReportTable,
  types: readonly ColumnType[],
  rows: readonly (readonly TableCell[])[],
): { name: string; type: ColumnType; nullable: true; data: unknown[] }[] {
  return columns.map(({ name }, at) => {
    const type = types[at] ?? 'STRING';
    const data = rows.map((cells) => typed(cells[at] ?? null, type));
    return { name, type, nullable: true, data };
  });
}

function typed(value: TableCell, type: ColumnType): string | number | bigint | null {
  if (value === null || value === '') return null;
  if (type === 'STRING') return String(value);
  return type === 'INT64' ? BigInt(value) : Number(value);
}

function* groups<T>(rows: Iterable<T>): Generator<T[], void, undefined> {
  let group: T[] = [];
  for (const row of rows) {
    group.push(row);
    if (group.length < GROUP) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** A writer whose bytes go into the file after every group of rows. */
function writerInto(target: AtomicFile): ByteWriter & { flush(): Promise<void> } {
  const writer = new ByteWriter();
  const flush = async (): Promise<void> => {
    await target.write(writer.getBytes());
    // The buffer is reused from its start; `offset`, the position in the file, goes on.
    Object.assign(writer, { index: 0 });
  };
  return Object.assign(writer, { flush, finish: flush });
}
