import type { Row, Source, SourceOptions } from '../../core/table.js';
import type { InputPlace } from '../../core/errors.js';
import type { FoundFile } from '../file.js';
import { batchesOf, sourceOf } from '../rows.js';
import { Allowance, Archive, checkContainer, type PartKind } from '../zip.js';
import { chooseSheets, type ChosenSheet, readWorkbook, type Workbook } from './workbook.js';
import {
  decodeEscapes,
  decodeUtf8,
  type Document,
  feed,
  hasBytesAt,
  type Reader,
  readTags,
  TOKEN,
  XmlScanner,
} from './xml.js';
import { StringAheadError, StringTable } from './table.js';
import {
  builtinFormat,
  type CellContent,
  cellFormat,
  type CellFormat,
  cellText,
  NoSuchStringError,
  numericText,
  plainNumber,
  type Shared,
} from './cells/value.js';
import { Grid } from './cells/grid.js';
import { fail, failLong, SAVE_AGAIN, shownName, LIMITS } from './limits.js';

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
    const allowance = new Allowance(archive.compressedBytes(parts));
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

  /** Reads on until the string of that number is in the table, or all are. @throws InputError */
  async until(number: number): Promise<void> {
    const { table } = this;
    while (number >= table.count && !table.isWhole)
      if ((await this.pieces?.next())?.done !== false) table.isWhole = true;
  }

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
const STRING_MARKS = 4;

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
      this.scanner.marks += STRING_MARKS;
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
    const open = hasBytesAt(PLAIN_OPEN, buffer, position) ? PLAIN_OPEN : SPACED_OPEN;
    if (open === SPACED_OPEN && !hasBytesAt(SPACED_OPEN, buffer, position)) return false;
    const from = position + open.length;
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
    scanner.marks += STRING_MARKS;
    return true;
  }

  private add(buffer: Buffer, from: number, to: number): void {
    if (to - from > LIMITS.cellBytes) failLong(this.place, ` ${SAVE_AGAIN}`);
    if (this.table.count >= LIMITS.sharedStrings)
      fail('too_large', `the workbook has more than ${LIMITS.sharedStrings} texts.`, this.place);
    this.table.add(buffer, from, to);
  }
}

/** Depths of the elements in `<worksheet><sheetData><row><c><v>`. */
const DEPTH = { sheet: 1, data: 2, row: 3, cell: 4, value: 5 } as const;

/** Some programs number cells from 0 in place of a reference; Excel reads such cells one after the other. */
const NO_REFERENCE = /^\d+$/;

/**
 * Reads the numbers of rows. What comes behind the number in a row's tag is mostly the same as in the row before, byte
 * by byte: then it need not be read again.
 */
class RowNumbers {
  /** What came behind the number of the last row whose attributes were read; `null`: nothing is known. */
  private rest: Buffer | null = null;
  private marks = 0;
  /** Whether the row that was read last is hidden, by hand or by a filter. */
  isHidden = false;

  /** The number of the row that the scanner has just opened; `null` when it has none. @throws PartError */
  read(scanner: XmlScanner): number | null {
    const { buffer, from, to } = scanner;
    const end = endOfNumber(buffer, from, to);
    if (end > 0 && this.rest?.length === to - end && hasBytesAt(this.rest, buffer, end)) {
      scanner.marks += this.marks;
      return numberAt(buffer, from + START.length, end - 1);
    }
    const before = scanner.marks;
    const attributes = scanner.attributes();
    const number = attributes.get('r');
    this.isHidden = /^(?:1|true|on)$/.test(attributes.get('hidden') ?? '');
    this.rest = end > 0 ? Buffer.from(buffer.subarray(end, to)) : null;
    this.marks = scanner.marks - before;
    return number === undefined ? null : Number(number);
  }
}

/** Numbers of rows have up to seven digits; anything longer is refused where attributes are read. */
const MAX_DIGITS = 7;

const [R, EQUALS, QUOTE, SPACE] = [0x72, 0x3d, 0x22, 0x20] as const;
const [ZERO, NINE] = [0x30, 0x39] as const;

/** ` r="`, which the tags of nearly all rows begin with. */
const START = [SPACE, R, EQUALS, QUOTE];

