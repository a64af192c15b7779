import { type Cell, CORRECTED } from '../core/table.js';
import { AtomicFile, orDiscard, OutputError, writeWhole } from './files.js';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { promisify } from 'node:util';
import { OUTCOMES } from '../core/outcome.js';
import { leavesOut, placeText } from './text/words.js';
import type { ReasonTally } from './reasons.js';
import { repeatedFacts, reportTable, RowTally, type RunReport } from './rows.js';
import { runFacts } from './summary.js';
import type { DataValidation, Workbook, Worksheet } from 'exceljs';

const COLUMN_WIDTH = 18;
const TABLE = { table: true, width: COLUMN_WIDTH };

/**
 * Writes the run as a workbook of three sheets: a summary, the rows, and the reasons by frequency. Rows that do not fit
 * on one sheet continue on the next. Texts are texts: nothing is taken for a number, a date or a formula.
 * @throws OutputError when it cannot be written; an older file stays as it was
 */
export async function writeXlsx(
  file: string,
  report: RunReport,
  limits = EXCEL_LIMITS,
): Promise<void> {
  const workbook = await WorkbookFile.open(file);
  const tally = new RowTally(report);
  try {
    await writeRows(workbook, report, limits, tally);
    await writeReasons(workbook, report, tally.reasons);
    await writeSummary(workbook, report, tally);
  } catch (error) {
    await workbook.discard();
    throw error;
  }
  await workbook.commit();
}

async function writeRows(
  workbook: WorkbookFile,
  report: RunReport,
  limits: SheetLimits,
  tally: RowTally,
): Promise<void> {
  const { columns, cells } = reportTable(report);
  let number = 0;
  const nextSheet = async (): Promise<void> => {
    number++;
    await workbook.addSheet('Rows', columns.length, { ...TABLE, number });
    await workbook.addRow(columns.map(({ name }) => name));
  };
  await nextSheet();
  for (const row of report.rows) {
    if (tally.add(row) === null) continue;
    if (workbook.isFull(limits)) await nextSheet();
    const written = workbook.addRow(cells(row));
    if (written) await written;
  }
}

const REASON_COLUMNS = ['rows', 'outcome', 'from', 'column', 'problem', 'message', 'example rows'];

async function writeReasons(
  workbook: WorkbookFile,
  { run }: RunReport,
  tally: ReasonTally,
): Promise<void> {
  await workbook.addSheet('Reasons', REASON_COLUMNS.length, { ...TABLE, number: 1 });
  await workbook.addRow(REASON_COLUMNS);
  for (const { rows, outcome, from, column, code, message, examples } of tally.list()) {
    const places = examples.map((place) => placeText(place, run.inputs)).join(', ');
    await workbook.addRow([rows, outcome, from, column, code, message, places]);
  }
  if (tally.unlisted > 0)
    await workbook.addRow([tally.unlisted, null, null, null, null, 'further reasons, one by one']);
}

async function writeSummary(
  workbook: WorkbookFile,
  report: RunReport,
  { outcomes, rows, repeated, remarks }: RowTally,
): Promise<void> {
  await workbook.addSheet('Summary', 2, { number: 1, first: true, width: 2 * COLUMN_WIDTH });
  for (const fact of runFacts(report)) await workbook.addRow(fact);
  await workbook.addRow([]);
  await workbook.addRow(['rows', rows]);
  for (const outcome of OUTCOMES)
    if (outcomes[outcome] > 0) await workbook.addRow([outcome, outcomes[outcome]]);
  for (const fact of repeated ? repeatedFacts(repeated) : []) await workbook.addRow(fact);
  for (const { column, code, message, count } of remarks.list())
    await workbook.addRow([`${kindOf(code)}: ${column ?? code}`, count, message]);
}

const kindOf = (code: string): string => {
  if (code === CORRECTED) return CORRECTED;
  return leavesOut(code) ? 'left out' : 'remarked';
};

