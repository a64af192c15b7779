import { TextDecoder } from 'node:util';
import type { InputPlace } from '../../../core/errors.js';
import { xmlError } from '../errors.js';

/** Enough bytes for a byte order mark and an XML declaration. */
const HEAD = 256;

/** The bytes of an XML part as UTF-8 without a byte order mark, whatever its encoding (XML 1.0, appendix F). */
export async function* asUtf8(
  pieces: AsyncIterable<Buffer>,
  part: string,
  place: InputPlace,
): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  let convert = (piece: Buffer, _last: boolean): Buffer => piece;
  for await (const piece of pieces) {
    if (head === null) {
      yield convert(piece, false);
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length < HEAD) continue;
    convert = converter(head, part, place);
    yield convert(withoutMark(head), false);
    head = null;
  }
  if (head !== null) {
    convert = converter(head, part, place);
    yield convert(withoutMark(head), false);
  }
  yield convert(Buffer.alloc(0), true);
}

function withoutMark(head: Buffer): Buffer {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
}

function converter(head: Buffer, part: string, place: InputPlace) {
  const label = encodingOf(head);
  if (/^(utf-?8|us-ascii|ascii)$/i.test(label)) return (piece: Buffer) => piece;
  const decoder = decoderFor(label, part, place);
  return (piece: Buffer, last: boolean) => {
    try {
      return Buffer.from(decoder.decode(piece, { stream: !last }));
    } catch {
      // The decoder's own error says no more than this.
      throw xmlError(`it is not valid ${label}`, part, place);
    }
  };
}

function decoderFor(label: string, part: string, place: InputPlace): TextDecoder {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    throw xmlError(`its encoding is not known here`, part, place);
  }
}

function encodingOf(head: Buffer): string {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0x3c && second === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c) return 'utf-16be';
  const declared = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(
    withoutMark(head).toString('latin1', 0, HEAD),
  )?.[1];
  // A declaration that can be read byte by byte cannot be UTF-16, whatever it says.
  return declared === undefined || /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}
