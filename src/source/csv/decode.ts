import { isAscii, isUtf8, transcode } from 'node:buffer';
import { utf8Border, type Encoding } from './encoding/encoding.js';
import { tableDecoder } from './encoding/table-decoder.js';
import type { TableDecoder } from './encoding/table-decoder.js';

/** Bytes that are no text in the file's encoding. All text before them has been given. */
export class UndecodableError extends Error {
  /** @param isUtf8 whether they are text in UTF-8, where another encoding was found */
  constructor(readonly isUtf8 = false) {
    super('bytes that are no text in this encoding');
  }
}

/**
 * Bytes that are decoded at a time. Every step of the way holds on to the text that it has given last: with four times
 * as much, the collector of garbage copies twice as much, and what it takes for long-lived makes the heap grow.
 */
const PIECE = 16 * 1024;
const CTRL_Z = 0x1a;

/**
 * The text of a file, piece by piece, without its byte order mark. A piece never ends inside a character. `onPiece` is
 * called with the bytes of each piece before it is given.
 * @throws UndecodableError at the first bytes that are not valid
 */
export async function* decodeChunks(
  chunks: AsyncIterable<Buffer>,
  encoding: Encoding,
  onPiece?: (bytes: number) => void,
): AsyncGenerator<string, void, undefined> {
  const decode = await decoderOf(encoding);
  const end = new EndOfText();
  let skip = encoding.bomBytes;
  for await (const chunk of chunks) {
    const bytes = chunk.subarray(skip);
    const skipped = chunk.length - bytes.length;
    skip -= skipped;
    onPiece?.(skipped);
    for (let at = 0; at < bytes.length; at += PIECE) {
      const piece = bytes.subarray(at, at + PIECE);
      onPiece?.(piece.length);
      yield* end.before(given(decode(piece, false)));
    }
  }
  yield* end.before(given(decode(Buffer.alloc(0), true)));
}

/** Ctrl-Z, which programs of DOS end a text with, and what else they fill up its last block with. */
const END_OF_TEXT = '\x1a';
/** More of it is no end of a text. */
const LONGEST_END = 64 * 1024;

/** Keeps back what may be the mark at the end of a text until more text follows it. */
class EndOfText {
  private held = '';

  *before(pieces: Iterable<string>): Generator<string, void, undefined> {
    for (const piece of pieces) {
      const text = this.held + piece;
      this.held = text.includes(END_OF_TEXT) ? endOf(text) : '';
      if (this.held.length > LONGEST_END) this.held = '';
      if (text.length > this.held.length) yield text.slice(0, text.length - this.held.length);
    }
  }
}

/** The first Ctrl-Z behind which there is nothing but others and white space, and those; empty where there is none. */
function endOf(text: string): string {
  let at = text.length;
  while (at > 0 && (text[at - 1] === END_OF_TEXT || (text[at - 1] ?? '').trim() === '')) at--;
  const first = text.indexOf(END_OF_TEXT, at);
  return first < 0 ? '' : text.slice(first);
}

/**
 * Looks at the bytes of a UTF-8 file without decoding them, which takes a tenth of the time.
 * @throws UndecodableError when they are not valid
 */
export async function checkUtf8(chunks: AsyncIterable<Buffer>): Promise<void> {
  let carried: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
    const end = utf8Border(bytes);
    if (!isUtf8(bytes.subarray(0, end))) throw new UndecodableError();
    carried = bytes.subarray(end);
  }
  if (carried.length > 0) throw new UndecodableError();
}

/**
 * Bytes without the zeros and Ctrl-Z at their end, which programs fill up the last block with; never half a character of two
 * bytes.
 */
export function withoutPadding(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0 || bytes[end - 1] === CTRL_Z)) end--;
  return bytes.subarray(0, Math.min(bytes.length, end + (end % 2)));
}

/** Zero characters stand for nothing: some programs fill up their cells with them. */
function* given({ text, isBroken, isUtf8 }: Decoded): Generator<string, void, undefined> {
  if (text !== '') yield text.includes('\0') ? text.replaceAll('\0', '') : text;
  if (isBroken) throw new UndecodableError(isUtf8);
}

