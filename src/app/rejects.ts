import { join } from 'node:path';
import { InputError } from '../core/errors.js';
import { NOT_YET } from '../core/fold.js';
import { GOOD_OUTCOMES } from '../core/outcome.js';
import type { RowReport } from '../core/report.js';
import type { Row } from '../core/row.js';
import type { SourceOptions } from '../core/source.js';
import { problemText } from '../report/problem-text.js';
import { openRejectsWriter } from '../report/rejects.js';
import type { RejectsWriter } from '../report/rejects-writer.js';
import { openSource } from '../source/open.js';
import type { InputFile, OpenedInput } from './prepare/plan.js';

/** Whether a row belongs into the rejects: it did not end well, and continuing the run would not change that. */
export function isReject(row: RowReport): boolean {
  return !GOOD_OUTCOMES.has(row.outcome) && !row.problems.some(({ code }) => code === NOT_YET);
}

/** Path of the rejects of an input: `rejects.csv`, or `rejects-1.csv`, `rejects-2.xlsx`, … for several inputs. */
export function rejectsPath(out: string, input: OpenedInput, index: number, count: number): string {
  const number = count > 1 ? `-${index + 1}` : '';
  return join(out, `rejects${number}.${input.info.format}`);
}

/** A rejects writer that takes after its input. */
export function rejectsWriter(file: string, input: OpenedInput): RejectsWriter {
  const { info, headerCells, headerRow, preamble, sheet } = input;
  return openRejectsWriter({
    file,
    format: info.format,
    encoding: info.encoding,
    delimiter: info.delimiter,
    bom: info.bom,
    headers: headerCells,
    headerRow,
    preamble,
    sheet: sheet ?? undefined,
  });
}

/** Everything that is known of why the row did not end well: the mapping's problems, or the server's words. */
function reasonText(row: RowReport): string {
  const { problems, createResult, enqueueResult, changeResult, outcome } = row;
  const refusal = changeResult ?? createResult;
  const words =
    outcome === 'failed' ? refusal : outcome === 'enqueue_failed' ? enqueueResult : null;
  return [words, problemText(problems)].filter((text) => text !== null && text !== '').join('; ');
}

export interface RejectsRequest {
  readonly out: string;
  readonly files: readonly InputFile[];
  readonly inputs: readonly OpenedInput[];
  readonly source: SourceOptions;
  /** All rows of the run in order. */
  readonly rows: Iterable<RowReport>;
}

/**
 * Writes the rows that did not end well with their original cells, by reading the inputs once more beside the report.
 * Resolves with the paths of the files written.
 */
export async function writeRejects(request: RejectsRequest): Promise<string[]> {
  const { out, files, inputs, source } = request;
  const rows = request.rows[Symbol.iterator]();
  const walk = walkBeside(rows);
  const written: string[] = [];
  for (const [index, input] of inputs.entries()) {
    const path = files[index]?.path;
    if (path === undefined) break;
    const file = rejectsPath(out, input, index, inputs.length);
    const writer = rejectsWriter(file, input);
    try {
      for await (const [row, report] of walk(dataRows(path, input, source)))
        if (isReject(report)) await writer.write(row.cells, report.outcome, reasonText(report));
      if ((await writer.close()) > 0) written.push(file);
    } catch (error) {
      await writer.discard();
      rows.return?.();
      throw error;
    }
  }
  rows.return?.();
  return written;
}

/** The rows of an input, each with its line of the report. */
export function rowsBeside(
  path: string,
  input: OpenedInput,
  source: SourceOptions,
  rows: Iterator<RowReport>,
): AsyncGenerator<readonly [Row, RowReport], void, undefined> {
  return walkBeside(rows)(dataRows(path, input, source));
}

/** Walks over inputs, one after the other, beside the lines of their common report. */
function walkBeside(reports: Iterator<RowReport>) {
  let next = reports.next();
  let ordinal = 0;
  return async function* (
    rows: AsyncIterable<Row>,
  ): AsyncGenerator<readonly [Row, RowReport], void, undefined> {
    for await (const row of rows) {
      // Rows that are yet to be sent stand in the input and not in the report.
      const report = !next.done && next.value.ordinal === ordinal ? next.value : undefined;
      ordinal++;
      if (!report) continue;
      yield [row, report];
      next = reports.next();
    }
  };
}

async function* dataRows(
  path: string,
  input: OpenedInput,
  options: SourceOptions,
): AsyncGenerator<Row, void, undefined> {
  const source = await openSource(path, { ...options, ...found(input) });
  try {
    for await (const batch of source.batches())
      for (const row of batch)
        if (row.row > input.headerRow || row.sheet !== input.sheet) yield row;
  } catch (error) {
    // The run has told of a fault in the file; the rows before it are rejects all the same.
    if (!(error instanceof InputError)) throw error;
  }
}

/** What was found at the first reading is not guessed again. */
function found({ info }: OpenedInput): SourceOptions {
  return {
    ...(info.encoding === undefined ? {} : { encoding: info.encoding }),
    ...(info.delimiter === undefined ? {} : { delimiter: info.delimiter }),
  };
}
