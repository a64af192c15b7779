import { Writable } from 'node:stream';
import type { stream, Worksheet } from 'exceljs';
import type { Cell } from '../core/row.js';
import { AtomicFile, orDiscard } from './atomic-file.js';
import { xlsxText } from './xlsx-text.js';

/** Longest name that a sheet may have. */
const NAME_LENGTH = 31;

/** Text format: what a person types over a phone number stays as it was typed. */
const AS_TEXT = { numFmt: '@' };

/** A workbook of texts, written sheet by sheet and row by row. After a failure the file is gone. */
export class WorkbookFile {
  private sheet: Worksheet | undefined;
  private sheets = 0;

  private constructor(
    private readonly target: AtomicFile,
    private readonly workbook: stream.xlsx.WorkbookWriter,
    /** Rejects when the file cannot be written; exceljs itself would wait for ever then. */
    private readonly failure: Promise<never>,
  ) {}

  static async open(file: string): Promise<WorkbookFile> {
    const target = await AtomicFile.open(file);
    const output = new Writable({
      write(chunk: Uint8Array, _encoding, done) {
        target.write(chunk).then(() => done(), done);
      },
    });
    const failure = new Promise<never>((_, reject) => output.once('error', reject));
    // Whoever waits for a write learns of the failure; in between nobody may be waiting.
    failure.catch(() => undefined);
    // Loaded late: it is large, and most runs have no workbook to write.
    const { default: ExcelJS } = await import('exceljs');
    const options = { stream: output, useStyles: true, zip: { zlib: { level: 1 } } };
    return new WorkbookFile(target, new ExcelJS.stream.xlsx.WorkbookWriter(options), failure);
  }

  /** Ends the sheet at hand and begins another one of this many columns. The second one is called `<name> (2)`. */
  addSheet(name: string, columns: number): void {
    this.sheet?.commit();
    this.sheets += 1;
    const suffix = this.sheets === 1 ? '' : ` (${this.sheets})`;
    const sheet = this.workbook.addWorksheet(name.slice(0, NAME_LENGTH - suffix.length) + suffix);
    sheet.columns = Array.from({ length: columns }, () => ({ style: AS_TEXT }));
    this.sheet = sheet;
  }

  /** Adds a row. An empty one takes its row number, too. */
  addRow(cells: readonly Cell[]): void {
    this.sheet?.addRow(cells.map(textCell)).commit();
  }

  /** Resolves when what was added so far went through the compressor; exceljs knows no back-pressure of its own. */
  async drain(): Promise<void> {
    const into = this.sheet === undefined ? undefined : compressorOf(this.sheet);
    if (into === undefined) return;
    const through = new Promise<void>((resolve) => into.write(Buffer.alloc(0), () => resolve()));
    await orDiscard(this.target, () => Promise.race([through, this.failure]));
  }

  async commit(): Promise<void> {
    await orDiscard(this.target, async () => {
      await Promise.race([this.workbook.commit(), this.failure]);
      await this.target.commit();
    });
  }

  discard(): Promise<void> {
    return this.target.discard();
  }
}

/** A text as an inline string: unlike a plain text, exceljs keeps the white space around it. */
function textCell(cell: Cell): ExcelText | undefined {
  // Unlike `undefined`, `null` makes a cell without content: thousands of them where one cell lies far to the right.
  return cell === null || cell === '' ? undefined : { richText: [{ text: xlsxText(cell) }] };
}

interface ExcelText {
  richText: { text: string }[];
}

/** The stream that takes a sheet's XML to the zip archive; a part of exceljs 4.4.0 that its types leave out. */
function compressorOf(sheet: Worksheet): NodeJS.WritableStream | undefined {
  const stream: unknown = Reflect.get(sheet, 'stream');
  if (typeof stream !== 'object' || stream === null || !('pipes' in stream)) return undefined;
  const pipe: unknown = Array.isArray(stream.pipes) ? stream.pipes[0] : undefined;
  return isWritable(pipe) ? pipe : undefined;
}

function isWritable(value: unknown): value is NodeJS.WritableStream {
  return (
    typeof value === 'object' &&
    value !== null &&
    'write' in value &&
    typeof value.write === 'function'
  );
}
