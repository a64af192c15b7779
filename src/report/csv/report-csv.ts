import type { RowReport } from '../../core/report.js';
import { reportColumns, reportedRun, type RunReport, shownRows } from '../rows.js';
import {
  type ReportColumn,
  type ReportedRun,
  type ReportKind,
  reportKind,
  type TableCell,
} from '../columns.js';
import { type AtomicFile, inPieces, writeWhole } from '../files.js';
import { csvField } from './csv-file.js';
import { guardedText } from '../../core/table.js';

/** Characters that are collected before they are encoded. */
const CHUNK = 16 * 1024;

export interface ReportFile extends ReportedRun {
  /** Path of the report; its folder is created when missing. */
  readonly file: string;
  /** The rows in the order of the report. */
  readonly rows: Iterable<RowReport> | AsyncIterable<RowReport>;
  /** Called after each piece of rows, and at the end: other files of the same rows are written in step with it. */
  readonly afterPiece?: (() => Promise<void>) | undefined;
}

/**
 * Writes `report.csv`, one line for each row, and resolves with the number of rows. Memory does not grow with the rows.
 *
 * UTF-8 without a byte order mark and with `\n`, for programs that join it by uuid. Cells that a spreadsheet program
 * could take for a formula begin with an apostrophe.
 * @throws OutputError when the file cannot be written; an older one stays as it was.
 */
export async function writeReport({
  file,
  rows,
  afterPiece = () => Promise.resolve(),
  ...run
}: ReportFile): Promise<number> {
  return writeWhole(file, async (target) => {
    const { header, line } = csvLines(run);
    await target.write(header);
    return writeLines(target, rows, line, afterPiece);
  });
}

/** The same text as `writeReport` writes, piece by piece, without the file. */
export function* reportCsv(report: RunReport): Generator<string, void, undefined> {
  const { header, line } = csvLines(reportedRun(report));
  yield header;
  yield* inPieces(shownRows(report), line);
}

async function writeLines(
  target: AtomicFile,
  rows: ReportFile['rows'],
  line: (row: RowReport) => string,
  afterPiece: () => Promise<void>,
): Promise<number> {
  let count = 0;
  let chunk = '';
  const add = (row: RowReport): boolean => {
    count += 1;
    chunk += line(row);
    return chunk.length >= CHUNK;
  };
  const flush = async (): Promise<void> => {
    await target.write(chunk);
    chunk = '';
    await afterPiece();
  };
  // Rows of a synchronous source are not awaited one by one, which would be slower.
  if (Symbol.iterator in rows) {
    for (const row of rows) if (add(row)) await flush();
  } else {
    for await (const row of rows) if (add(row)) await flush();
  }
  await flush();
  return count;
}

const field = csvField(',');

/** A text that needs neither `guardedText` nor `csvField`, as most do: one test in place of several. */
const PLAIN = /^[\p{L}\p{N}](?:[^",\r\n]*[^",\s])?$/u;

function cell(value: TableCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return PLAIN.test(value) ? value : field(guardedText(value));
}

/** The header line of a report, and the function that makes the line of a row. */
function csvLines(run: ReportedRun): {
  readonly header: string;
  readonly line: (row: RowReport) => string;
} {
  const columns = reportColumns('table', run);
  const { writers, end } = columnWriters(columns, reportKind(run));
  return {
    header: `${columns.map(({ name }) => cell(name)).join(',')}\n`,
    line: (row) => {
      let line = '';
      for (const writer of writers) {
        const value = writer.cell(row, run);
        line += writer.before;
        if (value === null || value === '') continue;
        if (typeof value === 'number') line += String(value);
        else if (!writer.repeats) line += cell(value);
        else {
          if (value !== writer.value) [writer.value, writer.text] = [value, cell(value)];
          line += writer.text;
        }
      }
      return line + end;
    },
  };
}

/** Writes the cells of a column. Where values repeat, the escaped text of the last one is kept: escaping is slow. */
interface ColumnWriter extends Pick<ReportColumn, 'cell' | 'repeats'> {
  /** Commas, one for each column before it that is always empty too. */
  readonly before: string;
  value: string;
  text: string;
}

/** The columns that can have a value in such a report, and what ends each line. */
function columnWriters(
  columns: readonly ReportColumn[],
  kind: ReportKind,
): { readonly writers: readonly ColumnWriter[]; readonly end: string } {
  const writers: ColumnWriter[] = [];
  let before = '';
  for (const { cell, only = kind, repeats = false } of columns) {
    if (only === kind) {
      writers.push({ cell, repeats, before, value: '', text: '' });
      before = '';
    }
    before += ',';
  }
  return { writers, end: `${before.slice(1)}\n` };
}
