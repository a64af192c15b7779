import { InputError, type InputPlace } from '../../core/errors.js';
import type { Row, Source, SourceOptions, Cell } from '../../core/table.js';
import type { FoundFile } from '../file.js';
import { brokenWorkbook, checkSize, errorOf, numericText, openOldXls } from '../sheetjs/open.js';
import { Grid } from '../xlsx/cells/grid.js';
import { chooseSheets } from '../xlsx/workbook.js';
import { batchesOf, sourceOf } from '../rows.js';
import { Allowance } from '../zip.js';
import { readFile } from 'node:fs/promises';
import { CFB } from '@e965/xlsx';
import {
  type CellContent,
  builtinFormat,
  cellFormat,
  type CellFormat,
} from '../xlsx/cells/value.js';
import { fail, failEncrypted, LIMITS } from '../xlsx/limits.js';

/**
 * Opens a workbook of Excel 97 to 2003, or older (`.xls`). The newer ones are read record by record: SheetJS makes an
 * object of 400 bytes for each cell before the first row is there. It reads the older ones, which are small and many.
 * @throws InputError when it is too large, damaged, encrypted or lacks the wanted sheet
 */
export async function openXls(found: FoundFile, options: SourceOptions): Promise<Source> {
  checkSize(found, 'xls');
  const stream = await readWorkbookStream(found.file);
  if (stream === null) return openOldXls(found, options);
  const place = { file: found.file };
  try {
    const globals = readGlobals(stream, place);
    const tabs = globals.sheets.map((sheet, index) => {
      const isTable = sheet.isTable && !isDialog(stream, sheet.at);
      return { name: sheet.name, hidden: sheet.hidden, part: isTable ? String(index) : null };
    });
    const { chosen, about } = chooseSheets(tabs, options, place);
    const sheets = chosen.flatMap(({ part }) => globals.sheets[Number(part)] ?? []);
    const texts = new CellTexts(stream, globals);
    async function* rows(progress: (at: number) => void): AsyncGenerator<readonly Row[]> {
      const allowance = new Allowance(found.bytes);
      for (const { name, at } of sheets) {
        const grid = new Grid({ ...place, sheet: name }, allowance);
        const cells = adding(texts, at, grid, progress, found.file);
        yield* batchesOf(grid.batch, cells, grid.finish);
      }
    }
    const share = found.bytes / stream.length;
    return sourceOf(found, about, {
      rows: (progress) => rows((at) => progress(Math.floor(at * share))),
      verify: async () => {
        for await (const _ of rows(() => undefined));
      },
    });
  } catch (error) {
    throw asInputError(error, found.file);
  }
}

function* adding(
  texts: CellTexts,
  from: number,
  grid: Grid,
  progress: (at: number) => void,
  file: string,
): Generator<void> {
  const hidden = new Set<number>();
  let open = -1;
  try {
    for (const { row, column, at } of cellsOfSheet(texts.stream, from, hidden, grid)) {
      if (row !== open) {
        if (open >= 0) grid.endRow();
        if (grid.batch.isFull) yield;
        grid.beginRow(row + 1, hidden.has(row));
        open = row;
        progress(at);
      }
      grid.goTo(row + 1, column);
      for (const text of texts.of(at)) grid.put(text);
    }
    if (open >= 0) grid.endRow();
  } catch (error) {
    throw asInputError(error, file);
  }
}

function asInputError(error: unknown, file: string): Error {
  if (error instanceof InputError) return error;
  return error instanceof RangeError ? brokenWorkbook(file, error) : (error as Error);
}

/** The records of a workbook of Excel 97 to 2003; `null` for older ones and for what is damaged. */
async function readWorkbookStream(file: string): Promise<Buffer | null> {
  const bytes = await readFile(file);
  let content: Uint8Array | undefined;
  try {
    content = containers.find(containers.read(bytes, { type: 'buffer' }), '/Workbook')?.content;
  } catch {
    // Whoever opens it instead says what is wrong with it.
  }
  if (!content) return null;
  const stream = Buffer.from(content);
  const first = new Records(stream, 0);
  return first.next() && first.end - first.at >= 2 && isPart(first) ? stream : null;
}

