import type { RowReport } from '../core/report.js';
import { AtomicFile, orDiscard } from './atomic-file.js';
import { csvField } from './csv-text.js';
import { inert } from './inert.js';
import { problemText } from './problem-text.js';

/** Characters that are collected before they are written: large enough that the disk is no concern. */
const CHUNK = 256 * 1024;

const BEFORE = ['row', 'sheet', 'uuid'] as const;
const AFTER = ['outcome', 'createdClientId', 'createResult', 'enqueueResult', 'problems'] as const;

export interface ReportFile {
  /** Path of the report; its folder is made when it is missing. */
  readonly file: string;
  /** The rows in the order in which they should stand. */
  readonly rows: Iterable<RowReport> | AsyncIterable<RowReport>;
  /** Names of the synchronization identifiers, in the order of `RowReport.identifiers`. */
  readonly identifierNames: readonly string[];
  /** Input files of the run, in the order of `RowReport.input`; with several, the last column names the row's file. */
  readonly inputs: readonly string[];
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
  identifierNames,
  inputs,
}: ReportFile): Promise<number> {
  const target = await AtomicFile.open(file);
  return orDiscard(target, async () => {
    await target.write(headerLine(identifierNames, inputs.length > 1));
    const count = await writeLines(target, rows, inputs);
    await target.commit();
    return count;
  });
}

async function writeLines(
  target: AtomicFile,
  rows: ReportFile['rows'],
  inputs: readonly string[],
): Promise<number> {
  const line = lineOf(inputs);
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

/** Names of the report's columns. An identifier that is called like another column gets `id:` before its name. */
export function reportColumns(
  identifierNames: readonly string[],
  severalInputs: boolean,
): string[] {
  const taken = new Set<string>([...BEFORE, ...AFTER, 'file']);
  const identifiers = identifierNames.map((name) => {
    let unique = name;
    while (taken.has(unique)) unique = `id:${unique}`;
    taken.add(unique);
    return unique;
  });
  return [...BEFORE, ...identifiers, ...AFTER, ...(severalInputs ? ['file'] : [])];
}

const field = csvField(',');

/** What makes a cell more than its own text: see `inert` and `csvField`. Most cells need one look only. */
const PLAIN = /^[\p{L}\p{N}](?:[^",\r\n]*[^",\s])?$/u;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return PLAIN.test(value) ? value : field(inert(value));
}

function headerLine(identifierNames: readonly string[], severalInputs: boolean): string {
  return `${reportColumns(identifierNames, severalInputs).map(cell).join(',')}\n`;
}

function lineOf(inputs: readonly string[]): (row: RowReport) => string {
  const ends = inputs.length > 1 ? inputs.map((input) => `,${cell(input)}\n`) : [];
  return (row) => {
    let line = `${row.row},${cell(row.sheet)},${cell(row.uuid)},`;
    for (const identifier of row.identifiers) line += `${cell(identifier)},`;
    line += `${row.outcome},${row.createdClientId ?? ''},${cell(row.createResult)},`;
    line += `${cell(row.enqueueResult)},`;
    if (row.problems.length > 0) line += cell(problemText(row.problems));
    return line + (ends[row.input] ?? '\n');
  };
}