/** Reads the rows of one sheet into a grid, from which they are taken. */
class SheetReader implements Reader {
  readonly scanner = new XmlScanner();
  readonly grid: Grid;
  private readonly rich: RichText;
  private readonly shortcut: CellShortcut;
  private readonly rowNumbers = new RowNumbers();
  /** Number of the shared string without which it cannot go on; reading it and running again does. */
  wanted: number | null = null;
  private inRow = false;
  /** Whether the cell at hand has ended, and its text was not there yet. */
  private unclosed = false;
  private type = '';
  private style = 0;
  private value = '';
  private hasFormula = false;
  /** Whether the cell has a `v`, be it empty. */
  private hasValue = false;
  /** The text of an `is`, which counts even where the type of the cell does not announce it. */
  private inline = '';
  constructor(
    private readonly part: string,
    private readonly shared: Shared,
    private readonly place: InputPlace & { readonly sheet: string },
    allowance: Allowance,
    /** Whether the grid knows which cells are merged, which stands behind the rows. */
    private readonly knowsMerges: boolean,
  ) {
    this.grid = new Grid(place, allowance);
    this.shortcut = new CellShortcut(this.scanner, this.grid, shared);
    this.rich = new RichText(this.scanner, () => failLong(this.grid.here()));
  }

  run(): void {
    this.wanted = null;
    try {
      if (this.unclosed) this.closeCell();
      this.takeAll();
    } catch (error) {
      // Nothing has been taken from the scanner that would be lost.
      if (error instanceof StringAheadError) this.wanted = error.number;
      else if (error instanceof NoSuchStringError) {
        const reason = `a cell refers to a text that the workbook does not hold. ${SAVE_AGAIN}`;
        fail('bad_shared_string', reason, this.grid.here());
      } else throw error;
    }
  }

  isFull(): boolean {
    return this.wanted !== null || this.grid.batch.isFull;
  }

  where(): InputPlace {
    return this.inRow ? this.grid.rowPlace() : this.place;
  }

  private takeAll(): void {
    const { scanner } = this;
    while (true) {
      if (this.inRow && scanner.depth === DEPTH.row && !scanner.closing && this.shortcut.take())
        continue;
      const token = scanner.next();
      if (token === TOKEN.more || token === TOKEN.end) return;
      if (token === TOKEN.text) this.onText();
      else if (token === TOKEN.open) this.onOpen();
      else this.onClose();
      if (token === TOKEN.close && this.grid.batch.isFull) return;
    }
  }

  private onOpen(): void {
    const { scanner } = this;
    const { depth, local } = scanner;
    if (depth === DEPTH.sheet && local !== 'worksheet') {
      const reason = `its part ${shownName(this.part)} is no worksheet. ${SAVE_AGAIN}`;
      fail('not_a_sheet', reason, this.place);
    }
    if (depth === DEPTH.row && local === 'row') this.openRow();
    else if (depth === DEPTH.row && local === 'mergeCell' && !this.knowsMerges) this.refuseMerge();
    else if (!this.inRow) return;
    else if (depth === DEPTH.cell && local === 'c') this.openCell(scanner.attributes());
    else if (depth === DEPTH.value && this.inCell()) {
      if (local === 'is') this.rich.begin(depth);
      else if (local === 'f') this.hasFormula = true;
      else if (local === 'v') this.hasValue = true;
    }
  }

  /** The rows were read without it. Titles and headers stand above. */
  private refuseMerge(): void {
    const range = this.scanner.attributes().get('ref') ?? '';
    const [first, last] = range.split(':').map(parseReference);
    if (!first || !last || last.row === first.row || first.row <= LIMITS.mergedRows) return;
    const reason = `cells ${shownName(range)} are merged, which is not read in a sheet as large as this. Take all merged cells apart and fill them in.`;
    fail('merged_cells', reason, this.place);
  }

  private onClose(): void {
    if (!this.inRow) return;
    const { depth, local } = this.scanner;
    if (depth === DEPTH.data) {
      this.inRow = false;
      this.grid.endRow();
    } else if (depth === DEPTH.row && local === 'c') this.closeCell();
    else if (depth === DEPTH.cell && local === 'is' && this.inCell()) this.inline = this.rich.end();
  }

  private onText(): void {
    if (!this.inRow || !this.inCell()) return;
    const { scanner } = this;
    const { depth } = scanner;
    if (depth === DEPTH.value && scanner.ancestor(depth) === 'v') {
      if (this.value.length + scanner.textBytes() > LIMITS.cellBytes) failLong(this.grid.here());
      this.value += scanner.text();
    } else this.rich.onText();
  }

  private inCell(): boolean {
    return this.scanner.ancestor(DEPTH.cell) === 'c';
  }

