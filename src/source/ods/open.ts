import type { Row, Source, SourceOptions, Cell } from '../../core/table.js';
import type { FoundFile } from '../file.js';
import { Batch, batchesOf, sourceOf } from '../rows.js';
import { Grid } from '../xlsx/cells/grid.js';
import { chooseSheets, type Sheet } from '../xlsx/workbook.js';
import { fail, failEncrypted, failLong, SAVE_AGAIN, LIMITS } from '../xlsx/limits.js';
import { feed, readTokens, type Reader, TOKEN, XmlScanner, type Token } from '../xlsx/xml.js';
import { Allowance, Archive } from '../zip.js';
import type { InputPlace } from '../../core/errors.js';
import {
  cellFormat,
  type CellFormat,
  type FormatKind,
  type CellContent,
  errorCell,
  isoText,
  numericText,
} from '../xlsx/cells/value.js';

const MANIFEST = 'META-INF/manifest.xml';

/**
 * Opens an OpenDocument spreadsheet (`.ods`). It is read with the parts of the `.xlsx` reader, piece by piece: SheetJS
 * drops numbers whose cells have no paragraph, and formulas without a value, and has no limits.
 * @throws InputError when the file is damaged, encrypted or lacks the wanted sheet
 */
export async function openOds(found: FoundFile, options: SourceOptions): Promise<Source> {
  return Archive.use(found.file, async (archive) => {
    const pieces: Buffer[] = [];
    if (archive.has(MANIFEST))
      for await (const piece of archive.read(MANIFEST, 'structure')) pieces.push(piece);
    if (Buffer.concat(pieces).includes('encryption-data')) failEncrypted(archive.place);
    const { sheets, formats } = await readSpreadsheet(archive);
    const { about } = chooseSheets(sheets, options, archive.place);
    return sourceOf(found, about, {
      rows: (progress) => rowsOf(found.file, new Set(about.sheets), formats, progress),
      verify: () => Archive.use(found.file, (again) => again.verify([[CONTENT, 'sheet']])),
    });
  });
}

async function* rowsOf(
  file: string,
  names: ReadonlySet<string>,
  formats: Formats,
  progress: (bytes: number) => void,
): AsyncGenerator<readonly Row[]> {
  const archive = await Archive.open(file);
  try {
    const { place } = archive;
    const allowance = new Allowance(archive.compressedBytes([CONTENT]));
    const batch = new Batch();
    const gridOf = (sheet: string): Grid | undefined =>
      names.has(sheet) ? new Grid({ ...place, sheet }, allowance, batch) : undefined;
    const reader = new RowsReader(gridOf, batch, formats, place);
    const onRead = archive.progress([CONTENT], progress);
    const document = { archive, name: CONTENT, kind: 'sheet', place, onRead } as const;
    yield* batchesOf(batch, feed(document, reader), () => reader.finish());
  } finally {
    await archive.close();
  }
}

/** The part that holds all sheets. */
const CONTENT = 'content.xml';
/** Formats of numbers that are not of this document alone stand here; LibreOffice puts all of them here. */
const STYLES = 'styles.xml';

/** The sheets and formats of a spreadsheet. @throws InputError `not_a_workbook` when the document is none, such as a text */
async function readSpreadsheet(archive: Archive) {
  const { place } = archive;
  const formats = new FormatsReader();
  if (archive.names().has(STYLES))
    await readTokens({ archive, name: STYLES, kind: 'structure', place }, (token, scanner) =>
      formats.take(token, scanner),
    );
  const tables: { name: string; style: string }[] = [];
  const hiddenStyles = new Set<string>();
  let [isSpreadsheet, latest] = [false, ''];
  await readTokens({ archive, name: CONTENT, kind: 'sheet', place }, (token, scanner) => {
    formats.take(token, scanner);
    if (token !== TOKEN.open) return;
    const { local } = scanner;
    if (local === 'spreadsheet') isSpreadsheet = true;
    else if (local === 'style') latest = scanner.attributes().get('name') ?? '';
    else if (local === 'table-properties') {
      if (scanner.attributes().get('display') === 'false') hiddenStyles.add(latest);
    } else if (local === 'table' && scanner.ancestor(scanner.depth - 1) === 'spreadsheet') {
      if (tables.length >= LIMITS.entries)
        fail('too_large', 'the workbook has too many sheets.', place);
      const attributes = scanner.attributes();
      const style = attributes.get('style-name') ?? '';
      tables.push({ name: attributes.get('name') ?? '', style });
    }
  });
  const reason = `the file is an OpenDocument file, but no spreadsheet. ${SAVE_AGAIN}`;
  if (!isSpreadsheet) fail('not_a_workbook', reason, place);
  const sheets: Sheet[] = tables.map(({ name, style }) => {
    return { name, hidden: hiddenStyles.has(style), part: name };
  });
  return { sheets, formats: formats.formats() };
}

