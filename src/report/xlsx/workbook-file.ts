import type { Cell } from '../../core/table.js';
import { AtomicFile, orDiscard, OutputError } from '../files.js';
import { createDeflateRaw, crc32, type DeflateRaw } from 'node:zlib';

/** Characters that are collected before they are compressed. */
const CHUNK = 256 * 1024;

/** How a sheet is shown. */
interface SheetLook {
  /** Its number among the sheets of the same name. @default its number among all sheets */
  readonly number?: number;
  /** Show it before the others. @default false */
  readonly first?: boolean;
  /** The first row is a header that stays visible and has filters. @default false */
  readonly table?: boolean;
  /** Width of the columns in characters. @default the spreadsheet program's own */
  readonly width?: number;
}

/** A workbook of texts and numbers, written sheet by sheet and row by row. After a failure there is no file. */
export class WorkbookFile {
  private readonly zip: ZipFile;
  private readonly sheets: SheetEntry[] = [];
  private look: SheetLook = {};
  private columns = 0;
  private chunk = '';
  private rows = 0;
  /** Length of the current sheet as it is stored, uncompressed. */
  private characters = 0;

  private constructor(private readonly target: AtomicFile) {
    this.zip = new ZipFile(target);
  }

  static async open(file: string): Promise<WorkbookFile> {
    return new WorkbookFile(await AtomicFile.open(file));
  }

  /** Whether the current sheet has no room for another row. */
  isFull(limits: SheetLimits): boolean {
    return this.rows >= limits.rows || this.characters >= limits.characters;
  }

  /** Ends the current sheet and begins another one of this many columns. The second one is called `<name> (2)`. */
  async addSheet(name: string, columns: number, look: SheetLook = {}): Promise<void> {
    await orDiscard(this.target, async () => {
      await this.endSheet();
      const part = this.sheets.length + 1;
      const entry = { name: sheetName(name, look.number ?? part), part };
      if (look.first) this.sheets.unshift(entry);
      else this.sheets.push(entry);
      await this.zip.begin(sheetPart(part));
    });
    [this.look, this.columns] = [look, columns];
    this.chunk = sheetStart(columns, look.width, look.table);
    this.rows = 0;
    this.characters = 0;
  }

  /** Adds a row; an empty one counts too. A returned promise must be awaited before the next call. */
  addRow(cells: readonly (Cell | number)[]): void | Promise<void> {
    this.rows += 1;
    const row = sheetRow(cells, this.rows);
    this.characters += row.length;
    this.chunk += row;
    if (this.chunk.length >= CHUNK) return orDiscard(this.target, () => this.flush());
  }

  async commit(): Promise<void> {
    await orDiscard(this.target, async () => {
      await this.endSheet();
      for (const [name, text] of bookParts(this.sheets)) await this.zip.add(name, text);
      await this.zip.finish();
      await this.target.commit();
    });
  }

  discard(): Promise<void> {
    return this.target.discard();
  }

  private async endSheet(): Promise<void> {
    if (this.sheets.length === 0) return;
    const { rows, columns, look } = this;
    this.chunk += sheetEnd(look.table ? `A1:${lettersOf(columns - 1)}${rows}` : undefined);
    await this.flush();
    await this.zip.end();
  }

  private async flush(): Promise<void> {
    const bytes = Buffer.from(this.chunk);
    this.chunk = '';
    await this.zip.write(bytes);
  }
}

/** Letters of the first columns, computed as far as needed. */
const letters: string[] = [];

/** Letters of a column, from 0. */
function lettersOf(column: number): string {
  for (let next = letters.length; next <= column; next++) {
    const before = Math.floor(next / 26) - 1;
    letters.push((letters[before] ?? '') + String.fromCharCode(65 + (next % 26)));
  }
  return letters[column] ?? '';
}

/** White space that programs drop unless `xml:space` preserves it. */
const SPACED = /^\s|\s$/;