interface Decoded {
  /** Text up to the end of the bytes, or up to the first bytes that are none. */
  readonly text: string;
  readonly isBroken: boolean;
  /** Whether what is no text in the encoding is UTF-8. */
  readonly isUtf8?: boolean;
}

/** Decodes the next bytes; `last` says that no more will come. */
type Decode = (bytes: Buffer, last: boolean) => Decoded;

async function decoderOf({ label, guessed }: Encoding): Promise<Decode> {
  switch (label) {
    case 'utf-8':
      return carrying(utf8Border, decodeUtf8);
    case 'utf-16le':
      return carrying((bytes) => utf16Border(bytes, 1), decodeUtf16);
    case 'utf-16be':
      return carrying(
        (bytes) => utf16Border(bytes, 0),
        (bytes) => decodeUtf16(Buffer.from(bytes).swap16()),
      );
  }
  const decode = byTable(await tableDecoder(label));
  if (!guessed) return decode;
  const { canFindUtf8In, utf8InsideAt } = await import('./encoding/candidates.js');
  return canFindUtf8In(label) ? withoutUtf8(decode, utf8InsideAt) : decode;
}

/** Takes words in UTF-8 for broken text: where nobody has named the encoding, they are not garbled. */
function withoutUtf8(decode: Decode, utf8At: (bytes: Buffer) => number): Decode {
  return (bytes, last) => {
    const at = isAscii(bytes) ? -1 : utf8At(bytes);
    return at < 0
      ? decode(bytes, last)
      : { text: decode(bytes.subarray(0, at), false).text, isBroken: true, isUtf8: true };
  };
}

/** Keeps the part after the last whole character for the next bytes. */
function carrying(border: (bytes: Buffer) => number, decode: (bytes: Buffer) => Decoded): Decode {
  let carried: Buffer = Buffer.alloc(0);
  return (bytes, last) => {
    const all = carried.length === 0 ? bytes : Buffer.concat([carried, bytes]);
    const end = border(all);
    carried = all.subarray(end);
    const decoded = decode(all.subarray(0, end));
    // Half a character of zeros or Ctrl-Z is what the last block was filled up with.
    const isBroken = last && carried.some((byte) => byte !== 0 && byte !== CTRL_Z);
    return isBroken ? { ...decoded, isBroken } : decoded;
  };
}

function decodeUtf8(bytes: Buffer): Decoded {
  const end = isUtf8(bytes) ? bytes.length : validUtf8(bytes);
  return { text: utf8Text(bytes.subarray(0, end)), isBroken: end < bytes.length };
}

/** By way of UTF-16, which is more than twice as fast as `toString('utf8')` outside of ASCII. */
function utf8Text(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
}

/** Where valid UTF-8 ends, found by halving. */
function validUtf8(bytes: Buffer): number {
  const border = (length: number): number => utf8Border(bytes.subarray(0, length));
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (isUtf8(bytes.subarray(0, border(middle)))) good = middle;
    else bad = middle;
  }
  return border(good);
}

function utf16Border(bytes: Buffer, highByte: 0 | 1): number {
  const even = bytes.length - (bytes.length % 2);
  const high = bytes[even - 2 + highByte];
  const opensPair = high !== undefined && high >= 0xd8 && high < 0xdc;
  return opensPair ? even - 2 : even;
}

function decodeUtf16(bytes: Buffer): Decoded {
  const text = bytes.toString('utf16le');
  const broken = text.search(/\p{Surrogate}/u);
  return broken < 0 ? { text, isBroken: false } : { text: text.slice(0, broken), isBroken: true };
}

/** Not `fatal`, since that would not show where the text is broken. */
function byTable(decoder: TableDecoder): Decode {
  return (bytes, last) => {
    const text = last ? decoder.end() : decoder.decode(bytes);
    const broken = text.indexOf('\ufffd');
    return broken < 0 ? { text, isBroken: false } : { text: text.slice(0, broken), isBroken: true };
  };
}