/** A style of numbers while it is read: its parts as the code of a format, and others that count under conditions. */
interface NumberStyle {
  code: string;
  readonly maps: { readonly condition: string; readonly style: string }[];
}

/** Styles that inherit from each other at most. */
const MAX_PARENTS = 10;
const CONDITION = /^value\(\)\s*(<=|>=|!=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)$/;

/** Gathers the formats of numbers, dates and times from the styles that a document begins with. */
class FormatsReader {
  private readonly dataStyles = new Map<string, FormatKind>();
  private readonly numberStyles = new Map<string, NumberStyle>();
  /** Of each style of cells the style of its data, or the style that it inherits from. */
  private readonly cellStyles = new Map<string, Record<'data' | 'parent', string>>();
  private date1904 = false;
  private latest = '';
  /** The style of numbers that is being read. */
  private numbers: NumberStyle | null = null;
  /** Texts within the digits of its number, by how many digits stand behind them. */
  private position: number | null = null;
  private within: { digits: number; rest: string; texts: Map<number, string> } | null = null;
  /** Whether the text that comes next belongs to the format. */
  private wantsText = false;

  take(token: Token, scanner: XmlScanner): void {
    if (token === TOKEN.text) {
      if (this.wantsText) this.takeText(scanner.text());
      return;
    }
    this.wantsText = false;
    if (token === TOKEN.open) this.opened(scanner.local, () => scanner.attributes());
  }

  private opened(local: string, attributes: () => ReadonlyMap<string, string>): void {
    if (local === 'date-style') this.add(attributes(), 'date');
    else if (local === 'time-style') {
      const found = attributes();
      this.add(found, found.get('truncate-on-overflow') === 'false' ? 'elapsed' : 'time');
    } else if (local === 'hours') {
      if (this.dataStyles.get(this.latest) === 'date') this.dataStyles.set(this.latest, 'datetime');
    } else if (local === 'number-style') {
      this.end();
      this.numbers = { code: '', maps: [] };
      this.numberStyles.set(attributes().get('name') ?? '', this.numbers);
    } else if (local === 'style') {
      this.end();
      const found = attributes();
      this.cellStyles.set(found.get('name') ?? '', {
        data: found.get('data-style-name') ?? '',
        parent: found.get('parent-style-name') ?? '',
      });
    } else if (local === 'null-date')
      this.date1904 = attributes().get('date-value')?.startsWith('1904') === true;
    else if (local.endsWith('-style')) this.end();
    else if (this.numbers) this.takePart(local, attributes, this.numbers);
  }

  private takeText(text: string): void {
    const { numbers, within, position } = this;
    // Signs one by one, so that none has the meaning that it has in the code of a format.
    const code = Array.from(text, (sign) => `\\${sign}`).join('');
    if (within && position !== null)
      within.texts.set(position, (within.texts.get(position) ?? '') + code);
    else if (numbers) numbers.code += code;
  }

  formats(): Formats {
    this.end();
    const kinds = new Map<string, CellFormat>();
    for (const [name, own] of this.cellStyles) {
      let style: typeof own | undefined = own;
      for (let level = 0; level < MAX_PARENTS && style?.data === ''; level++)
        style = this.cellStyles.get(style.parent);
      const data = style?.data ?? '';
      const kind = this.dataStyles.get(data) ?? this.numberFormat(data);
      if (kind !== undefined) kinds.set(name, kind);
    }
    return { kinds, date1904: this.date1904 };
  }