/** The library's reader of compound files, of which its types say nothing. */
const containers = CFB as {
  read(bytes: Buffer, options: { readonly type: 'buffer' }): object;
  find(container: object, path: string): { readonly content?: Uint8Array } | null;
};

/** Row, column and place of a record in one number: 16 and 8 bits, and as many as a file of the largest size takes. */
const PLACES = 2 ** 28;
const COLUMNS = 256;

/** Types of the records that are read ([MS-XLS] 2.3). All others are passed over. */
const RECORD = {
  formula: 0x0006,
  endOfPart: 0x000a,
  dateSystem: 0x0022,
  encryption: 0x002f,
  continuation: 0x003c,
  sheetOptions: 0x0081,
  sheet: 0x0085,
  numbers: 0x00bd,
  richText: 0x00d6,
  cellFormat: 0x00e0,
  merges: 0x00e5,
  sharedTexts: 0x00fc,
  sharedText: 0x00fd,
  number: 0x0203,
  text: 0x0204,
  booleanOrError: 0x0205,
  formulaText: 0x0207,
  dimensions: 0x0200,
  row: 0x0208,
  shortNumber: 0x027e,
  format: 0x041e,
  beginOfPart: 0x0809,
} as const;

/** Records that hold cells; all begin with row and column. */
const CELLS: ReadonlySet<number> = new Set([
  RECORD.formula,
  RECORD.numbers,
  RECORD.richText,
  RECORD.sharedText,
  RECORD.number,
  RECORD.text,
  RECORD.booleanOrError,
  RECORD.shortNumber,
]);
const DIALOG = 0x10;
/** Where the record of a row has its flags, and the one of a row that is not shown ([MS-XLS] 2.4.221). */
const [ROW_FLAGS, HIDDEN] = [12, 0x20];

/** Whether the sheet that begins there is a dialog, which holds no rows. Its options stand before its cells. */
function isDialog(stream: Buffer, from: number): boolean {
  const records = new Records(stream, from);
  while (records.next() && records.type !== RECORD.endOfPart) {
    if (records.type === RECORD.sheetOptions)
      return (stream.readUInt16LE(records.at) & DIALOG) !== 0;
    if (records.type === RECORD.dimensions || records.type === RECORD.row) return false;
  }
  return false;
}

/**
 * Finds the records of all cells, or of several beside each other, of the sheet that begins there, in the order of rows and
 * columns: some programs write them in the order in which they were filled in. Of cells in one place the last counts.
 * @param hidden gets the rows that are not shown, before the first cell is given
 * @param grid is told of cells that are merged, before that as well
 * @throws RangeError where the sheet does not begin there, or breaks off
 */
function* cellsOfSheet(stream: Buffer, from: number, hidden: Set<number>, grid: Grid) {
  const keys = sortedKeys(stream, from, hidden, grid);
  for (const [index, key] of keys.entries()) {
    const place = Math.floor(key / PLACES);
    if (Math.floor((keys[index + 1] ?? -1) / PLACES) === place) continue;
    const column = place % COLUMNS;
    yield { row: Math.floor(place / COLUMNS), column, at: key % PLACES };
  }
}

