import { join } from 'node:path';
import type { RowReport } from '../core/report.js';
import { problemText } from '../report/problem-text.js';
import { openRejectsWriter } from '../report/rejects.js';
import type { RejectsWriter } from '../report/rejects-writer.js';
import { InputRows, type ReadInputs } from './input-rows.js';
import type { OpenedInput } from './prepare/plan.js';
import type { Rejects } from './work.js';

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

export interface RejectsRequest extends ReadInputs {
  /** Folder of the files. */
  readonly out: string;
  readonly onWarning: (message: string) => void;
}

/** Writes the rejects of an import, a file for each input that has any, by reading the inputs once more. */
export class ImportRejects implements Rejects {
  readonly #request: RejectsRequest;
  readonly #rows: InputRows;
  readonly #writers = new Map<number, { file: string; writer: RejectsWriter }>();
  #failure: Error | undefined;
  #hasWarned = false;

  constructor(request: RejectsRequest) {
    this.#request = request;
    this.#rows = new InputRows(request);
  }

  async write(rows: readonly RowReport[]): Promise<void> {
    if (this.#failure) return;
    try {
      for (const report of rows) {
        const asked = this.#rows.find(report);
        const row = asked instanceof Promise ? await asked : asked;
        if (row)
          await this.#writerOf(report.input)?.write(row.cells, report.outcome, reasonText(report));
        else this.#warnOfChange(report);
      }
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  async close(): Promise<readonly string[]> {
    if (this.#failure) {
      await this.discard();
      throw this.#failure;
    }
    await this.#rows.close();
    const written: string[] = [];
    try {
      for (const { file, writer } of this.#writers.values())
        if ((await writer.close()) > 0) written.push(file);
    } catch (error) {
      // Those that have been closed stay: they are whole.
      await this.discard();
      throw error;
    }
    return written;
  }

  async discard(): Promise<void> {
    await this.#rows.close();
    for (const { writer } of this.#writers.values()) await writer.discard();
  }

  #writerOf(index: number): RejectsWriter | undefined {
    const { out, inputs } = this.#request;
    const input = inputs[index];
    if (!input) return undefined;
    let open = this.#writers.get(index);
    if (!open) {
      const file = rejectsPath(out, input, index, inputs.length);
      open = { file, writer: rejectsWriter(file, input) };
      this.#writers.set(index, open);
    }
    return open.writer;
  }

  #warnOfChange({ input, row }: RowReport): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const name = this.#request.inputs[input]?.name ?? '';
    this.#request.onWarning(
      `${name} is not any more what it was when the run read it: rows from ${row} on may be missing in the rejects. report.csv tells of all of them.`,
    );
  }
}
