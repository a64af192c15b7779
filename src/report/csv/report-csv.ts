import type { RowReport } from '../../core/report.js';
import { reportColumns } from '../column-layout.js';
import type { ReportColumn, ReportedRun, TableCell } from '../columns.js';
import { AtomicFile, orDiscard } from '../files/atomic-file.js';
import { csvField } from './csv-text.js';
import { inert } from '../text/inert.js';
import { inPieces } from '../files/pieces.js';
import { reportedRun, type RunReport, shownRows } from '../run-report.js';

/** Characters that are put together before they become bytes. */
const CHUNK = 16 * 1024;

export interface ReportFile extends ReportedRun {
  /** Path of the report; its folder is made when it is missing. */
  readonly file: string;
  /** The rows in the order in which they should stand. */
  readonly rows: Iterable<RowReport> | AsyncIterable<RowReport>;
  /** Called whenever some rows have been written, and at the end: what else is made of them is done in step with it. */
  readonly afterPiece?: (() => Promise<void>) | undefined;
}

/**
 * Writes `report.csv`, one line for each row, and resolves with the number of rows. Memory does not grow with the rows.
 *
 * UTF-8 without a byte order mark and with `\n`, since programs that join it by uuid read it more often than Excel.
 * Cells that a spreadsheet program could take for a formula begin with an apostrophe.
 * @throws OutputError when the file cannot be written; an older one stays as it was.
 */
export async function writeReport({
  file,
  rows,
  afterPiece = () => Promise.resolve(),
  ...run
}: ReportFile): Promise<number> {
  const target = await AtomicFile.open(file);
  return orDiscard(target, async () => {
    const { header, line } = csvLines(run);
    await target.write(header);
    const count = await writeLines(target, rows, line, afterPiece);
    await target.commit();
    return count;
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
  // A synchronous source must not pay for a promise a row.
  if (Symbol.iterator in rows) {
    for (const row of rows) if (add(row)) await flush();
  } else {
    for await (const row of rows) if (add(row)) await flush();
  }
  await flush();
  return count;
}

const field = csvField(',');

/** What makes a cell more than its own text: see `inert` and `csvField`. Most cells need one look only. */
const PLAIN = /^[\p{L}\p{N}](?:[^",\r\n]*[^",\s])?$/u;

function cell(value: TableCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return PLAIN.test(value) ? value : field(inert(value));
}

/** The header line of a report, and what makes the line of a row. */
function csvLines(run: ReportedRun): {
  readonly header: string;
  readonly line: (row: RowReport) => string;
} {
  const columns = reportColumns('table', run);
  const writers = columns.map(columnWriter);
  return {
    header: `${columns.map(({ name }) => cell(name)).join(',')}\n`,
    line: (row) => {
      let line = '';
      for (const writer of writers) {
        const value = writer.read(row, run);
        line += writer.before;
        if (value === null || value === '') continue;
        if (typeof value === 'number') line += String(value);
        else if (!writer.repeats) line += cell(value);
        else {
          if (value !== writer.value) [writer.value, writer.text] = [value, cell(value)];
          line += writer.text;
        }
      }
      return `${line}\n`;
    },
  };
}

/** What writes the cells of a column. Where values repeat, the last text is kept: escaping takes longer than all else. */
interface ColumnWriter extends Pick<ReportColumn, 'repeats'> {
  readonly read: ReportColumn['cell'];
  readonly before: '' | ',';
  value: string;
  text: string;
}

const columnWriter = ({ cell: read, repeats = false }: ReportColumn, at: number): ColumnWriter => ({
  ...{ read, repeats, before: at === 0 ? '' : ',' },
  ...{ value: '', text: '' },
});