function sortedKeys(stream: Buffer, from: number, hidden: Set<number>, grid: Grid): Float64Array {
  const records = new Records(stream, from);
  if (!records.next() || !isPart(records)) throw new RangeError('no sheet begins there');
  let keys = new Float64Array(1024);
  let count = 0;
  let isSorted = true;
  // Charts within a sheet are parts of their own, with cells that are not the sheet's.
  for (let depth = 1; depth > 0;) {
    if (!records.next()) throw new RangeError('the sheet breaks off');
    if (records.type === RECORD.beginOfPart) depth++;
    else if (records.type === RECORD.endOfPart) depth--;
    else if (depth === 1 && records.type === RECORD.row) {
      const { at } = records;
      if (stream.readUInt16LE(at + ROW_FLAGS) & HIDDEN) hidden.add(stream.readUInt16LE(at));
    } else if (depth === 1 && records.type === RECORD.merges) {
      // First and last row, and first and last column, of each, behind their number.
      for (let at = records.at + 2; at + 8 <= records.end; at += 8)
        grid.merge(
          stream.readUInt16LE(at) + 1,
          stream.readUInt16LE(at + 2) + 1,
          stream.readUInt16LE(at + 4),
        );
    } else if (depth === 1 && CELLS.has(records.type)) {
      const { at, start } = records;
      const column = stream.readUInt16LE(at + 2);
      if (column >= COLUMNS) throw new RangeError('a cell lies beyond the last column');
      const key = (stream.readUInt16LE(at) * COLUMNS + column) * PLACES + start;
      isSorted &&= count === 0 || key > (keys[count - 1] ?? 0);
      if (count === keys.length) {
        const smaller = keys;
        keys = new Float64Array(count * 2);
        keys.set(smaller);
      }
      keys[count++] = key;
    }
  }
  const found = keys.subarray(0, count);
  return isSorted ? found : found.sort();
}

function isPart({ type, stream, at }: Records): boolean {
  return type === RECORD.beginOfPart && stream.readUInt16LE(at) === EXCEL_97;
}

/** Where the format and the value of a cell stand in its record. */
const AT = { format: 4, value: 6 } as const;
/** What a formula gave, where it is no number. */
const RESULT = { text: 0, boolean: 1, error: 2 } as const;
/** Records that may stand between a formula and its text: what it shares with others. */
const MAX_BETWEEN = 3;
const PAIR = 6;

/** Texts of cells, the same as those of an `.xlsx` with the same cells. @throws RangeError where a record is damaged */
class CellTexts {
  constructor(
    readonly stream: Buffer,
    private readonly globals: ReturnType<typeof readGlobals>,
  ) {}

  /** Texts of the cell of a record, or of all that it holds, from the first column on. */
  of(start: number): readonly CellContent[] {
    const records = new Records(this.stream, start);
    records.next();
    return records.type === RECORD.numbers ? this.numbers(records) : [this.single(records)];
  }

  private single(records: Records): CellContent {
    const { stream, type, at } = records;
    switch (type) {
      case RECORD.sharedText: {
        const text = this.globals.texts[stream.readUInt32LE(at + AT.value)];
        if (text === undefined) throw new RangeError('a cell refers to a text that is not there');
        return text === '' ? null : text;
      }
      case RECORD.number:
        return this.numeric(stream.readDoubleLE(at + AT.value), at + AT.format);
      case RECORD.shortNumber:
        return this.numeric(shortNumber(stream, at + AT.value), at + AT.format);
      case RECORD.booleanOrError: {
        const value = stream.readUInt8(at + AT.value);
        return stream.readUInt8(at + AT.value + 1) === 0 ? String(value !== 0) : errorOf(value);
      }
      case RECORD.formula:
        return this.formula(records);
      default:
        return textOf(records, AT.value);
    }
  }

  private numbers({ stream, at, end }: Records): CellContent[] {
    const cells: CellContent[] = [];
    // The last column stands at the end.
    for (let pair = at + AT.format; pair + PAIR <= end - 2; pair += PAIR)
      cells.push(this.numeric(shortNumber(stream, pair + 2), pair));
    return cells;
  }

  private numeric(value: number, formatAt: number): CellContent {
    const { kinds, date1904 } = this.globals;
    const kind = kinds[this.stream.readUInt16LE(formatAt)] ?? 'number';
    return numericText(value, kind, date1904);
  }