/** A row of texts and numbers as a sheet stores it; `number` from 1. Empty cells take no space. */
function sheetRow(cells: readonly (Cell | number)[], number: number): string {
  let xml = `<row r="${number}">`;
  for (let column = 0; column < cells.length; column++) {
    const cell = cells[column];
    if (cell === null || cell === undefined || cell === '') continue;
    if (typeof cell === 'number') {
      xml += `<c r="${lettersOf(column)}${number}"><v>${cell}</v></c>`;
      continue;
    }
    xml += `<c r="${lettersOf(column)}${number}" s="${TEXT_STYLE}" t="inlineStr"><is>${item(cell)}</is></c>`;
  }
  return `${xml}</row>`;
}

function item(cell: string): string {
  const space = SPACED.test(cell) ? ' xml:space="preserve"' : '';
  const text = `<t${space}>${xmlText(cell)}</t>`;
  // Some programs decode escapes in runs only.
  return text.includes('_x') ? `<r>${text}</r>` : text;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Default width of a column. */
const WIDTH = 9.140625;
/** Number of the text format, `@`: a corrected phone number stays as it is typed. */
const TEXT_FORMAT = 49;

/** Number of the style of texts. */
const TEXT_STYLE = 1;

/** Name of the part of a sheet, from 1. */
const sheetPart = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/** A sheet up to its first row; its columns hold texts. `frozen`: whether its first row stays visible. */
const sheetStart = (columns: number, width = WIDTH, frozen = false): string =>
  `${DECLARATION}<worksheet xmlns="${MAIN}">${frozen ? FROZEN : ''}<cols><col min="1" max="${columns}" width="${width}" style="${TEXT_STYLE}"/></cols><sheetData>`;

const FROZEN =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

/** A sheet after its last row. `filtered`: the cells that can be filtered, such as `A1:F20`. */
const sheetEnd = (filtered?: string): string =>
  `</sheetData>${filtered === undefined ? '' : `<autoFilter ref="${filtered}"/>`}</worksheet>`;

/** A sheet of a workbook: its name, and the number of its part. */
interface SheetEntry {
  readonly name: string;
  readonly part: number;
}

/** The parts of a workbook other than its sheets, by name. The sheets are in the order in which they are shown. */
function bookParts(sheets: readonly SheetEntry[]): readonly (readonly [string, string])[] {
  return [
    ['xl/styles.xml', STYLES],
    ['xl/workbook.xml', book(sheets)],
    ['xl/_rels/workbook.xml.rels', bookRelationships(sheets.length)],
    ['_rels/.rels', relationships([['rId1', 'officeDocument', 'xl/workbook.xml']])],
    ['[Content_Types].xml', contentTypes(sheets.length)],
  ];
}

const STYLES =
  `${DECLARATION}<styleSheet xmlns="${MAIN}">` +
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  `<xf numFmtId="${TEXT_FORMAT}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

function book(entries: readonly SheetEntry[]): string {
  const sheets = entries.map(
    ({ name, part }) =>
      `<sheet name="${xmlText(name).replaceAll('"', '&quot;')}" sheetId="${part}" r:id="rId${part}"/>`,
  );
  return `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets>${sheets.join('')}</sheets></workbook>`;
}

function bookRelationships(sheets: number): string {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
  return relationships([
    ...numbers.map(
      (number) => [`rId${number}`, 'worksheet', `worksheets/sheet${number}.xml`] as const,
    ),
    [`rId${sheets + 1}`, 'styles', 'styles.xml'],
  ]);
}

function relationships(
  all: readonly (readonly [id: string, type: string, target: string])[],
): string {
  const items = all.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`;
}

function contentTypes(sheets: number): string {
  const types = [
    ['xl/workbook.xml', `${TYPE}.sheet.main+xml`],
    ['xl/styles.xml', `${TYPE}.styles+xml`],
    ...Array.from({ length: sheets }, (_, index) => [
      sheetPart(index + 1),
      `${TYPE}.worksheet+xml`,
    ]),
  ];
  const items = types.map(
    ([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`,
  );
  return (
    `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${items.join('')}</Types>`
  );
}