/** Characters that are collected before they are compressed. */
const CHUNK = 256 * 1024;

interface SheetLook {
  /** Its number among the sheets of the same name. @default its number among all sheets */
  readonly number?: number;
  /** Show it before the others. @default false */
  readonly first?: boolean;
  /** The first row is a header that stays visible and has filters. @default false */
  readonly table?: boolean;
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

const WIDTH = 9.140625;
/** Number of the text format, `@`: a corrected phone number stays as it is typed. */
const TEXT_FORMAT = 49;

const TEXT_STYLE = 1;

const sheetPart = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/** A sheet up to its first row; its columns hold texts. `frozen`: whether its first row stays visible. */
const sheetStart = (columns: number, width = WIDTH, frozen = false): string =>
  `${DECLARATION}<worksheet xmlns="${MAIN}">${frozen ? FROZEN : ''}<cols><col min="1" max="${columns}" width="${width}" style="${TEXT_STYLE}"/></cols><sheetData>`;

const FROZEN =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

/** A sheet after its last row. `filtered`: the cells that can be filtered, such as `A1:F20`. */
const sheetEnd = (filtered?: string): string =>
  `</sheetData>${filtered === undefined ? '' : `<autoFilter ref="${filtered}"/>`}</worksheet>`;

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

/**
 * The fastest level: the texts of a workbook repeat so much that a higher one saves little. What is compressed of a part at
 * a time ends on a whole byte, so that more can follow, and at last a block that is empty.
 */
const PACKING = { level: 1, finishFlush: constants.Z_SYNC_FLUSH };
const LAST_BLOCK = Buffer.from([3, 0]);
const packedBytes = promisify(deflateRaw);

/** The largest size in four bytes; not every program that opens workbooks reads the 64-bit form of a zip. */
const MAX_BYTES = 0xffffffff;
const DEFLATED = 8;
const VERSION = 20;
/** Sizes and checksum follow the data, since they are not known before it is written; names are UTF-8. */
const FLAGS = 0x0808;
/** 1980-01-01, the first day of the format: the same rows make the same file. */
const DATE = 0x0021;

/** Of a part that is yet to be written. */
const NO_SIZES = { checksum: 0, packed: 0, length: 0 };

type Sizes = typeof NO_SIZES;

interface Entry extends Sizes {
  readonly name: Buffer;
  readonly offset: number;
}

/** A zip container that is written part by part. Each call must be awaited before the next. */
class ZipFile {
  private readonly entries: Entry[] = [];
  private offset = 0;

  constructor(private readonly target: AtomicFile) {}

  async begin(name: string): Promise<void> {
    const entry = { name: Buffer.from(name), offset: this.offset, ...NO_SIZES };
    this.entries.push(entry);
    await this.append(Buffer.concat([localHeader(entry), entry.name]));
  }

  /** Adds bytes to the current part; resolves when they are compressed and appended. */
  async write(bytes: Buffer): Promise<void> {
    const entry = this.entries.at(-1);
    if (!entry) return;
    entry.length += bytes.length;
    entry.checksum = crc32(bytes, entry.checksum);
    await this.appendPacked(entry, await packedBytes(bytes, PACKING));
  }

