import type { Row, Source, SourceInfo, SourceOptions } from '../../core/table.js';
import { readWhole, type FoundFile } from '../file.js';
import { Allowance, Archive, checkContainer, type PartKind } from '../zip.js';
import {
  chooseSheets,
  sheetFacts,
  type ChosenSheet,
  readWorkbook,
  type Workbook,
} from './workbook.js';
import { feed, atEachTag, readAll, type Reader, type Document } from './xml/document.js';
import { SheetReader, RichText } from './sheet.js';
import { StringTable } from './table.js';
import type { Shared } from './cells/value.js';
import type { InputPlace } from '../../core/errors.js';
import { fail, SAVE_AGAIN, LIMITS } from './limits.js';
import { builtinFormat, cellFormat, type CellFormat } from './cells/format.js';
import { XmlScanner, TOKEN, decodeEscapes } from './xml/scanner.js';

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

/** What the number format of each cell style shows, by the index that cells refer to. */
async function readStyles(
  archive: Archive,
  name: string,
  place: InputPlace,
): Promise<readonly CellFormat[]> {
  const reader = new StylesReader(place);
  await readAll({ archive, name, kind: 'structure', place }, reader);
  return reader.kinds();
}

class StylesReader implements Reader {
  readonly scanner = new XmlScanner();
  private readonly custom = new Map<number, CellFormat>();
  private readonly cellFormats: number[] = [];
  constructor(private readonly place: InputPlace) {}

  /** Formats may be declared after the styles that use them, so the two are joined last. */
  kinds(): readonly CellFormat[] {
    return this.cellFormats.map((id) => this.custom.get(id) ?? builtinFormat(id));
  }

  run(): void {
    atEachTag(this.scanner, () => this.opened());
  }

  private opened(): void {
    const { scanner } = this;
    if (scanner.local !== 'xf' && scanner.local !== 'numFmt') return;
    const parent = scanner.ancestor(scanner.depth - 1);
    if (this.custom.size + this.cellFormats.length > LIMITS.entries)
      fail('too_large', 'the workbook has too many styles.', this.place);
    if (scanner.local === 'xf' && parent === 'cellXfs')
      this.cellFormats.push(Number(scanner.attributes().get('numFmtId') ?? 0));
    if (scanner.local === 'numFmt' && parent === 'numFmts') this.addFormat(scanner.attributes());
  }

  private addFormat(attributes: Map<string, string>): void {
    const code = decodeEscapes(attributes.get('formatCode') ?? '');
    this.custom.set(Number(attributes.get('numFmtId')), cellFormat(code));
  }
}

/** The shared strings on their way into a table. */
interface LazyStrings {
  /**
   * Reads on until the string of that number is in the table, or all are.
   * @throws InputError when they are broken or too many.
   */
  until(number: number): Promise<void>;
  /** Reads no more. */
  close(): Promise<void>;
}

/**
 * Begins to read the shared strings into a table; the caller closes both. Programs write them in the order in which
 * cells first refer to them, so that the first rows need not wait for all.
 */
function readStrings(document: Document, table: StringTable): LazyStrings {
  const pieces = feed(document, new StringsReader(table, document.place));
  return {
    until: async (number) => {
      while (number >= table.count && !table.isWhole)
        if ((await pieces.next()).done) table.isWhole = true;
    },
    close: async () => {
      await pieces.return(undefined);
    },
  };
}

/** Where there are none. */
const NO_STRINGS: LazyStrings = {
  until: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const LESS = 0x3c;
const AMPERSAND = 0x26;
const CARRIAGE_RETURN = 0x0d;
const UNDERSCORE = 0x5f;
const PLAIN_OPEN = Buffer.from('<si><t>');
const SPACED_OPEN = Buffer.from('<si><t xml:space="preserve">');
const PLAIN_CLOSE = Buffer.from('</t></si>');
/** What a string counts among the marks of the part, as many as it has tags in that form. */
const MARKS = 4;

class StringsReader implements Reader {
  readonly scanner = new XmlScanner();
  private readonly rich: RichText;
  constructor(
    private readonly table: StringTable,
    private readonly place: InputPlace,
  ) {
    this.rich = new RichText(this.scanner, () => this.failLong());
  }

  run(): void {
    const { scanner } = this;
    while (true) {
      if (scanner.depth === 1 && this.plain()) continue;
      const token = scanner.next();
      if (token === TOKEN.more || token === TOKEN.end) return;
      if (token === TOKEN.text) this.rich.onText();
      else if (scanner.local === 'si') this.item(token === TOKEN.open);
    }
  }

  private item(opens: boolean): void {
    if (this.scanner.depth !== (opens ? 2 : 1)) return;
    if (opens) {
      this.scanner.marks += MARKS;
      this.rich.begin(2);
    } else {
      const bytes = Buffer.from(this.rich.end());
      this.add(bytes, 0, bytes.length);
    }
  }

  /** Takes a whole `<si><t>…</t></si>` at once: nine of ten strings look so. Anything else goes token by token. */
  private plain(): boolean {
    const { scanner } = this;
    const { buffer, position } = scanner;
    const from = position + this.openLength(buffer, position);
    if (from === position) return false;
    let to = from;
    const { length } = buffer;
    for (; to < length; to++) {
      const byte = buffer[to];
      if (byte === LESS) break;
      if (byte === AMPERSAND || byte === CARRIAGE_RETURN || byte === UNDERSCORE) return false;
    }
    if (!startsWith(buffer, to, PLAIN_CLOSE) || scanner.closing) return false;
    this.add(buffer, from, to);
    scanner.position = to + PLAIN_CLOSE.length;
    scanner.marks += MARKS;
    return true;
  }

  private openLength(buffer: Buffer, position: number): number {
    if (startsWith(buffer, position, PLAIN_OPEN)) return PLAIN_OPEN.length;
    return startsWith(buffer, position, SPACED_OPEN) ? SPACED_OPEN.length : 0;
  }

  private add(buffer: Buffer, from: number, to: number): void {
    if (to - from > LIMITS.cellBytes) this.failLong();
    if (this.table.count >= LIMITS.sharedStrings)
      fail('too_large', `the workbook has more than ${LIMITS.sharedStrings} texts.`, this.place);
    this.table.add(buffer, from, to);
  }

  private failLong(): never {
    fail(
      'cell_too_long',
      `the text of a cell is longer than ${LIMITS.cellBytes} bytes. ${SAVE_AGAIN}`,
      this.place,
    );
  }
}

function startsWith(buffer: Buffer, at: number, start: Buffer): boolean {
  const { length } = start;
  if (at + length > buffer.length) return false;
  for (let i = 0; i < length; i++) if (buffer[at + i] !== start[i]) return false;
  return true;
}