/** The fastest level: the texts of a workbook repeat so much that a higher one saves little. */
const LEVEL = 1;
/** The largest size in four bytes; not every program that opens workbooks reads the 64-bit form of a zip. */
const MAX_BYTES = 0xffffffff;
const DEFLATED = 8;
const VERSION = 20;
/** Sizes and checksum follow the data, since they are not known before it is written; names are UTF-8. */
const FLAGS = 0x0808;
/** 1980-01-01, the first day of the format: the same rows make the same file. */
const DATE = 0x0021;

interface Entry {
  readonly name: Buffer;
  readonly offset: number;
  checksum: number;
  packed: number;
  length: number;
}

/** A zip container that is written part by part. Each call must be awaited before the next. */
class ZipFile {
  private readonly entries: Entry[] = [];
  private offset = 0;
  private entry: Entry | undefined;
  private deflating: Deflating | undefined;

  constructor(private readonly target: AtomicFile) {}

  /** Begins a part. */
  async begin(name: string): Promise<void> {
    const entry = {
      name: Buffer.from(name),
      offset: this.offset,
      checksum: 0,
      packed: 0,
      length: 0,
    };
    this.entry = entry;
    this.deflating = new Deflating();
    await this.append(Buffer.concat([localHeader(entry), entry.name]));
  }

  /** Adds bytes to the current part; resolves when they are compressed and appended. */
  async write(bytes: Buffer): Promise<void> {
    const { entry, deflating } = this;
    if (!entry || !deflating) return;
    entry.length += bytes.length;
    entry.checksum = crc32(bytes, entry.checksum);
    await this.appendPacked(entry, await deflating.write(bytes));
  }

  /** Ends the current part. */
  async end(): Promise<void> {
    const { entry, deflating } = this;
    if (!entry || !deflating) return;
    await this.appendPacked(entry, await deflating.end());
    await this.append(descriptor(entry));
    this.entries.push(entry);
    this.entry = undefined;
  }

  /** Writes a part at once. */
  async add(name: string, text: string): Promise<void> {
    await this.begin(name);
    await this.write(Buffer.from(text));
    await this.end();
  }

  /** Writes the directory, which completes the container. */
  async finish(): Promise<void> {
    const start = this.offset;
    for (const entry of this.entries)
      await this.append(Buffer.concat([centralHeader(entry), entry.name]));
    await this.append(endOfDirectory(this.entries.length, this.offset - start, start));
  }

  private async appendPacked(entry: Entry, bytes: Buffer): Promise<void> {
    entry.packed += bytes.length;
    await this.append(bytes);
  }

  private async append(bytes: Buffer): Promise<void> {
    this.offset += bytes.length;
    if (this.offset > MAX_BYTES || (this.entry?.length ?? 0) > MAX_BYTES)
      throw new OutputError(this.target.file, new Error('it would be larger than 4 GiB'));
    if (bytes.length > 0) await this.target.write(bytes);
  }
}

/** A deflate stream that is awaited write by write, so that memory is bounded. */
class Deflating {
  private readonly stream: DeflateRaw = createDeflateRaw({ level: LEVEL });
  private packed: Buffer[] = [];

  constructor() {
    this.stream.on('data', (bytes: Buffer) => this.packed.push(bytes));
  }

  write(bytes: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.stream.write(bytes, (error) => {
        if (error) reject(error);
        else resolve(this.take());
      });
    });
  }

  end(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.stream.once('error', reject).once('end', () => resolve(this.take()));
      this.stream.end();
    });
  }

  private take(): Buffer {
    const packed = Buffer.concat(this.packed);
    this.packed = [];
    return packed;
  }
}

/** Numbers one after the other, the lowest byte of each first. */
function packed(...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const all = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) at = all.writeUIntLE(value, at, bytes);
  return all;
}

