import type { Row, Source, SourceInfo, SourceOptions } from '../../core/table.js';
import { readWhole, type FoundFile } from '../file.js';
import { Allowance } from './zip/allowance.js';
import { Archive } from './zip/archive.js';
import { chooseSheets, sheetFacts, type ChosenSheet } from './choose.js';
import { checkContainer } from './zip/container.js';
import { feed } from './xml/document.js';
import { SheetReader } from './sheet.js';
import type { PartKind } from './zip/part.js';
import { NO_STRINGS, readStrings, type LazyStrings } from './strings/strings.js';
import { readStyles } from './cells/styles.js';
import { StringTable } from './table.js';
import type { Shared } from './cells/value.js';
import { readWorkbook, type Workbook } from './workbook.js';

/**
 * Opens an `.xlsx` workbook. Nothing stays open: each `batches()` opens the file anew and closes it when it ends, also
 * early.
 * @throws InputError when the file is no workbook or lacks the wanted sheet: `not_a_zip`, `encrypted`,
 * `truncated_zip`, `not_a_workbook`, `unknown_sheet` and others.
 */
export async function openXlsx(found: FoundFile, options: SourceOptions): Promise<Source> {
  const { file } = found;
  await checkContainer(file);
  const archive = await Archive.open(file);
  try {
    const workbook = await readWorkbook(archive);
    const sheets = chooseSheets(workbook.sheets, options, archive.place);
    return new XlsxSource(found, workbook, sheets);
  } finally {
    await archive.close();
  }
}

class XlsxSource implements Source {
  readonly info: SourceInfo;
  private readonly file: string;
  private read = 0;
  constructor(
    { file, ...found }: FoundFile,
    private readonly workbook: Workbook,
    private readonly sheets: readonly ChosenSheet[],
  ) {
    this.file = file;
    this.info = { ...found, bom: false, ...sheetFacts(workbook.sheets, sheets) };
  }

  bytesRead(): number {
    return this.read;
  }

  async verify(): Promise<void> {
    const archive = await Archive.open(this.file);
    try {
      for (const part of this.parts())
        if (archive.has(part)) await readWhole(archive.read(part, this.kindOf(part)));
    } finally {
      await archive.close();
    }
  }

  async *batches(): AsyncGenerator<readonly Row[]> {
    this.read = 0;
    const archive = await Archive.open(this.file);
    const table = new StringTable();
    try {
      const progress = this.progressOf(archive);
      // What the directory shows to be missing is refused before the first row, not when its turn comes.
      for (const { part } of this.sheets) await archive.probe(part, 'sheet');
      const strings = await this.beginStrings(archive, table, progress);
      try {
        const shared = await this.readShared(archive, table);
        const allowance = new Allowance(this.compressedBytes(archive));
        for (const sheet of this.sheets)
          yield* this.readSheet(archive, sheet, { shared, strings, progress, allowance });
        // Strings that no cell refers to are part of the file too: it is whole, or it is not.
        await strings.until(Infinity);
      } finally {
        await strings.close();
      }
      this.read = this.info.bytes;
    } finally {
      table.close();
      await archive.close();
    }
  }

  private async beginStrings(
    archive: Archive,
    table: StringTable,
    progress: Progress,
  ): Promise<LazyStrings> {
    const name = this.workbook.sharedStrings;
    if (name === null || !archive.has(name)) {
      table.isWhole = true;
      return NO_STRINGS;
    }
    await archive.probe(name, 'sharedStrings');
    const { place } = archive;
    const document = {
      archive,
      name,
      kind: 'sharedStrings',
      place,
      onRead: progress(name),
    } as const;
    return readStrings(document, table);
  }

  private async readShared(archive: Archive, strings: StringTable): Promise<Shared> {
    const { date1904, styles } = this.workbook;
    const kinds =
      styles === null || !archive.has(styles)
        ? []
        : await readStyles(archive, styles, archive.place);
    const lacksStyles = styles !== null && !archive.has(styles);
    return { strings, styles: kinds, lacksStyles, date1904 };
  }

  private async *readSheet(
    archive: Archive,
    { name, part }: ChosenSheet,
    { shared, strings, progress, allowance }: SheetContext,
  ): AsyncGenerator<readonly Row[]> {
    const place = { ...archive.place, sheet: name };
    const reader = new SheetReader(name, part, shared, place, allowance);
    const document = { archive, name: part, kind: 'sheet', place, onRead: progress(part) } as const;
    const { batch } = reader.grid;
    try {
      for await (const _ of feed(document, reader)) {
        if (reader.wanted !== null) await strings.until(reader.wanted);
        if (batch.isFull) yield batch.take();
      }
    } catch (error) {
      // What was read before the error is given before it, as with a CSV file.
      reader.grid.finish();
      if (!batch.isEmpty) yield batch.take();
      throw error;
    }
    reader.grid.finish();
    if (!batch.isEmpty) yield batch.take();
  }

  /** The parts that rows are read from, each of them once. */
  private parts(): string[] {
    const sheets = this.sheets.map(({ part }) => part);
    return [...new Set([this.workbook.sharedStrings ?? '', ...sheets])];
  }

  private kindOf(part: string): PartKind {
    return part === this.workbook.sharedStrings ? 'sharedStrings' : 'sheet';
  }

  private compressedBytes(archive: Archive): number {
    return this.parts().reduce((sum, part) => sum + archive.compressedBytes(part), 0);
  }

  /** Progress as a share of the parts that are read at all: pictures and other sheets do not count. */
  private progressOf(archive: Archive): Progress {
    const total = this.compressedBytes(archive);
    const read = new Map<string, number>();
    return (part) => (bytes) => {
      read.set(part, bytes);
      let sum = 0;
      for (const partly of read.values()) sum += partly;
      this.read = Math.floor((this.info.bytes * sum) / Math.max(total, 1));
    };
  }
}

type Progress = (part: string) => (bytes: number) => void;

/** What all sheets are read with. */
interface SheetContext {
  readonly shared: Shared;
  readonly strings: LazyStrings;
  readonly progress: Progress;
  readonly allowance: Allowance;
}