  private openRow(): void {
    this.inRow = this.scanner.ancestor(DEPTH.data) === 'sheetData';
    if (!this.inRow) return;
    const number = this.rowNumbers.read(this.scanner);
    this.grid.beginRow(number, this.rowNumbers.isHidden);
  }

  private openCell(attributes: Map<string, string>): void {
    this.value = '';
    this.inline = '';
    this.hasFormula = false;
    this.hasValue = false;
    this.type = attributes.get('t') ?? 'n';
    this.style = Number(attributes.get('s') ?? 0);
    const reference = attributes.get('r');
    if (reference === undefined || NO_REFERENCE.test(reference)) return;
    const at = parseReference(reference);
    if (at === null)
      fail('bad_reference', `a cell has a reference that is none. ${SAVE_AGAIN}`, this.grid.here());
    this.grid.goTo(at.row, at.column);
  }

  private closeCell(): void {
    this.unclosed = true;
    const { value, type, style, shared, inline } = this;
    const text = inline === '' ? cellText(value, type, style, shared) : inline;
    // A formula that was stored without its result. A text may be empty; programs that do not calculate leave out the type.
    const lacksValue = this.hasFormula && !(this.hasValue && type === 'str');
    const lacksFormat = shared.lacksStyles && style > 0 && type === 'n';
    if (text === null && lacksValue) this.grid.putWithoutValue();
    else if (typeof text === 'string' && lacksFormat) this.grid.putWithoutFormat(text);
    else this.grid.put(text);
    this.unclosed = false;
  }
}

const LETTERS = 26;
const BEFORE_A = 0x40;
const REFERENCE = /^\$?([A-Z]{1,3})\$?([0-9]{1,7})$/i;

/** A cell's place: row from 1, column from 0; `null` when the text is no reference. Upper bounds are not checked. */
function parseReference(text: string): { row: number; column: number } | null {
  const match = REFERENCE.exec(text);
  if (match === null) return null;
  const [, letters = '', digits = ''] = match;
  let column = 0;
  for (const letter of letters.toUpperCase())
    column = column * LETTERS + letter.charCodeAt(0) - BEFORE_A;
  return { row: Number(digits), column: column - 1 };
}

