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
