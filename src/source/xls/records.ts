import { RECORD } from './record-types.js';

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
