import type { RowReport } from '../../core/report.js';
import { AtomicFile, orDiscard } from '../files/atomic-file.js';
import { csvField } from './csv-text.js';
import { inert } from '../text/inert.js';
import { inPieces } from '../files/pieces.js';
import { problemText } from '../text/problem-text.js';
import { VERDICT_COLUMNS, verdictCells } from '../verdict-columns.js';

/** Characters that are put together before they become bytes. */
const CHUNK = 16 * 1024;

const BEFORE = ['row', 'sheet', 'uuid'] as const;
const AFTER = ['outcome', 'createdClientId', 'createResult', 'enqueueResult'] as const;
const LAST = ['changeResult', 'problems', 'file'] as const;

export interface ReportFile {
  /** Path of the report; its folder is made when it is missing. */
  readonly file: string;
  /** The rows in the order in which they should stand. */
  readonly rows: Iterable<RowReport> | AsyncIterable<RowReport>;
  /** Names of the synchronization identifiers, in the order of `RowReport.identifiers`. */
  readonly identifierNames: readonly string[];
  /** Input files of the run, in the order of `RowReport.input`; with several, the last column names the row's file. */
  readonly inputs: readonly string[];
  /** Whether the run changes clients: then a column tells what became of it. */
  readonly changes?: boolean | undefined;
  /** What the lines tell: how rows ended, or what a comparison found. @default outcomes */
  readonly tells?: 'outcomes' | 'verdicts' | undefined;
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
  identifierNames,
  inputs,
  changes = false,
  tells = 'outcomes',
  afterPiece = () => Promise.resolve(),
}: ReportFile): Promise<number> {
  const target = await AtomicFile.open(file);
  return orDiscard(target, async () => {
    const more = { severalInputs: inputs.length > 1, changes, tells };
    await target.write(headerLine(identifierNames, more));
    const line = tells === 'verdicts' ? verdictLine(inputs) : lineOf(inputs, changes);
    const count = await writeLines(target, rows, line, afterPiece);
    await target.commit();
    return count;
  });
}

/** The same text as `writeReport` writes, piece by piece, without the file. */
export function* reportCsv({
  rows,
  identifierNames,
  inputs,
  changes = false,
  tells = 'outcomes',
}: Omit<ReportFile, 'file' | 'rows' | 'afterPiece'> & {
  readonly rows: Iterable<RowReport>;
}): Generator<string, void, undefined> {
  yield headerLine(identifierNames, { severalInputs: inputs.length > 1, changes, tells });
  yield* inPieces(rows, tells === 'verdicts' ? verdictLine(inputs) : lineOf(inputs, changes));
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

/** Which columns a report has that not every report has. */
export interface MoreColumns {
  /** `file`: the input of each row. */
  readonly severalInputs: boolean;
  /** `changeResult`: what became of a change. */
  readonly changes: boolean;
  readonly tells?: ReportFile['tells'];
}

/** Names of the report's columns. An identifier that is called like another column gets `id:` before its name. */
export function reportColumns(
  identifierNames: readonly string[],
  { severalInputs, changes, tells }: MoreColumns,
): string[] {
  const after = tells === 'verdicts' ? VERDICT_COLUMNS : AFTER;
  const taken = new Set<string>([...BEFORE, ...after, ...LAST]);
  const identifiers = identifierNames.map((name) => {
    let unique = name;
    while (taken.has(unique)) unique = `id:${unique}`;
    taken.add(unique);
    return unique;
  });
  const last = [changes ? ['changeResult'] : [], 'problems', severalInputs ? ['file'] : []];
  return [...BEFORE, ...identifiers, ...after, ...last.flat()];
}

const field = csvField(',');

/** What makes a cell more than its own text: see `inert` and `csvField`. Most cells need one look only. */
const PLAIN = /^[\p{L}\p{N}](?:[^",\r\n]*[^",\s])?$/u;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return PLAIN.test(value) ? value : field(inert(value));
}

function headerLine(identifierNames: readonly string[], more: MoreColumns): string {
  return `${reportColumns(identifierNames, more).map(cell).join(',')}\n`;
}

function lineOf(inputs: readonly string[], changes: boolean): (row: RowReport) => string {
  const ends = inputs.length > 1 ? inputs.map((input) => `,${cell(input)}\n`) : [];
  const resultsOf = resultCells(changes);
  return (row) => {
    let line = `${row.row},${cell(row.sheet)},${cell(row.uuid)},`;
    for (const identifier of row.identifiers) line += `${cell(identifier)},`;
    const results = resultsOf(row);
    line += `${results.beforeId}${row.createdClientId ?? ''}${results.afterId}`;
    if (row.problems.length > 0) line += cell(problemText(row.problems));
    return line + (ends[row.input] ?? '\n');
  };
}

/** Cells that tell what became of a row: those before the id of its client, and those behind it. */
interface ResultCells {
  readonly beforeId: string;
  readonly afterId: string;
}

/** Rows with the same results follow each other: their cells are not made again. */
function resultCells(changes: boolean): (row: RowReport) => ResultCells {
  let last: Pick<RowReport, 'outcome' | 'createResult' | 'enqueueResult' | 'changeResult'> | null =
    null;
  let made: ResultCells = { beforeId: '', afterId: '' };
  return ({ outcome, createResult, enqueueResult, changeResult }) => {
    if (
      last?.outcome === outcome &&
      last.createResult === createResult &&
      last.enqueueResult === enqueueResult &&
      last.changeResult === changeResult
    )
      return made;
    last = { outcome, createResult, enqueueResult, changeResult };
    const change = changes ? `${cell(changeResult)},` : '';
    made = {
      beforeId: `${outcome},`,
      afterId: `,${cell(createResult)},${cell(enqueueResult)},${change}`,
    };
    return made;
  };
}

/** What a comparison found, a line for each row. */
function verdictLine(inputs: readonly string[]): (row: RowReport) => string {
  const ends = inputs.length > 1 ? inputs.map((input) => `,${cell(input)}\n`) : [];
  return (row) => {
    const remarks = [row.inspection?.remark, problemText(row.problems)].filter(Boolean).join('; ');
    const cells = [
      ...[row.row, row.sheet, row.uuid, ...row.identifiers],
      ...verdictCells(row),
      remarks,
    ];
    return cells.map(cell).join(',') + (ends[row.input] ?? '\n');
  };
}
