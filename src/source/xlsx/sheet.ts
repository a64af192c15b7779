import type { InputError, InputPlace } from '../../core/errors.js';
import type { CellContent } from './cells/format.js';
import type { Allowance } from '../zip.js';
import { CellShortcut } from './cells/cell.js';
import type { Reader } from './xml/document.js';
import { fail, workbookError, SAVE_AGAIN, shownPart, LIMITS } from './limits.js';
import { Grid } from './cells/grid.js';
import { TOKEN, XmlScanner, type Token, decodeEscapes } from './xml/scanner.js';
import { StringAheadError } from './table.js';
import { cellText, NoSuchStringError, type Shared } from './cells/value.js';

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

  /** The number of the row that the scanner has just opened; `null` when it has none. @throws TextError */
  read(scanner: XmlScanner): number | null {
    const { buffer, from, to } = scanner;
    const end = endOfNumber(buffer, from, to);
    if (end > 0 && this.rest !== null && this.isRest(buffer, end, to)) {
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

  private isRest(buffer: Buffer, from: number, to: number): boolean {
    const { rest } = this;
    if (rest?.length !== to - from) return false;
    for (let at = 0; at < rest.length; at++) if (rest[at] !== buffer[from + at]) return false;
    return true;
  }
}

/** Numbers of rows have up to seven digits; anything longer is refused where attributes are read. */
const MAX_DIGITS = 7;

const R = 0x72;

const EQUALS = 0x3d;

const QUOTE = 0x22;

const SPACE = 0x20;

/** ` r="`, which the tags of nearly all rows begin with. */
const START = [SPACE, R, EQUALS, QUOTE];

const NINE = 0x39;

const ZERO = 0x30;

/** Reads the rows of one sheet into a grid, from which they are taken. */
export class SheetReader implements Reader {
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
    sheet: string,
    private readonly part: string,
    private readonly shared: Shared,
    private readonly place: InputPlace,
    allowance: Allowance,
  ) {
    this.grid = new Grid(sheet, place, allowance);
    this.shortcut = new CellShortcut(this.scanner, this.grid, shared);
    this.rich = new RichText(this.scanner, () => this.failLong());
  }

  run(): void {
    this.wanted = null;
    try {
      if (this.unclosed) this.closeCell();
      this.takeAll();
    } catch (error) {
      // Nothing has been taken from the scanner that would be lost.
      if (error instanceof StringAheadError) this.wanted = error.number;
      else throw error instanceof NoSuchStringError ? this.stringError() : error;
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
      this.take(token);
      if (token === TOKEN.close && this.grid.batch.isFull) return;
    }
  }

  private take(token: Token): void {
    if (token === TOKEN.text) this.onText();
    else if (token === TOKEN.open) this.onOpen();
    else this.onClose();
  }

  private onOpen(): void {
    const { scanner } = this;
    const { depth, local } = scanner;
    if (depth === DEPTH.sheet && local !== 'worksheet')
      fail(
        'not_a_sheet',
        `its part ${shownPart(this.part)} is no worksheet. ${SAVE_AGAIN}`,
        this.place,
      );
    if (depth === DEPTH.row && local === 'row') this.openRow();
    else if (!this.inRow) return;
    else if (depth === DEPTH.cell && local === 'c') this.openCell(scanner.attributes());
    else if (depth === DEPTH.value && this.inCell()) this.openPart(depth, local);
  }

  private openPart(depth: number, local: string): void {
    if (local === 'is') this.rich.begin(depth);
    else if (local === 'f') this.hasFormula = true;
    else if (local === 'v') this.hasValue = true;
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
      if (this.value.length + scanner.textBytes() > LIMITS.cellBytes) this.failLong();
      this.value += scanner.text();
    } else this.rich.onText();
  }

  private inCell(): boolean {
    return this.scanner.ancestor(DEPTH.cell) === 'c';
  }

  private openRow(): void {
    this.inRow = this.scanner.ancestor(DEPTH.data) === 'sheetData';
    if (!this.inRow) return;
    this.grid.beginRow(this.rowNumbers.read(this.scanner));
    if (this.rowNumbers.isHidden) this.grid.hideRow();
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
    const text = this.text();
    if (text === null && this.lacksValue()) this.grid.putWithoutValue();
    else if (typeof text === 'string' && this.lacksFormat()) this.grid.putWithoutFormat(text);
    else this.grid.put(text);
    this.unclosed = false;
  }

  private text(): CellContent {
    const { inline } = this;
    if (inline !== '') return inline;
    return cellText(this.value, this.type, this.style, this.shared);
  }

  private lacksFormat(): boolean {
    return this.shared.lacksStyles && this.style > 0 && this.type === 'n';
  }

  /** Whether a formula was stored without its result. A text may be empty; programs that do not calculate leave out the type. */
  private lacksValue(): boolean {
    return this.hasFormula && !(this.hasValue && this.type === 'str');
  }

  private stringError(): InputError {
    const reason = `a cell refers to a text that the workbook does not hold. ${SAVE_AGAIN}`;
    return workbookError('bad_shared_string', reason, this.grid.here());
  }

  private failLong(): never {
    fail(
      'cell_too_long',
      `the text of a cell is longer than ${LIMITS.cellBytes} bytes.`,
      this.grid.here(),
    );
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

/**
 * Collects the text of a string item: of its `t` and of the `t` of its runs `r`, one after the other. How it is to be
 * pronounced (`rPh`) is left out.
 */
export class RichText {
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

  /** The whole text. */
  end(): string {
    this.depth = 0;
    return decodeEscapes(this.text);
  }
}