  private takePart(
    local: string,
    attributes: () => ReadonlyMap<string, string>,
    numbers: NumberStyle,
  ): void {
    if (local === 'embedded-text') {
      this.position = Number(attributes().get('position') ?? 0);
      this.wantsText = true;
      return;
    }
    this.endNumber();
    if (local === 'text') this.wantsText = true;
    else if (local === 'number') {
      const found = attributes();
      const decimals = Math.min(Number(found.get('decimal-places') ?? 0) || 0, MAX_DIGITS);
      const digits = Math.min(Number(found.get('min-integer-digits') ?? 1) || 0, MAX_DIGITS);
      const grouping = found.get('grouping') === 'true' ? ',' : '';
      const rest = grouping + (decimals > 0 ? `.${'0'.repeat(decimals)}` : '');
      this.within = { digits, rest, texts: new Map() };
    } else if (local === 'scientific-number' || local === 'fraction') numbers.code += '0E+0';
    else if (local === 'map') {
      const found = attributes();
      const condition = found.get('condition') ?? '';
      numbers.maps.push({ condition, style: found.get('apply-style-name') ?? '' });
    }
  }

  private end(): void {
    this.endNumber();
    this.numbers = null;
  }

  /** Writes the places of the digits, with the texts among them, into the code. */
  private endNumber(): void {
    const { within, numbers } = this;
    this.within = null;
    this.position = null;
    if (!within || !numbers) return;
    const places = Math.max(within.digits, 1, ...[...within.texts.keys()].map((at) => at + 1));
    for (let left = Math.min(places, MAX_DIGITS); left > 0; left--)
      numbers.code += (within.texts.get(left) ?? '') + (left > within.digits ? '#' : '0');
    numbers.code += within.rest;
  }

  private numberFormat(name: string): CellFormat | undefined {
    const style = this.numberStyles.get(name);
    if (!style) return undefined;
    const sections = style.maps.flatMap(({ condition, style: other }) => {
      const [, operator, bound] = CONDITION.exec(condition) ?? [];
      const code = this.numberStyles.get(other)?.code;
      if (operator === undefined || bound === undefined || code === undefined) return [];
      return [`[${operator === '!=' ? '<>' : operator}${bound}]${code}`];
    });
    return cellFormat([...sections, style.code].join(';'));
  }

  private add(attributes: ReadonlyMap<string, string>, kind: FormatKind): void {
    this.end();
    this.latest = attributes.get('name') ?? '';
    this.dataStyles.set(this.latest, kind);
  }
}

/** More places of digits than any number has. */
const MAX_DIGITS = 40;

/** White space in a paragraph is one blank, however long; more blanks have an element of their own. */
const WHITE_SPACE = /[\t\n\r ]+/g;

/** Reads the rows of the wanted sheets, one sheet after the other, as they stand in the document. */
class RowsReader implements Reader {
  readonly scanner = new XmlScanner();
  private grid: Grid | null = null;
  /** Depths of the elements that are open; 0 where none is. */
  private sheetDepth = 0;
  private rowDepth = 0;
  private cellDepth = 0;
  private row = 0;
  private isHidden = false;
  private rowStyle: string | undefined;
  /** Styles of columns, each up to the column where it ends. */
  private columns: { readonly end: number; readonly style: string }[] = [];
  private columnEnd = 0;
  private column = 0;
  /** Those that are not empty, and how often each stands there, one beside the other. */
  private cells: { readonly column: number; readonly times: number; readonly text: CellContent }[] =
    [];
  /** Text of the paragraphs of the cell; notes and drawings in it do not count. */
  private text = '';
  private paragraphs = 0;
  private attributes: ReadonlyMap<string, string> = new Map();
  private repeat = 1;
  /** How often the row at hand has still to be given. */
  private left = 0;