/** Behind the closing quote of the number that the attributes begin with; 0 when they do not. */
function endOfNumber(buffer: Buffer, from: number, to: number): number {
  for (let at = 0; at < START.length; at++) if (buffer[from + at] !== START[at]) return 0;
  const first = from + START.length;
  let at = first;
  while (at < to && isDigit(buffer[at])) at++;
  const digits = at - first;
  return digits > 0 && digits <= MAX_DIGITS && at < to && buffer[at] === QUOTE ? at + 1 : 0;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function numberAt(buffer: Buffer, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = number * 10 + (buffer[at] ?? 0) - ZERO;
  return number;
}

/** Collects the text of a string item: of its `t` and of those of its runs `r`, without its pronunciation (`rPh`). */
class RichText {
  private depth = 0;
  private text = '';
  private bytes = 0;
  constructor(
    private readonly scanner: XmlScanner,
    private readonly failLong: () => never,
  ) {}

  /** The item is the element at this depth. */
  begin(depth: number): void {
    this.depth = depth;
    this.text = '';
    this.bytes = 0;
  }

  /** Takes the text that the scanner has just come to, if it belongs to the item. */
  onText(): void {
    const { scanner, depth } = this;
    if (depth === 0 || scanner.ancestor(scanner.depth) !== 't') return;
    const direct = scanner.depth === depth + 1;
    const inRun = scanner.depth === depth + 2 && scanner.ancestor(depth + 1) === 'r';
    if (!direct && !inRun) return;
    this.bytes += scanner.textBytes();
    if (this.bytes > LIMITS.cellBytes) this.failLong();
    this.text += scanner.text();
  }

  end(): string {
    this.depth = 0;
    return decodeEscapes(this.text);
  }
}

const Z = 0x5a;
const I = 0x69;
const N = 0x6e;
const S = 0x73;
const T = 0x74;
/** Longer than all of a cell that is taken here but a text: `<c r="XFD1048576" s="65535" t="s"><v>…</v></c>`. */
const MAX_LENGTH = 128;
/** Tags of such a cell. */
const MARKS = 4;
/** Tags of a cell whose text stands in it. */
const INLINE_MARKS = 6;
/** Numbers of one and two digits, which need not be cut out of the bytes. */
const SHORT = Array.from({ length: 100 }, (_, number) => String(number));
const SHORT_DIGITS = 2;
const MAX_VALUE = 32;

/** Stands for a place that is not there. */
const NO = -1;

/**
 * The short cut for cells of the forms that nearly all have: attributes `r`, `s`, `t` in double quotes, then nothing, or
 * a number, or the number of a shared string as the value, or a plain text as `<is><t>…</t></is>`. It takes such a cell
 * whole, three times as fast as token by token. Whatever looks otherwise is left to the scanner, untouched.
 */
class CellShortcut {
  private row = NO;
  private column = NO;
  private style = 0;
  private type = N;
  /** Whether the digits of the value are shown just as they are stored. */
  private plain = false;

  constructor(
    private readonly scanner: XmlScanner,
    private readonly grid: Grid,
    private readonly shared: Shared,
  ) {}

  /** Takes the cell that begins here, if it has that form; else nothing has changed. @throws NoSuchStringError */
  take(): boolean {
    const { buffer, position } = this.scanner;
    if (position + MAX_LENGTH > buffer.length || !isCell(buffer, position)) return false;
    const at = this.readAttributes(buffer, position + 2);
    if (at === NO) return false;
    if (this.type === T) return this.takeInline(buffer, at);
    if (this.style > 0 && this.shared.lacksStyles) return false;
    if (buffer[at] === SLASH) return buffer[at + 1] === GREATER && this.accept(at + 2, null);
    if (!isValue(buffer, at)) return false;
    const from = at + 4;
    const to = this.endOfValue(buffer, from);
    if (to === NO || !isEnd(buffer, to)) return false;
    return this.accept(to + 8, this.text(buffer, from, to));
  }

  private accept(end: number, text: CellContent | undefined, marks = MARKS): boolean {
    if (this.row !== NO) this.grid.goTo(this.row, this.column);
    if (text === undefined) throw new NoSuchStringError();
    this.grid.put(text);
    this.scanner.position = end;
    this.scanner.marks += marks;
    return true;
  }

  private takeInline(buffer: Buffer, from: number): boolean {
    const to = endOfText(buffer, from);
    if (to === NO || !hasBytesAt(INLINE_END, buffer, to)) return false;
    const text = to === from ? null : decodeEscapes(decodeUtf8(buffer, from, to));
    return this.accept(to + INLINE_END.length, text, INLINE_MARKS);
  }

  /** Where the tag ends, at its `>` or `/>`, or where its text begins; `NO` when it has other attributes. */
  private readAttributes(buffer: Buffer, from: number): number {
    this.row = NO;
    this.style = 0;
    this.type = N;
    let at = from;
    while (buffer[at] === SPACE) {
      const name = buffer[at + 1];
      if (buffer[at + 2] !== EQUALS || buffer[at + 3] !== QUOTE) return NO;
      at += 4;
      if (name === R) at = this.readReference(buffer, at);
      else if (name === S) at = this.readStyle(buffer, at);
      else if (name !== T) return NO;
      else if (buffer[at] === I) {
        this.type = T;
        return startOfInline(buffer, at);
      } else this.type = buffer[at++] ?? 0;
      if (at === NO || buffer[at] !== QUOTE) return NO;
      at++;
    }
    return this.type === N || this.type === S ? at : NO;
  }

  private readReference(buffer: Buffer, from: number): number {
    if (this.row !== NO) return NO;
    let at = from;
    let column = 0;
    let byte = buffer[at] ?? 0;
    for (; byte > BEFORE_A && byte <= Z; byte = buffer[++at] ?? 0)
      column = column * 26 + byte - BEFORE_A;
    const digits = at;
    let row = 0;
    for (; byte >= ZERO && byte <= NINE; byte = buffer[++at] ?? 0) row = row * 10 + byte - ZERO;
    // Anything longer is out of bounds, and refused by the scanner.
    if (digits - from > 3 || digits === from || at - digits > 7 || at === digits) return NO;
    this.row = row;
    this.column = column - 1;
    return at;
  }

  private readStyle(buffer: Buffer, from: number): number {
    let at = from;
    let style = 0;
    let byte = buffer[at] ?? 0;
    for (; byte >= ZERO && byte <= NINE; byte = buffer[++at] ?? 0) style = style * 10 + byte - ZERO;
    this.style = style;
    return at - from > 9 ? NO : at;
  }

  /** Where the value ends, at its `<`; `NO` when it is too long to be taken here. */
  private endOfValue(buffer: Buffer, from: number): number {
    const end = from + MAX_VALUE;
    let points = 0;
    let other = 0;
    for (let at = from; at < end && at < buffer.length; at++) {
      const byte = buffer[at] ?? 0;
      if (byte === LESS) {
        this.plain = other === 0 && isPlain(buffer, from, at, points);
        return this.type === S && !isIndex(at - from, points + other) ? NO : at;
      }
      if (byte === POINT) points++;
      else if (byte < ZERO || byte > NINE) other++;
    }
    return NO;
  }

  private text(buffer: Buffer, from: number, to: number): CellContent | undefined {
    const { shared } = this;
    if (this.type === S) return shared.strings.get(numberAt(buffer, from, to));
    const kind = shared.styles[this.style] ?? 'number';
    const plain = this.plain && kind === 'number';
    // Of two signs none can be a point: a plain number has digits on both sides of it.
    if (plain && to - from <= SHORT_DIGITS) return SHORT[numberAt(buffer, from, to)];
    const text = buffer.toString('latin1', from, to);
    return plain ? plainNumber(text) : numericText(text, kind, shared.date1904);
  }
}

// How cells of the usual forms look in the bytes of a sheet. See `CellShortcut`.

const SLASH = 0x2f;
const GREATER = 0x3e;
const POINT = 0x2e;
const C = 0x63;
const V = 0x76;

/** A text that stands in the cell itself, at the type's end and behind the text. */
const INLINE = Buffer.from('inlineStr"><is><t>');
const INLINE_SPACES = Buffer.from('inlineStr"><is><t xml:space="preserve">');
const INLINE_END = Buffer.from('</t></is></c>');
/** Maximum length of such a text in bytes. */
const MAX_TEXT = 1024;
/** Digits of a value that are surely shown as they are stored. */
const SAFE_DIGITS = 15;

/** Where the text of a cell begins whose type begins at `at`; `NO` when it has none of its own. */
function startOfInline(buffer: Buffer, at: number): number {
  if (hasBytesAt(INLINE, buffer, at)) return at + INLINE.length;
  return hasBytesAt(INLINE_SPACES, buffer, at) ? at + INLINE_SPACES.length : NO;
}

/** Where a text ends, at its `<`; `NO` when it is too long to be taken here, or holds what must be decoded. */
function endOfText(buffer: Buffer, from: number): number {
  const end = Math.min(from + MAX_TEXT, buffer.length);
  for (let at = from; at < end; at++) {
    const byte = buffer[at];
    if (byte === LESS) return at;
    if (byte === AMPERSAND || byte === CARRIAGE_RETURN) return NO;
  }
  return NO;
}

/** Whether so many bytes, so many of them no digits, are the number of a string. */
function isIndex(length: number, noDigits: number): boolean {
  return length > 0 && length < 10 && noDigits === 0;
}

function isCell(buffer: Buffer, at: number): boolean {
  if (buffer[at] !== LESS || buffer[at + 1] !== C) return false;
  const next = buffer[at + 2];
  return next === SPACE || next === GREATER;
}

/** Whether `><v>` stands there. */
function isValue(buffer: Buffer, at: number): boolean {
  return (
    buffer[at] === GREATER &&
    buffer[at + 1] === LESS &&
    buffer[at + 2] === V &&
    buffer[at + 3] === GREATER
  );
}

/** Whether `</v></c>` stands there. */
function isEnd(buffer: Buffer, at: number): boolean {
  return (
    at + 8 <= buffer.length &&
    buffer[at + 1] === SLASH &&
    buffer[at + 2] === V &&
    buffer[at + 3] === GREATER &&
    buffer[at + 4] === LESS &&
    buffer[at + 5] === SLASH &&
    buffer[at + 6] === C &&
    buffer[at + 7] === GREATER
  );
}

/** Whether digits with at most one point are shown as stored: no zeros too many, at most 15 digits. */
function isPlain(buffer: Buffer, from: number, to: number, points: number): boolean {
  const length = to - from;
  if (length === 0 || points > 1 || length - points > SAFE_DIGITS) return false;
  if (buffer[from] === POINT) return false;
  if (buffer[from] === ZERO && length > 1 && buffer[from + 1] !== POINT) return false;
  return points === 0 || (buffer[to - 1] !== ZERO && buffer[to - 1] !== POINT);
}