  async end(): Promise<void> {
    const entry = this.entries.at(-1);
    if (!entry) return;
    await this.appendPacked(entry, LAST_BLOCK);
    await this.append(descriptor(entry));
  }

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
    if (this.offset > MAX_BYTES || (this.entries.at(-1)?.length ?? 0) > MAX_BYTES)
      throw new OutputError(this.target.file, new Error('it would be larger than 4 GiB'));
    await this.target.write(bytes);
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

const sizesOf = ({ checksum, packed: size, length }: Sizes) =>
  [
    [4, checksum],
    [4, size],
    [4, length],
  ] as const;

/** The fields that the local and the central header share, beginning with the version needed to unpack. */
const common = ({ name }: Entry, sizes: Sizes): Buffer =>
  packed(
    ...[VERSION, FLAGS, DEFLATED, 0, DATE].map((value) => [2, value] as const),
    ...sizesOf(sizes),
    [2, name.length],
    [2, 0],
  );

const localHeader = (entry: Entry): Buffer =>
  Buffer.concat([signature('\x03\x04'), common(entry, NO_SIZES)]);

/** No comment, the first disk, and no attributes; then where the local header is. */
const centralHeader = (entry: Entry): Buffer =>
  Buffer.concat([
    signature('\x01\x02'),
    packed([2, VERSION]),
    common(entry, entry),
    packed([2, 0], [2, 0], [2, 0], [4, 0], [4, entry.offset]),
  ]);

const descriptor = (entry: Entry): Buffer =>
  Buffer.concat([signature('\x07\x08'), packed(...sizesOf(entry))]);

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
function xlsxText(text: string): string {
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
  readonly rows: number;
  /** Characters as they are stored. */
  readonly characters: number;
}

/** What Excel opens: a part of 4 GiB is too large, and a character takes up to three bytes. */
export const EXCEL_LIMITS: SheetLimits = { rows: 1_048_576, characters: 1024 ** 3 };

/** Rows below the header that are prepared: choices hold in them. */
const PREPARED_ROWS = 10_000;

const [REQUIRED_FILL, OPTIONAL_FILL] = ['FFFFE699', 'FFE7E6E6'];
const [MIN_WIDTH, MAX_WIDTH] = [12, 40];
/** Longest list that a validation holds by itself, in characters. */
const INLINE_LENGTH = 255;

/**
 * Writes a workbook for filling in: the header with a note on each column, text and date formats, and choices.
 * @throws OutputError when it cannot be written
 */
export async function writeTemplate(file: string, template: Template): Promise<void> {
  // Large, and no report needs it.
  const { default: ExcelJS } = await import('exceljs');
  const workbook = new ExcelJS.Workbook();
  const addExample = (): void => {
    if (!template.isAlone) addExampleSheet(workbook, template);
  };
  if (template.position === 2) addExample();
  const sheet = workbook.addWorksheet(template.sheet, {
    views: [{ state: 'frozen', ySplit: template.headerRow }],
  });
  if (template.position === 1) addExample();
  // A program opens a workbook at the first sheet that is active.
  workbook.views = [{ ...WINDOW, activeTab: workbook.worksheets.indexOf(sheet) }];
  addColumns(sheet, template.columns, template.headerRow);
  addChoices(workbook, sheet, template);
  const bytes = new Uint8Array(await workbook.xlsx.writeBuffer());
  await writeWhole(file, (target) => target.write(bytes));
}

const WINDOW = {
  ...{ x: 0, y: 0, width: 20_000, height: 12_000 },
  ...({ firstSheet: 0, visibility: 'visible' } as const),
};

function addColumns(sheet: Worksheet, columns: readonly TemplateColumn[], headerRow: number): void {
  for (const [index, column] of columns.entries()) {
    const { header, format, isRequired, note } = column;
    // The format of a column holds for cells that do not exist yet.
    Object.assign(sheet.getColumn(index + 1), { numFmt: format, width: widthOf(column) });
    const cell = sheet.getCell(headerRow, index + 1);
    cell.value = xlsxText(header);
    cell.numFmt = '@';
    cell.font = { bold: true };
    cell.fill = {
      ...{ type: 'pattern', pattern: 'solid' },
      fgColor: { argb: isRequired ? REQUIRED_FILL : OPTIONAL_FILL },
    };
    cell.note = { texts: [{ text: note }], margins: { insetmode: 'auto' } };
  }
}

const widthOf = ({ header, format, example }: TemplateColumn): number => {
  const shown = typeof example === 'string' ? example : format;
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, header.length, shown.length) + 2);
};

