import type { RowReport } from '../core/report.js';
import { reasonText } from '../report/text/words.js';
import { openRejectsWriter } from '../report/rejects/rejects.js';
import type { RejectsWriter } from '../report/rejects/rejects-layout.js';
import { traitsOf } from '../source/formats.js';
import { InputRows } from './input-rows.js';
import type { OpenedInput } from '../prepare/plan.js';
import type { ReadInput } from './inputs.js';
import { rejectsPath } from './settings.js';
import type { Rejects } from './plan.js';

/**
 * UTF-8 with a mark where the encoding of the input was guessed, since a few rejects are too little to guess it again,
 * and for ISO-2022-JP, whose escape sequences nothing writes. Else that of the input.
 */
function encodingOf({ encoding, encodingGuessed, bom }: OpenedInput['info']) {
  return encoding === 'iso-2022-jp' || encodingGuessed
    ? { encoding: 'utf-8', bom: true }
    : { encoding, bom };
}

/** A rejects writer for rows of an input, in its format. */
export function rejectsWriter(file: string, input: OpenedInput): Promise<RejectsWriter> {
  const { info, headerCells, hasHeader, headerRow, preamble, sheet } = input;
  return openRejectsWriter({
    file,
    format: traitsOf(info.format).rejects,
    ...encodingOf(info),
    delimiter: info.delimiter,
    headers: headerCells,
    hasHeader,
    headerRow,
    preamble,
    sheet: sheet ?? undefined,
  });
}

export interface RejectsRequest {
  /** Folder of the files. */
  readonly out: string;
  readonly inputs: readonly ReadInput[];
  readonly onWarning: (message: string) => void;
}

/** The rejects of one input. */
interface InputRejects {
  readonly index: number;
  readonly file: string;
  readonly rows: InputRows;
  readonly writer: RejectsWriter;
  hasChanged: boolean;
}

/** Writes the rejects of an import, a file for each input that has any, by reading the inputs once more. */
export class ImportRejects implements Rejects {
  readonly #written: string[] = [];
  #open: InputRejects | undefined;
  #failure: Error | undefined;

  constructor(private readonly request: RejectsRequest) {}

  async write(rows: readonly RowReport[]): Promise<void> {
    if (this.#failure) return;
    try {
      for (const report of rows) {
        const rejects = this.#open?.index === report.input ? this.#open : await this.#begin(report);
        if (!rejects || rejects.hasChanged) continue;
        const asked = rejects.rows.find(report);
        const row = asked instanceof Promise ? await asked : asked;
        if (row) {
          const writing = rejects.writer.write(row.cells, report.outcome, reasonText(report));
          if (writing) await writing;
        } else this.#announceChange(rejects, report);
      }
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  async close(): Promise<readonly string[]> {
    if (!this.#failure) {
      await this.#end();
      return this.#written;
    }
    await this.discard();
    throw this.#failure;
  }

  async discard(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    // What fails here is a consequence of what is reported already.
    if (open) await Promise.allSettled([open.rows.close(), open.writer.discard()]);
  }

  /** Rows come in the order of the inputs: the rejects of the one before are whole. */
  async #begin({ input: index }: RowReport): Promise<InputRejects | undefined> {
    await this.#end();
    const { out, inputs } = this.request;
    const read = inputs[index];
    if (!read) return undefined;
    const file = rejectsPath(out, read.input, index, inputs.length);
    const writer = await rejectsWriter(file, read.input);
    this.#open = { index, file, rows: new InputRows(read), writer, hasChanged: false };
    return this.#open;
  }

  async #end(): Promise<void> {
    const open = this.#open;
    if (!open) return;
    await open.rows.close();
    if ((await open.writer.close()) > 0) this.#written.push(open.file);
    this.#open = undefined;
  }

  #announceChange(rejects: InputRejects, { row, sheet }: RowReport): void {
    rejects.hasChanged = true;
    const name = this.request.inputs[rejects.index]?.input.name ?? '';
    const place = sheet === null ? `row ${row}` : `sheet "${sheet}", row ${row}`;
    this.request.onWarning(
      `${name} was changed while it was imported: its rejects from ${place} on are left out. report.csv has all rows.`,
    );
  }
}
