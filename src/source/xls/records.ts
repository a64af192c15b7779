const HEADER = 4;

/** Goes through the records of a stream: each has a type, a length and a body. */
export class Records {
  type = 0;
  /** Where the record begins. */
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

/** Types of the records that are read ([MS-XLS] 2.3). All others are passed over. */
export const RECORD = {
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

/** Version of Excel 97 to 2003 in the record that begins a part. */
export const EXCEL_97 = 0x0600;

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
export class TextReader {
  private piece: Buffer;
  private index = 0;
  private at = 0;

  constructor(private readonly pieces: readonly Buffer[]) {
    this.piece = pieces[0] ?? Buffer.alloc(0);
  }

  /** Whether nothing is left to read. */
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
