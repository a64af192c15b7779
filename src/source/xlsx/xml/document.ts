import type { InputPlace } from '../../../core/errors.js';
import type { Archive, PartKind } from '../../zip.js';
import { fail, SAVE_AGAIN, shownName, LIMITS } from '../limits.js';
import { TOKEN, XmlError, XmlScanner, type Token } from './scanner.js';
import { SpillError } from '../table.js';
import { TextDecoder } from 'node:util';

/** Something that takes tokens from a scanner until it says `more` or `end`, or until it is full. */
export interface Reader {
  readonly scanner: XmlScanner;
  run(): void;
  /** Whether what was read should be passed on before it runs again. */
  isFull?(): boolean;
  /** Where it has come to, closer than the part. */
  where?(): InputPlace;
}

/** A part of the workbook to be read as XML. */
export interface Document {
  readonly archive: Archive;
  readonly name: string;
  readonly kind: PartKind;
  readonly place: InputPlace;
  readonly onRead?: (bytes: number) => void;
}

/**
 * Feeds a part to a reader; yields after each piece and whenever the reader is full, so that what was read can be
 * passed on before there is more.
 * @throws InputError for whatever is wrong with the part; nothing ends silently before the root element does.
 */
export async function* feed(document: Document, reader: Reader): AsyncGenerator<undefined> {
  const { archive, name, kind, onRead } = document;
  const { scanner } = reader;
  scanner.maxMarks = Math.max(LIMITS.freeMarks, LIMITS.marksRatio * archive.compressedBytes(name));
  for await (const piece of asUtf8(archive.read(name, kind, onRead), name, document.place)) {
    explained(document, reader, () => {
      scanner.push(piece);
    });
    yield* runs(document, reader);
  }
  scanner.finish();
  yield* runs(document, reader);
}

/** Lets the reader take all that there is. */
function* runs(document: Document, reader: Reader): Generator<undefined> {
  let full = true;
  while (full) {
    explained(document, reader, () => {
      reader.run();
    });
    full = reader.isFull?.() ?? false;
    yield;
  }
}

/** Reads a part whole, for what needs no rows of it: `take` is given each token. */
export async function readTokens(
  document: Document,
  take: (token: Token, scanner: XmlScanner) => void,
): Promise<void> {
  const scanner = new XmlScanner();
  const run = (): void => {
    for (let token = scanner.next(); token !== TOKEN.more; token = scanner.next()) {
      if (token === TOKEN.end) return;
      take(token, scanner);
    }
  };
  for await (const _ of feed(document, { scanner, run }));
}

/** Reads a part of the structure of a workbook whole: `opened` is called at each tag that opens. */
export function readTags(
  archive: Archive,
  name: string,
  opened: (scanner: XmlScanner) => void,
): Promise<void> {
  const document = { archive, name, kind: 'structure', place: archive.place } as const;
  return readTokens(document, (token, scanner) => {
    if (token === TOKEN.open) opened(scanner);
  });
}

function explained({ name, place }: Document, reader: Reader, work: () => void): void {
  try {
    work();
  } catch (error) {
    const at = reader.where?.() ?? place;
    if (error instanceof SpillError) fail('no_space', error.message, at, error.cause);
    if (error instanceof XmlError) failXml(error, name, at);
    throw error;
  }
}

function failXml({ code, message }: XmlError, part: string, place: InputPlace): never {
  const reason =
    code === 'malformed_xml'
      ? `its part ${shownName(part)} is not well-formed XML: ${message}. ${SAVE_AGAIN}`
      : `its part ${shownName(part)} ${message}. ${SAVE_AGAIN}`;
  fail(code, reason, place);
}

/** Enough bytes for a byte order mark and an XML declaration. */
const HEAD = 256;

/** The bytes of an XML part as UTF-8 without a byte order mark, whatever its encoding (XML 1.0, appendix F). */
async function* asUtf8(
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
      return failXml(new XmlError(`it is not valid ${label}`), part, place);
    }
  };
}

function decoderFor(label: string, part: string, place: InputPlace): TextDecoder {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    return failXml(new XmlError('its encoding is not known here'), part, place);
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
