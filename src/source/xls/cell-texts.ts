import type { Cell } from '../../core/table.js';
import { errorOf, numericText } from '../sheetjs/cell.js';
import type { CellContent } from '../xlsx/cells/content.js';
import type { Globals } from './globals.js';
import { RECORD } from './record-types.js';
import { Records } from './records.js';
import { TextReader } from './text-reader.js';

/** Where the format and the value of a cell stand in its record. */
const AT = { format: 4, value: 6 } as const;
/** What a formula gave, where it is no number. */
const RESULT = { text: 0, boolean: 1, error: 2 } as const;
/** Records that may stand between a formula and its text: what it shares with others. */
const MAX_BETWEEN = 3;
const PAIR = 6;

/** Texts of cells, the same as those of an `.xlsx` with the same cells. @throws RangeError where a record is damaged */
export class CellTexts {
  constructor(
    private readonly stream: Buffer,
    private readonly globals: Globals,
  ) {}

  /** Texts of the cell of a record, or of all that it holds, from the first column on. */
  of(start: number): readonly CellContent[] {
    const records = new Records(this.stream, start);
    records.next();
    const { type, at } = records;
    if (type === RECORD.numbers) return this.numbers(records);
    return [this.single(type, at, records)];
  }

  private single(type: number, at: number, records: Records): CellContent {
    const { stream } = this;
    switch (type) {
      case RECORD.sharedText:
        return this.shared(stream.readUInt32LE(at + AT.value));
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

  private shared(index: number): Cell {
    const text = this.globals.texts[index];
    if (text === undefined) throw new RangeError('a cell refers to a text that is not there');
    return text === '' ? null : text;
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

/** A whole number of 30 bits, or the first 30 bits of another; either may be in hundredths. */
function shortNumber(stream: Buffer, at: number): number {
  const bits = stream.readInt32LE(at);
  const value = bits & WHOLE ? bits >> 2 : upperHalf(bits & ~3);
  return bits & HUNDREDTHS ? value / 100 : value;
}

const half = new DataView(new ArrayBuffer(8));

function upperHalf(bits: number): number {
  half.setInt32(0, bits);
  return half.getFloat64(0);
}
