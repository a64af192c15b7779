import type { Row, Source, SourceOptions } from '../../core/table.js';
import type { FoundFile } from '../file.js';
import { batchesOf, sourceOf } from '../rows.js';
import { Allowance, Archive, checkContainer, type PartKind } from '../zip.js';
import { chooseSheets, type ChosenSheet, readWorkbook, type Workbook } from './workbook.js';
import { feed, readTags, type Reader, type Document } from './xml/document.js';
import { parseReference, SheetReader, RichText } from './sheet.js';
import { StringTable } from './table.js';
import { type Shared, builtinFormat, cellFormat, type CellFormat } from './cells/value.js';
import type { InputPlace } from '../../core/errors.js';
import { fail, failLong, SAVE_AGAIN, LIMITS } from './limits.js';
import { XmlScanner, TOKEN, decodeEscapes, hasBytesAt } from './xml/scanner.js';

/**
 * Opens an `.xlsx` workbook. Nothing stays open: each `batches()` opens the file anew and closes it when it ends, also
 * early.
 * @throws InputError when the file is no workbook or lacks the wanted sheet: `not_a_zip`, `encrypted`,
 * `truncated_zip`, `not_a_workbook`, `unknown_sheet` and others.
 */
export async function openXlsx(found: FoundFile, options: SourceOptions): Promise<Source> {
  const { file } = found;
  await checkContainer(file);
  return Archive.use(file, async (archive) => {
    const workbook = await readWorkbook(archive);
    const { chosen, about } = chooseSheets(workbook.sheets, options, archive.place);
    // The parts that rows are read from, each of them once.
    const parts = new Map<string, PartKind>([
      ...(workbook.sharedStrings === null
        ? []
        : [[workbook.sharedStrings, 'sharedStrings'] as const]),
      ...chosen.map(({ part }) => [part, 'sheet'] as const),
    ]);
    return sourceOf(found, about, {
      rows: (progress) => rowsOf(file, workbook, chosen, [...parts.keys()], progress),
      verify: () => Archive.use(file, (again) => again.verify(parts)),
    });
  });
}

async function* rowsOf(
  file: string,
  { sharedStrings, styles, date1904 }: Workbook,
  sheets: readonly ChosenSheet[],
  parts: readonly string[],
  progress: (bytes: number) => void,
): AsyncGenerator<readonly Row[]> {
  const archive = await Archive.open(file);
  const strings = new LazyStrings();
  try {
    // What the directory shows to be missing is refused before the first row, not when its turn comes.
    for (const { part } of sheets) await archive.probe(part, 'sheet');
    const onRead = archive.progress(parts, progress);
    await strings.begin(archive, sharedStrings, onRead);
    const lacksStyles = styles !== null && !archive.has(styles);
    const shared: Shared = {
      strings: strings.table,
      styles: styles === null || lacksStyles ? [] : await readStyles(archive, styles),
      lacksStyles,
      date1904,
    };
    const allowance = new Allowance(archive.compressedSize(parts));
    for (const { name, part } of sheets) {
      const place = { ...archive.place, sheet: name };
      const isSmall = archive.unpackedBytes(part) <= LIMITS.mergedBytes;
      const reader = new SheetReader(part, shared, place, allowance, isSmall);
      if (isSmall) await addMerges(archive, part, reader.grid);
      const document = { archive, name: part, kind: 'sheet', place, onRead } as const;
      const { batch, finish } = reader.grid;
      yield* batchesOf(batch, readWith(strings, document, reader), finish);
    }
    // Strings that no cell refers to are part of the file too: it is whole, or it is not.
    await strings.until(Infinity);
  } finally {
    await strings.close();
    await archive.close();
  }
}