  /**
   * @param gridOf the grid of a wanted sheet; of others, nothing is read
   * @param batch takes the rows of all grids
   */
  constructor(
    private readonly gridOf: (sheet: string) => Grid | undefined,
    private readonly batch: Batch,
    private readonly formats: Formats,
    private readonly place: InputPlace,
  ) {}

  run(): void {
    while (this.left > 0) if (this.putRow()) return;
    for (;;) {
      const token = this.scanner.next();
      if (token === TOKEN.more || token === TOKEN.end) return;
      this.take(token);
      if (this.isFull()) return;
    }
  }

  isFull(): boolean {
    return this.left > 0 || this.batch.isFull;
  }

  where(): InputPlace {
    return this.rowDepth > 0 && this.grid ? this.grid.rowPlace() : this.place;
  }

  /** Hands on the row that was read before an error. */
  finish(): void {
    this.grid?.finish();
  }

  private take(token: Token): void {
    if (token === TOKEN.open) this.onOpen();
    else if (token === TOKEN.close) this.onClose();
    else if (this.cellDepth > 0 && this.scanner.ancestor(this.cellDepth + 1) === 'p')
      this.add(this.scanner.text().replaceAll(WHITE_SPACE, ' '));
  }

  private onOpen(): void {
    const { scanner } = this;
    const { depth, local } = scanner;
    if (this.cellDepth > 0) this.openInCell();
    else if (this.rowDepth > 0) {
      if (depth === this.rowDepth + 1 && isCell(local)) this.openCell(depth);
    } else if (this.grid && local === 'table-row') this.openRow(depth);
    else if (this.grid && local === 'table-column') this.addColumns(scanner.attributes());
    else if (local === 'table' && scanner.ancestor(depth - 1) === 'spreadsheet')
      this.openSheet(depth);
  }

  private onClose(): void {
    const depth = this.scanner.depth + 1;
    if (depth === this.cellDepth) this.closeCell();
    else if (depth === this.rowDepth) this.closeRow();
    else if (depth === this.sheetDepth) this.closeSheet();
  }

  private openSheet(depth: number): void {
    this.grid = this.gridOf(this.scanner.attributes().get('name') ?? '') ?? null;
    this.sheetDepth = depth;
    this.row = 0;
    this.columns = [];
    this.columnEnd = 0;
  }

  private closeSheet(): void {
    this.finish();
    this.batch.complete();
    this.grid = null;
    this.sheetDepth = 0;
  }

  private openRow(depth: number): void {
    this.rowDepth = depth;
    this.column = 0;
    this.cells = [];
    const attributes = this.scanner.attributes();
    this.repeat = timesOf(attributes.get('number-rows-repeated'));
    this.rowStyle = attributes.get('default-cell-style-name');
    this.isHidden = /^(?:collapse|filter)$/.test(attributes.get('visibility') ?? '');
  }

  private closeRow(): void {
    this.rowDepth = 0;
    if (this.cells.length === 0) {
      this.row += this.repeat;
      return;
    }
    this.left = this.repeat;
    while (this.left > 0) if (this.putRow()) return;
  }

  /** Puts the row once; whether there are rows to be passed on before it is put again. */
  private putRow(): boolean {
    const { grid } = this;
    this.left--;
    if (grid === null) return false;
    grid.beginRow(++this.row, this.isHidden);
    for (const { column, times, text } of this.cells) {
      grid.goTo(this.row, column);
      for (let time = 0; time < times; time++)
        if (text === null) grid.putWithoutValue();
        else grid.put(text);
    }
    grid.endRow();
    return this.batch.isFull;
  }

  private openCell(depth: number): void {
    this.cellDepth = depth;
    this.attributes = this.scanner.attributes();
    [this.text, this.paragraphs] = ['', 0];
  }

  private openInCell(): void {
    const { scanner, cellDepth } = this;
    const { local } = scanner;
    if (scanner.depth === cellDepth + 1) {
      if (local === 'p' && this.paragraphs++ > 0) this.add('\n');
      return;
    }
    if (scanner.ancestor(cellDepth + 1) !== 'p') return;
    if (local === 'tab') this.add('\t');
    else if (local === 'line-break') this.add('\n');
    else if (local === 's') {
      const count = Number.parseInt(scanner.attributes().get('c') ?? '1', 10) || 1;
      this.add(' '.repeat(Math.min(count, LIMITS.cellBytes)));
    }
  }