function addExampleSheet(workbook: Workbook, { columns, sheet: name }: Template): void {
  const sheet = workbook.addWorksheet(beside(name, 'Example'), {
    views: [{ state: 'frozen', ySplit: 1 }],
  });
  addColumns(sheet, columns, 1);
  for (const [index, { example }] of columns.entries()) sheet.getCell(2, index + 1).value = example;
  const remark = sheet.getCell(4, 1);
  remark.numFmt = 'General';
  remark.value = `An example. Only the sheet "${name}" is imported.`;
  remark.font = { italic: true };
}

/** Sheets cannot have the same name, in whatever letters. */
const beside = (sheet: string, wanted: string): string =>
  sheet.toLowerCase() === wanted.toLowerCase() ? `${wanted} 2` : wanted;

/** Choices that do not fit into a validation stand on a hidden sheet, in a column of their own. */
function addChoices(workbook: Workbook, sheet: Worksheet, template: Template): void {
  const { columns, headerRow, isAlone } = template;
  let lists: Worksheet | undefined;
  for (const [index, { choices, isOpen }] of columns.entries()) {
    if (choices.length === 0) continue;
    let formula = inlineList(choices);
    if (formula === undefined) {
      if (isAlone) continue;
      lists ??= workbook.addWorksheet(beside(template.sheet, 'Choices'), { state: 'hidden' });
      formula = listOn(lists, lists.columnCount + 1, choices);
    }
    if (!hasValidations(sheet)) throw new Error('a sheet has validations');
    const letter = sheet.getColumn(index + 1).letter;
    const [first, last] = [headerRow + 1, headerRow + PREPARED_ROWS];
    const range = `${letter}${first}:${letter}${last}`;
    sheet.dataValidations.add(range, validationOf(formula, isOpen));
  }
}

function validationOf(formula: string, isOpen: boolean): DataValidation {
  const list: DataValidation = { type: 'list', allowBlank: true, formulae: [formula] };
  return isOpen
    ? list
    : {
        ...list,
        ...{ showErrorMessage: true, errorStyle: 'stop', errorTitle: 'Not allowed' },
        error: 'Choose one of the values in the list.',
      };
}

/** `undefined`: too long for a formula, or a comma or a blank would be lost. */
function inlineList(choices: readonly string[]): string | undefined {
  const isPlain = choices.every((choice) => !/[",]|^\s|\s$/.test(choice));
  const list = choices.join(',');
  return isPlain && list.length <= INLINE_LENGTH ? `"${list}"` : undefined;
}

function listOn(lists: Worksheet, column: number, choices: readonly string[]): string {
  const { letter } = Object.assign(lists.getColumn(column), { numFmt: '@' });
  for (const [index, choice] of choices.entries())
    lists.getCell(index + 1, column).value = xlsxText(choice);
  return `'${lists.name}'!$${letter}$1:$${letter}$${choices.length}`;
}

interface Validations {
  readonly dataValidations: { add(address: string, validation: DataValidation): void };
}

/** The types of the package leave out what gives a whole range its validation. */
const hasValidations = (sheet: Worksheet): sheet is Worksheet & Validations =>
  'dataValidations' in sheet;

/** What a cell of an example holds. */
export type ExampleValue = string | number | Date;

/** One column of a workbook that people fill in. */
export interface TemplateColumn {
  /** Exactly as the mapping names it. */
  readonly header: string;
  readonly isRequired: boolean;
  /** Number format of the column, such as `@` for text or `dd.mm.yyyy`. */
  readonly format: string;
  /** What may be chosen from; empty: anything may be written. */
  readonly choices: readonly string[];
  /** Whether something else than the choices may be written too. */
  readonly isOpen: boolean;
  /** Shown where the header is pointed at. */
  readonly note: string;
  readonly example: ExampleValue;
}

/** A workbook that people fill in. */
export interface Template {
  readonly sheet: string;
  readonly position: 1 | 2;
  readonly headerRow: number;
  /** Whether other sheets would be imported too: then there are none. */
  readonly isAlone: boolean;
  readonly columns: readonly TemplateColumn[];
}