const MERGED = /<(?:\w+:)?mergeCell\s[^>]*?ref="([^":]{2,12}):([^":]{2,12})"/g;
/** Bytes of such a tag at most. */
const TAG = 256;

/** Finds the cells that are merged downwards. They stand behind all rows, so that the sheet is looked through before these. */
async function addMerges(archive: Archive, part: string, grid: SheetReader['grid']): Promise<void> {
  const found = new Set<string>();
  let before: Buffer = Buffer.alloc(0);
  for await (const piece of archive.read(part, 'sheet')) {
    const bytes = Buffer.concat([before, piece]);
    before = bytes.subarray(Math.max(0, bytes.length - TAG));
    if (!bytes.includes('mergeCell')) continue;
    for (const [tag, ...corners] of bytes.toString('latin1').matchAll(MERGED)) {
      const [first, last] = corners.map(parseReference);
      // A tag at the end of a piece is found again in the next one.
      if (!first || !last || found.has(tag) || found.size > LIMITS.entries) continue;
      found.add(tag);
      grid.merge(first.row, last.row, first.column);
    }
  }
}

/** Reads the strings that a sheet asks for before it goes on. */
async function* readWith(
  strings: LazyStrings,
  document: Document,
  reader: SheetReader,
): AsyncGenerator<void> {
  for await (const _ of feed(document, reader)) {
    if (reader.wanted !== null) await strings.until(reader.wanted);
    yield;
  }
}

/** What the number format of each cell style shows, by the index that cells refer to. */
async function readStyles(archive: Archive, name: string): Promise<readonly CellFormat[]> {
  const custom = new Map<number, CellFormat>();
  const ids: number[] = [];
  await readTags(archive, name, (scanner) => {
    const { local } = scanner;
    if (local !== 'xf' && local !== 'numFmt') return;
    if (custom.size + ids.length > LIMITS.entries)
      fail('too_large', 'the workbook has too many styles.', archive.place);
    const parent = scanner.ancestor(scanner.depth - 1);
    if (local === 'xf' && parent === 'cellXfs')
      ids.push(Number(scanner.attributes().get('numFmtId') ?? 0));
    if (local !== 'numFmt' || parent !== 'numFmts') return;
    const attributes = scanner.attributes();
    const code = decodeEscapes(attributes.get('formatCode') ?? '');
    custom.set(Number(attributes.get('numFmtId')), cellFormat(code));
  });
  // Formats may be declared after the styles that use them.
  return ids.map((id) => custom.get(id) ?? builtinFormat(id));
}

/**
 * The shared strings on their way into a table. Programs write them in the order in which cells first refer to them, so
 * that the first rows need not wait for all.
 */
class LazyStrings {
  readonly table = new StringTable();
  private pieces: AsyncGenerator<undefined> | undefined;

  /** @param name of their part; a workbook may have none */
  async begin(
    archive: Archive,
    name: string | null,
    onRead: (bytes: number) => void,
  ): Promise<void> {
    if (name === null || !archive.has(name)) {
      this.table.isWhole = true;
      return;
    }
    const kind = 'sharedStrings';
    await archive.probe(name, kind);
    const { place } = archive;
    const reader = new StringsReader(this.table, place);
    this.pieces = feed({ archive, name, kind, place, onRead }, reader);
  }

  /**
   * Reads on until the string of that number is in the table, or all are.
   * @throws InputError when they are broken or too many.
   */
  async until(number: number): Promise<void> {
    const { table } = this;
    while (number >= table.count && !table.isWhole)
      if ((await this.pieces?.next())?.done !== false) table.isWhole = true;
  }

  /** Reads no more. */
  async close(): Promise<void> {
    await this.pieces?.return(undefined);
    this.table.close();
  }
}

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
    this.rich = new RichText(this.scanner, () => failLong(place, ` ${SAVE_AGAIN}`));
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
    if (!hasBytesAt(PLAIN_CLOSE, buffer, to) || scanner.closing) return false;
    this.add(buffer, from, to);
    scanner.position = to + PLAIN_CLOSE.length;
    scanner.marks += MARKS;
    return true;
  }

  private openLength(buffer: Buffer, position: number): number {
    if (hasBytesAt(PLAIN_OPEN, buffer, position)) return PLAIN_OPEN.length;
    return hasBytesAt(SPACED_OPEN, buffer, position) ? SPACED_OPEN.length : 0;
  }

  private add(buffer: Buffer, from: number, to: number): void {
    if (to - from > LIMITS.cellBytes) failLong(this.place, ` ${SAVE_AGAIN}`);
    if (this.table.count >= LIMITS.sharedStrings)
      fail('too_large', `the workbook has more than ${LIMITS.sharedStrings} texts.`, this.place);
    this.table.add(buffer, from, to);
  }
}
