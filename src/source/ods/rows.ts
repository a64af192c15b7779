import type { InputPlace } from '../../core/errors.js';
import type { Row, Cell } from '../../core/table.js';
import { type CellContent, errorCell, type CellFormat } from '../xlsx/cells/format.js';
import type { Grid } from '../xlsx/cells/grid.js';
import { fail, LIMITS } from '../xlsx/limits.js';
import type { Reader } from '../xlsx/xml/document.js';
import { TOKEN, XmlScanner, type Token } from '../xlsx/xml/scanner.js';
import { isoText, numericText } from '../xlsx/cells/value.js';

/** A cell that is not empty, and how often it stands there, one beside the other. */
interface Filled {
  readonly column: number;
  readonly times: number;
  readonly text: CellContent;
}

/** Collects the text of the paragraphs of a cell; notes and drawings in it do not count. */
class Paragraphs {
  private text = '';
  private count = 0;

  constructor(
    private readonly scanner: XmlScanner,
    private readonly failLong: () => never,
  ) {}

  begin(): void {
    this.text = '';
    this.count = 0;
  }

  /** An element was opened in the cell that is at this depth. */
  onOpen(cellDepth: number): void {
    const { scanner } = this;
    if (scanner.depth === cellDepth + 1) {
      if (scanner.local === 'p' && this.count++ > 0) this.add('\n');
      return;
    }
    if (scanner.ancestor(cellDepth + 1) !== 'p') return;
    if (scanner.local === 'tab') this.add('\t');
    else if (scanner.local === 'line-break') this.add('\n');
    else if (scanner.local === 's') this.add(blanks(scanner.attributes().get('c')));
  }

  onText(cellDepth: number): void {
    const { scanner } = this;
    if (scanner.ancestor(cellDepth + 1) === 'p')
      this.add(scanner.text().replaceAll(WHITE_SPACE, ' '));
  }

  end(): string {
    return this.text;
  }

  private add(text: string): void {
    if (this.text.length + text.length > LIMITS.cellBytes) this.failLong();
    this.text += text;
  }
}

/** White space in a paragraph is one blank, however long; more blanks have an element of their own. */
const WHITE_SPACE = /[\t\n\r ]+/g;

/** Reads the rows of the wanted sheets, one sheet after the other, as they stand in the document. */
export class RowsReader implements Reader {
  readonly scanner = new XmlScanner();
  /** Rows that are complete. */
  readonly ready: (readonly Row[])[] = [];
  private readonly paragraphs = new Paragraphs(this.scanner, () => this.failLong());
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
  private cells: Filled[] = [];
  private attributes: ReadonlyMap<string, string> = new Map();
  private repeat = 1;
  /** How often the row at hand has still to be given. */
  private left = 0;

  /** @param gridOf the grid of a wanted sheet; of others, nothing is read */
  constructor(
    private readonly gridOf: (sheet: string) => Grid | undefined,
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
    return this.left > 0 || this.ready.length > 0;
  }

  where(): InputPlace {
    return this.rowDepth > 0 && this.grid ? this.grid.rowPlace() : this.place;
  }

  /** Rows that were read before an error. */
  finish(): void {
    this.grid?.finish();
    if (this.grid?.batch.isEmpty === false) this.ready.push(this.grid.batch.take());
  }

  private take(token: Token): void {
    if (token === TOKEN.open) this.onOpen();
    else if (token === TOKEN.close) this.onClose();
    else if (this.cellDepth > 0) this.paragraphs.onText(this.cellDepth);
  }

  private onOpen(): void {
    const { scanner } = this;
    const { depth, local } = scanner;
    if (this.cellDepth > 0) this.paragraphs.onOpen(this.cellDepth);
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
    grid.beginRow(++this.row);
    if (this.isHidden) grid.hideRow();
    for (const { column, times, text } of this.cells) {
      grid.goTo(this.row, column);
      for (let time = 0; time < times; time++)
        if (text === null) grid.putWithoutValue();
        else grid.put(text);
    }
    grid.endRow();
    if (!grid.batch.isFull) return false;
    this.ready.push(grid.batch.take());
    return true;
  }

  private openCell(depth: number): void {
    this.cellDepth = depth;
    this.attributes = this.scanner.attributes();
    this.paragraphs.begin();
  }

  private closeCell(): void {
    this.cellDepth = 0;
    const { attributes, column } = this;
    const style = attributes.get('style-name') ?? this.rowStyle ?? this.columnStyle(column);
    const stored = { attributes, text: this.paragraphs.end(), style };
    const text = odsText(stored, this.formats);
    const times = timesOf(attributes.get('number-columns-repeated'));
    if (text !== null || lacksValue(stored, text)) this.cells.push({ column, times, text });
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

  private failLong(): never {
    const reason = `the text of a cell is longer than ${LIMITS.cellBytes} bytes.`;
    fail('cell_too_long', reason, this.grid?.here() ?? this.place);
  }
}

/** Cells below a merged one are stored as well. */
function isCell(local: string): boolean {
  return local === 'table-cell' || local === 'covered-table-cell';
}

function timesOf(count = '1'): number {
  return Math.max(1, Number.parseInt(count, 10) || 1);
}

function blanks(count = '1'): string {
  return ' '.repeat(Math.min(Number.parseInt(count, 10) || 1, LIMITS.cellBytes));
}

/** A cell as it is stored (OpenDocument 1.3, part 3, 19.385): its attributes by local name, and its paragraphs. */
interface StoredCell {
  readonly attributes: ReadonlyMap<string, string>;
  readonly text: string;
  /** Name of its style: its own, or that of its row or column. */
  readonly style: string;
}

/** What the number formats of cells show, and how their days are counted. */
export interface Formats {
  /** By the name of the cell's style. */
  readonly kinds: ReadonlyMap<string, CellFormat>;
  readonly date1904: boolean;
}

const DAY_ALONE = /^\d{4}-\d\d-\d\d$/;

/** The text of a cell, the same as that of an `.xlsx` with the same cell; `null` when it is empty. */
function odsText(
  { attributes, text, style }: StoredCell,
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

/** Whether a formula was stored without its result; an empty text is one. */
function lacksValue({ attributes }: StoredCell, text: CellContent): boolean {
  return text === null && attributes.has('formula') && attributes.get('value-type') !== 'string';
}

function orNull(text: string): Cell {
  return text === '' ? null : text;
}
