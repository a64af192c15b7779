import type { RowReport } from '../core/report.js';
import { reasonText } from '../report/text/words.js';
import { openRejectsWriter, type RejectsWriter } from '../report/rejects.js';
import { traitsOf } from '../source/source.js';
import type { OpenedInput } from '../prepare/plan.js';
import type { ReadInput } from './rows.js';
import { join } from 'node:path';
import type { Rejects } from './plan.js';
import { InputRows } from '../prepare/inputs/seen.js';

/** A rejects writer for rows of an input, in its format. */
export function rejectsWriter(file: string, input: OpenedInput): Promise<RejectsWriter> {
  const { info, headerCells: headers, hasHeader, headerRow, preamble, sheet } = input;
  const { format, delimiter, encoding, encodingGuessed, bom } = info;
  // UTF-8 with a mark where the encoding of the input was guessed, since a few rejects are too little to guess it again,
  // and for ISO-2022-JP, whose escape sequences nothing writes. Else that of the input.
  const isOther = encoding === 'iso-2022-jp' || encodingGuessed;
  return openRejectsWriter({
    ...{ file, format: traitsOf(format).rejects, delimiter },
    ...(isOther ? { encoding: 'utf-8', bom: true } : { encoding, bom }),
    ...{ headers, hasHeader, headerRow, preamble, sheet: sheet ?? undefined },
  });
}

/**
 * Rejects, a file for each input that has any: `rejects.csv`, or `rejects-1.csv`, `rejects-2.xlsx`, … for several inputs.
 * They are written in the order of the inputs.
 */
export class RejectsFiles {
  readonly written: string[] = [];
  #open:
    { readonly index: number; readonly file: string; readonly writer: RejectsWriter } | undefined;

  constructor(
    private readonly folder: string,
    private readonly inputs: readonly OpenedInput[],
  ) {}

  /** The file of an input; that of the one before is whole. */
  async of(index: number): Promise<RejectsWriter | undefined> {
    const input = this.inputs[index];
    if (!input) return undefined;
    if (this.#open?.index === index) return this.#open.writer;
    await this.close();
    const number = this.inputs.length > 1 ? `-${index + 1}` : '';
    const name = `rejects${number}.${traitsOf(input.info.format).rejects}`;
    const file = join(this.folder, name);
    this.#open = { index, file, writer: await rejectsWriter(file, input) };
    return this.#open.writer;
  }

  async close(): Promise<void> {
    if (this.#open && (await this.#open.writer.close()) > 0) this.written.push(this.#open.file);
    this.#open = undefined;
  }

  async discard(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.writer.discard();
  }
}

/** Writes the rejects of an import by reading its inputs once more. */
export class ImportRejects implements Rejects {
  readonly #files: RejectsFiles;
  #input = -1;
  /** Of the input whose rejects are written; `undefined` where it has changed. */
  #open: { readonly rows: InputRows; readonly writer: RejectsWriter } | undefined;
  #failure: Error | undefined;

  constructor(
    folder: string,
    private readonly inputs: readonly ReadInput[],
    private readonly onWarning: (message: string) => void,
  ) {
    this.#files = new RejectsFiles(
      folder,
      inputs.map(({ input }) => input),
    );
  }

  async write(rows: readonly RowReport[]): Promise<void> {
    if (this.#failure) return;
    try {
      for (const report of rows) {
        if (report.input !== this.#input) await this.#begin(report.input);
        if (!this.#open) continue;
        const asked = this.#open.rows.find(report);
        const row = asked instanceof Promise ? await asked : asked;
        if (row) {
          const writing = this.#open.writer.write(row.cells, report.outcome, reasonText(report));
          if (writing) await writing;
        } else await this.#leaveOut(report);
      }
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  async close(): Promise<readonly string[]> {
    if (!this.#failure) {
      await this.#closeRows();
      await this.#files.close();
      return this.#files.written;
    }
    await this.discard();
    throw this.#failure;
  }

  async discard(): Promise<void> {
    // What fails here is a consequence of what is reported already.
    await Promise.allSettled([this.#closeRows(), this.#files.discard()]);
  }

  async #begin(index: number): Promise<void> {
    await this.#closeRows();
    this.#input = index;
    const [read, writer] = [this.inputs[index], await this.#files.of(index)];
    if (read && writer) this.#open = { rows: new InputRows(read), writer };
  }

  async #closeRows(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.rows.close();
  }

  async #leaveOut({ input, row, sheet }: RowReport): Promise<void> {
    await this.#closeRows();
    const name = this.inputs[input]?.input.name ?? '';
    const place = sheet === null ? `row ${row}` : `sheet "${sheet}", row ${row}`;
    this.onWarning(
      `${name} was changed while it was imported: its rejects from ${place} on are left out. report.csv has all rows.`,
    );
  }
}