  private add(text: string): void {
    if (this.text.length + text.length > LIMITS.cellBytes)
      failLong(this.grid?.here() ?? this.place);
    this.text += text;
  }

  private closeCell(): void {
    this.cellDepth = 0;
    const { attributes, column } = this;
    const style = attributes.get('style-name') ?? this.rowStyle ?? this.columnStyle(column);
    const text = odsText(attributes, this.text, style, this.formats);
    const times = timesOf(attributes.get('number-columns-repeated'));
    // A formula that was stored without its result; an empty text is one.
    const lacksValue = attributes.has('formula') && attributes.get('value-type') !== 'string';
    if (text !== null || lacksValue) this.cells.push({ column, times, text });
    this.grid?.merge(
      this.row + 1,
      this.row + timesOf(attributes.get('number-rows-spanned')),
      this.column,
    );
    this.column += times;
  }

  /** Cells without a style of their own have that of their row or column. */
  private addColumns(attributes: ReadonlyMap<string, string>): void {
    this.columnEnd += timesOf(attributes.get('number-columns-repeated'));
    const style = attributes.get('default-cell-style-name') ?? '';
    if (this.columns.length < LIMITS.columns) this.columns.push({ end: this.columnEnd, style });
  }

  private columnStyle(column: number): string {
    return this.columns.find(({ end }) => column < end)?.style ?? '';
  }
}

/** Cells below a merged one are stored as well. */
function isCell(local: string): boolean {
  return local === 'table-cell' || local === 'covered-table-cell';
}

function timesOf(count = '1'): number {
  return Math.max(1, Number.parseInt(count, 10) || 1);
}

/** What the number formats of cells show, and how their days are counted. */
interface Formats {
  /** By the name of the cell's style. */
  readonly kinds: ReadonlyMap<string, CellFormat>;
  readonly date1904: boolean;
}

const DAY_ALONE = /^\d{4}-\d\d-\d\d$/;

/**
 * The text of a cell, the same as that of an `.xlsx` with the same cell; `null` when it is empty. It is stored as attributes,
 * by local name, and paragraphs (OpenDocument 1.3, part 3, 19.385).
 * @param style name of its style: its own, or that of its row or column
 */
function odsText(
  attributes: ReadonlyMap<string, string>,
  text: string,
  style: string,
  { kinds, date1904 }: Formats,
): CellContent {
  switch (attributes.get('value-type')) {
    case 'float':
    case 'percentage':
    case 'currency':
      // Some programs store dates as numbers, with a format of dates.
      return numericText(attributes.get('value') ?? '', kinds.get(style) ?? 'number', date1904);
    case 'date': {
      const text = isoText(attributes.get('date-value')?.trim() ?? '');
      // LibreOffice leaves midnight out.
      const showsTime = kinds.get(style) === 'datetime';
      return orNull(showsTime && DAY_ALONE.test(text) ? `${text}T00:00:00` : text);
    }
    case 'time':
      return orNull(isoText(attributes.get('time-value')?.trim() ?? ''));
    case 'boolean':
      return orNull(attributes.get('boolean-value')?.trim().toLowerCase() ?? '');
    default:
      // An error is stored as an empty string, with its name as the paragraph, or with the type of an error.
      if (attributes.has('formula') && isError(text)) return errorCell(text);
      return orNull(attributes.get('string-value') ?? '') ?? orNull(text);
  }
}

/** What the paragraph of a formula that ended in an error holds, in any language: `#N/A`, `#REF!`, `Err:502`. */
const isError = (text: string): boolean =>
  /^(?:#[\p{Lu}\d/_¡¿]+[!?]?|(?:Err|Fehler) ?:\d{3})$/u.test(text);

const orNull = (text: string): Cell => (text === '' ? null : text);