  private formula(records: Records): CellContent {
    const { stream, at } = records;
    const value = at + AT.value;
    if (stream.readUInt16LE(value + 6) !== 0xffff)
      return this.numeric(stream.readDoubleLE(value), at + AT.format);
    const result = stream.readUInt8(value);
    if (result === RESULT.boolean) return String(stream.readUInt8(value + 2) !== 0);
    if (result === RESULT.error) return errorOf(stream.readUInt8(value + 2));
    if (result !== RESULT.text) return null;
    for (let between = 0; between <= MAX_BETWEEN && records.next(); between++)
      if (records.type === RECORD.formulaText) return textOf(records, 0);
    throw new RangeError('the text of a formula is missing');
  }
}

function textOf(records: Records, skipped: number): Cell {
  const reader = new TextReader(records.pieces());
  reader.skip(skipped);
  const text = reader.text(reader.uint16());
  return text === '' ? null : text;
}

const [HUNDREDTHS, WHOLE] = [0x01, 0x02];
const half = new DataView(new ArrayBuffer(8));

/** A whole number of 30 bits, or the first 30 bits of another; either may be in hundredths. */
function shortNumber(stream: Buffer, at: number): number {
  const bits = stream.readInt32LE(at);
  half.setInt32(0, bits & ~3);
  const value = bits & WHOLE ? bits >> 2 : half.getFloat64(0);
  return bits & HUNDREDTHS ? value / 100 : value;
}

/** Texts that the cells of a workbook may share: in memory, each takes more than in the file. */
const MAX_TEXTS = 4_000_000;
const MANY_TEXTS = `the workbook holds more than ${MAX_TEXTS} different texts. Save it as .xlsx or CSV.`;

/** Reads the first part of a workbook. @throws InputError `encrypted`, `too_large`; RangeError where it is damaged */
function readGlobals(stream: Buffer, place: InputPlace) {
  const records = new Records(stream, 0);
  const sheets: ReturnType<typeof listedSheet>[] = [];
  const formats = new Map<number, CellFormat>();
  const cellFormats: number[] = [];
  let texts: readonly string[] = [];
  let date1904 = false;
  while (records.next() && records.type !== RECORD.endOfPart) {
    const { type, at } = records;
    if (type === RECORD.encryption) failEncrypted(place);
    else if (type === RECORD.dateSystem) date1904 = stream.readUInt16LE(at) === 1;
    else if (type === RECORD.sheet) sheets.push(listedSheet(records));
    else if (type === RECORD.cellFormat) cellFormats.push(stream.readUInt16LE(at + 2));
    else if (type === RECORD.format) {
      const reader = new TextReader(records.pieces());
      formats.set(reader.uint16(), cellFormat(reader.text(reader.uint16())));
    } else if (type === RECORD.sharedTexts) texts = sharedTexts(records, place);
    if (sheets.length + cellFormats.length + formats.size > LIMITS.entries)
      fail('too_large', 'the workbook has too many sheets or styles.', place);
  }
  const kinds = cellFormats.map((id) => formats.get(id) ?? builtinFormat(id));
  return { sheets, texts, kinds, date1904 };
}

const HIDDEN_SHEET = 0x03;

function listedSheet({ stream, at, end }: Records) {
  const text = new TextReader([stream.subarray(at + 6, end)]);
  return {
    at: stream.readUInt32LE(at),
    hidden: (stream.readUInt8(at + 4) & HIDDEN_SHEET) !== 0,
    // Else it is a chart or a macro.
    isTable: stream.readUInt8(at + 5) === 0,
    name: text.text(text.uint8()),
  };
}

function sharedTexts(records: Records, place: InputPlace): string[] {
  const reader = new TextReader(records.pieces());
  reader.skip(4);
  const count = reader.uint32();
  const texts: string[] = [];
  while (texts.length < count && !reader.isAtEnd) {
    if (texts.length >= MAX_TEXTS) fail('too_large', MANY_TEXTS, place);
    texts.push(reader.text(reader.uint16()));
  }
  return texts;
}