const signature = (bytes: string): Buffer => Buffer.from(`PK${bytes}`, 'latin1');

/** Checksum and sizes of an entry. */
const sizes = ({ checksum, packed: size, length }: Omit<Entry, 'name' | 'offset'>) =>
  [
    [4, checksum],
    [4, size],
    [4, length],
  ] as const;

/** The fields that the local and the central header share, beginning with the version needed to unpack. */
const common = ({ name }: Entry, numbers: Omit<Entry, 'name' | 'offset'>): Buffer =>
  packed(
    ...[VERSION, FLAGS, DEFLATED, 0, DATE].map((value) => [2, value] as const),
    ...sizes(numbers),
    [2, name.length],
    [2, 0],
  );

const localHeader = (entry: Entry): Buffer =>
  Buffer.concat([signature('\x03\x04'), common(entry, { checksum: 0, packed: 0, length: 0 })]);

/** No comment, the first disk, and no attributes; then where the local header is. */
const centralHeader = (entry: Entry): Buffer =>
  Buffer.concat([
    signature('\x01\x02'),
    packed([2, VERSION]),
    common(entry, entry),
    packed([2, 0], [2, 0], [2, 0], [4, 0], [4, entry.offset]),
  ]);

const descriptor = (entry: Entry): Buffer =>
  Buffer.concat([signature('\x07\x08'), packed(...sizes(entry))]);

/** Of one disk, without a comment. */
const endOfDirectory = (count: number, size: number, offset: number): Buffer =>
  Buffer.concat([
    signature('\x05\x06'),
    packed([2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]),
  ]);

/** Longest text of a cell, by the limits of Excel. */
const CELL_LENGTH = 32_767;

/** Characters that XML cannot hold or changes, and texts that would be taken for an escaped character. */
const ESCAPED = /(?![\t\n])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu;

/** Quick test for what may have to be escaped; most texts have none of it. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const SPECIAL = /[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff&<>_]/;

/** The text as a workbook stores it: `_xHHHH_` for what XML cannot hold, cut to what Excel can open. */
export function xlsxText(text: string): string {
  const fitting = text.length > CELL_LENGTH ? `${text.slice(0, CELL_LENGTH - 1)}…` : text;
  return fitting.replace(ESCAPED, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `_x${code}_`;
  });
}

/** The same as character data of XML. */
function xmlText(text: string): string {
  if (text.length <= CELL_LENGTH && !SPECIAL.test(text)) return text;
  return xlsxText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Longest name that a sheet may have. */
const LENGTH = 31;
/** Characters that the name of a sheet cannot have. */
const FORBIDDEN = /[*?:\\/[\]\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;
/** A name that Excel reserves. */
const RESERVED = /^history$/i;

/**
 * A name that a spreadsheet program accepts for a sheet, as close to the wanted one as possible. Further sheets have
 * their number behind it: `<name> (2)`.
 */
export function sheetName(wanted: string, number: number): string {
  const suffix = number === 1 ? '' : ` (${number})`;
  const clean = wanted.replace(FORBIDDEN, '_').replace(/^'|'$/g, '_');
  const name = (clean.trim() === '' ? 'Rejects' : clean).slice(0, LENGTH - suffix.length) + suffix;
  // The cut may leave half a character, or an apostrophe at the end.
  const complete = name.replace(/\p{Cs}/gu, '').replace(/'$/, '_');
  return RESERVED.test(complete) ? `${complete}_` : complete;
}

/** When a sheet is full. */
export interface SheetLimits {
  /** Rows, those above the data included. */
  readonly rows: number;
  /** Characters as they are stored. */
  readonly characters: number;
}

/** What Excel opens: a part of 4 GiB is too large, and a character takes up to three bytes. */
export const EXCEL_LIMITS: SheetLimits = { rows: 1_048_576, characters: 1024 ** 3 };
