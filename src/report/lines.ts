// What reports are as text: CSV, a line of JSON for each row, and words for a person at a terminal.

import { type Cell, guardedText } from '../core/table.js';
import { AtomicFile, inPieces, writeWhole } from './files.js';
import type { RowReport } from '../core/report.js';
import { reportColumns, reportedRun, type RunReport, shownRows, RowTally } from './rows.js';
import { type ReportedRun, reportKind, type TableCell } from './columns.js';
import { columnMessage } from '../core/outcome.js';
import { printableJson, printableLine, whole } from '../core/text.js';
import { aligned, qualityText, remarksText, suppressedText, placesText } from './text/words.js';
import type { ReasonTally } from './reasons.js';
import { rowLines, runFacts } from './summary.js';

/** Characters that are collected before they are encoded. */
const CHUNK = 16 * 1024;

/**
 * A CSV file that appears complete or not at all: UTF-8, commas, lines ended by a newline. `discard` removes what was
 * written; an older file stays.
 * @throws OutputError when the file cannot be written, here and in every method
 */
export async function openCsv(file: string, columns: readonly string[]) {
  const field = csvField(',');
  const line = (cells: readonly Cell[]): string =>
    `${cells.map((cell) => field(cell ?? '')).join(',')}\n`;
  const target = await AtomicFile.open(file);
  let chunk = line(columns);
  const flush = async (): Promise<void> => {
    const text = chunk;
    chunk = '';
    await target.write(text);
  };
  return {
    write: async (cells: readonly Cell[]): Promise<void> => {
      chunk += line(cells);
      if (chunk.length >= CHUNK) await flush();
    },
    close: async (): Promise<void> => {
      await flush();
      await target.commit();
    },
    discard: () => target.discard(),
  };
}

/**
 * Makes the function that turns a text into a CSV field by RFC 4180: quoted when it holds the delimiter, a quote or a
 * line break, or begins or ends with white space, which some readers trim off an unquoted field.
 */
export function csvField(delimiter: string): (text: string) => string {
  const escaped = delimiter.replace(/[\\\]^-]/g, '\\$&');
  const special = new RegExp(`[${escaped}"\\r\\n]|^\\s|\\s$`);
  return (text) => (special.test(text) ? quoted(text) : text);
}

/** The text as a quoted CSV field. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

interface ReportFile extends ReportedRun {
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
  });
}

/** The same text as `writeReport` writes, piece by piece, without the file. */
export function* reportCsv(report: RunReport): Generator<string, void, undefined> {
  const { header, line } = csvLines(reportedRun(report));
  yield header;
  yield* inPieces(shownRows(report), line);
}

const field = csvField(',');

/** A text that needs neither `guardedText` nor `csvField`, as most do: one test in place of several. */
const PLAIN = /^[\p{L}\p{N}](?:[^",\r\n]*[^",\s])?$/u;

function csvCell(value: TableCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return PLAIN.test(value) ? value : field(guardedText(value));
}

/** The header line of a report, and the function that makes the line of a row. */
function csvLines(run: ReportedRun) {
  const columns = reportColumns('table', run);
  const kind = reportKind(run);
  let commas = '';
  // The columns that can have a value in such a report, with the commas before each. Where values repeat, the escaped text
  // of the last one is kept: escaping is slow.
  const writers = columns.flatMap(({ cell, only = kind, repeats = false }) => {
    const before = commas;
    commas = only === kind ? ',' : `${commas},`;
    return only === kind ? [{ cell, repeats, before, value: '', text: '' }] : [];
  });
  const end = `${commas.slice(1)}\n`;
  return {
    header: `${columns.map(({ name }) => csvCell(name)).join(',')}\n`,
    line: (row: RowReport): string => {
      let line = '';
      for (const writer of writers) {
        const value = writer.cell(row, run);
        line += writer.before;
        if (value === null || value === '') continue;
        if (typeof value === 'number') line += String(value);
        else if (!writer.repeats) line += csvCell(value);
        else {
          if (value !== writer.value) [writer.value, writer.text] = [value, csvCell(value)];
          line += writer.text;
        }
      }
      return line + end;
    },
  };
}

/** One JSON object a line for each row: the columns of `report.csv` by the same names, problems and remarks as objects. */
export function reportJsonl(report: RunReport): Generator<string, void, undefined> {
  const run = reportedRun(report);
  const columns = reportColumns('table', run).map(({ name, json, cell }) => ({
    name,
    value: json ?? cell,
  }));
  return inPieces(shownRows(report), (row) => {
    const object: Record<string, unknown> = {};
    for (const { name, value } of columns) object[name] = value(row, run);
    // A terminal that shows the file must not obey control characters in it.
    return `${printableJson(JSON.stringify(object))}\n`;
  });
}

/** Reasons that are printed; the other formats have all. */
const MAX_REASONS = 30;

/** The run for a person at a terminal: what it was, how its rows ended, and why. Ends with `\n`. */
export function* reportText(report: RunReport): Generator<string, void, undefined> {
  const tally = new RowTally(report);
  for (const row of report.rows) tally.add(row);
  const sentences = [remarksText(tally.remarks.list()), suppressedText(tally.suppressed.list())];
  yield [
    runFacts(report)
      .map(([label, text]) => `${label.padEnd(13)} ${printableLine(text)}\n`)
      .join(''),
    aligned(rowLines(tally)) + sentences.map((text) => (text === '' ? '' : `${text}\n`)).join(''),
    tally.quality ? qualityText(tally.quality) : '',
    reasonLines(report, tally.reasons),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function reasonLines({ run }: RunReport, tally: ReasonTally): string {
  const reasons = tally.list();
  if (reasons.length === 0) return '';
  const width = whole(reasons[0]?.rows ?? 0).length;
  const lines = reasons.slice(0, MAX_REASONS).map((reason) => {
    const places = placesText(reason.rows, reason.examples, run.inputs);
    const count = whole(reason.rows).padStart(width);
    return `  ${count}  ${reason.outcome}: ${printableLine(`${columnMessage(reason)} (${places})`)}\n`;
  });
  const left = reasons.length - lines.length + tally.unlisted;
  const rest = left > 0 ? `  and ${whole(left)} more; --format xlsx has them all\n` : '';
  return `reasons\n${lines.join('')}${rest}`;
}