const HEADER = 4;

/** Goes through the records of a stream: each has a type, a length and a body. */
class Records {
  type = 0;
  start = 0;
  /** Where its body begins and ends. */
  at = 0;
  end: number;

  constructor(
    readonly stream: Buffer,
    from: number,
  ) {
    this.end = from;
  }

  /** Goes to the next record; false where there is none, or where the stream breaks off within it. */
  next(): boolean {
    const { stream, end } = this;
    if (end + HEADER > stream.length) return false;
    const length = stream.readUInt16LE(end + 2);
    if (end + HEADER + length > stream.length) return false;
    this.type = stream.readUInt16LE(end);
    this.start = end;
    this.at = end + HEADER;
    this.end = this.at + length;
    return true;
  }

  /** The body of the record, and those of the records that continue it. */
  pieces(): Buffer[] {
    const pieces = [this.stream.subarray(this.at, this.end)];
    const after = new Records(this.stream, this.end);
    while (after.next() && after.type === RECORD.continuation)
      pieces.push(this.stream.subarray(after.at, after.end));
    return pieces;
  }
}

/** Version of Excel 97 to 2003 in the record that begins a part. */
const EXCEL_97 = 0x0600;

/** Texts say of themselves how their letters are stored, and what follows them. */
const WIDE = 0x01;
const WITH_PHONETICS = 0x04;
const WITH_FORMATS = 0x08;
const FORMAT_BYTES = 4;

/**
 * Reads texts from the pieces of a record. A text that goes on in the next piece says there anew how its letters are
 * stored.
 * @throws RangeError where the pieces end too early
 */
class TextReader {
  private piece: Buffer;
  private index = 0;
  private at = 0;

  constructor(private readonly pieces: readonly Buffer[]) {
    this.piece = pieces[0] ?? Buffer.alloc(0);
  }

  get isAtEnd(): boolean {
    return this.at >= this.piece.length && this.index + 1 >= this.pieces.length;
  }

  skip(bytes: number): void {
    for (let left = bytes; left > 0;) {
      this.goOn();
      const passed = Math.min(left, this.piece.length - this.at);
      this.at += passed;
      left -= passed;
    }
  }

  uint8(): number {
    this.goOn();
    return this.piece.readUInt8(this.at++);
  }

  uint16(): number {
    return this.uint8() + 256 * this.uint8();
  }

  uint32(): number {
    return this.uint16() + 65_536 * this.uint16();
  }

  /** A text with what follows it. @param length in letters of 16 bits */
  text(length: number): string {
    const flags = this.uint8();
    const formats = flags & WITH_FORMATS ? this.uint16() : 0;
    const phonetics = flags & WITH_PHONETICS ? this.uint32() : 0;
    const text = this.letters(length, flags);
    this.skip(formats * FORMAT_BYTES + phonetics);
    return text;
  }

  private letters(length: number, flags: number): string {
    let text = '';
    let isWide = (flags & WIDE) !== 0;
    for (let left = length; left > 0;) {
      // Flags are repeated where letters go on in the next piece, also where none of them fit into this one.
      if (this.at >= this.piece.length) isWide = (this.uint8() & WIDE) !== 0;
      const count = Math.min(left, (this.piece.length - this.at) >> (isWide ? 1 : 0));
      if (count === 0) throw new RangeError('half a letter at the end of a record');
      const end = this.at + count * (isWide ? 2 : 1);
      text += this.piece.toString(isWide ? 'utf16le' : 'latin1', this.at, end);
      this.at = end;
      left -= count;
    }
    return text;
  }

  private goOn(): void {
    while (this.at >= this.piece.length) {
      const next = this.pieces[++this.index];
      if (next === undefined) throw new RangeError('the record ends too early');
      this.piece = next;
      this.at = 0;
    }
  }
}
