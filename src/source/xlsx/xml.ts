import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import type { InputPlace } from '../../core/errors.js';
import type { Archive, PartKind } from '../zip.js';
import { fail, SAVE_AGAIN, shownName, LIMITS } from './limits.js';

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
  const { archive, name } = document;
  const { scanner } = reader;
  scanner.maxMarks = Math.max(
    LIMITS.freeMarks,
    LIMITS.marksRatio * archive.compressedBytes([name]),
  );
  for await (const piece of asUtf8(document)) {
    explained(document, reader, () => {
      scanner.push(piece);
    });
    yield* runs(document, reader);
  }
  scanner.finish();
  yield* runs(document, reader);
}

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
    if (error instanceof PartError) failPart(error, name, at);
    throw error;
  }
}

function failPart({ code, message, cause }: PartError, part: string, place: InputPlace): never {
  if (code === 'no_space') fail(code, message, place, cause);
  const name = shownName(part);
  const reason =
    code === 'malformed_xml'
      ? `its part ${name} is not well-formed XML: ${message}. ${SAVE_AGAIN}`
      : `its part ${name} ${message}. ${SAVE_AGAIN}`;
  fail(code, reason, place);
}

/** Enough bytes for a byte order mark and an XML declaration. */
const HEAD = 256;

/** The bytes of an XML part as UTF-8 without a byte order mark, whatever its encoding (XML 1.0, appendix F). */
async function* asUtf8({ archive, name, kind, place, onRead }: Document): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0);
  let convert: ReturnType<typeof converter> | undefined;
  for await (const piece of archive.read(name, kind, onRead)) {
    if (convert) yield convert(piece, false);
    else {
      head = Buffer.concat([head, piece]);
      if (head.length < HEAD) continue;
      convert = converter(head, name, place);
      yield convert(withoutMark(head), false);
    }
  }
  if (!convert) {
    convert = converter(head, name, place);
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
  // The decoder's own errors say no more than these.
  const orMalformed = <T>(work: () => T, what: string): T => {
    try {
      return work();
    } catch {
      return failPart(new PartError(what), part, place);
    }
  };
  const decoder = orMalformed(
    () => new TextDecoder(label, { fatal: true }),
    'its encoding is not known here',
  );
  return (piece: Buffer, last: boolean) =>
    orMalformed(
      () => Buffer.from(decoder.decode(piece, { stream: !last })),
      `it is not valid ${label}`,
    );
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

export const TOKEN = { more: 0, open: 1, close: 2, text: 3, end: 4 } as const;
export type Token = (typeof TOKEN)[keyof typeof TOKEN];

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const BANG = 0x21;
const QUESTION = 0x3f;
const SPACE = 0x20;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const MARKUP = { comment: '<!--', cdata: '<![CDATA[' } as const;
/** What counts for more than a tag: comments and the like, and each attribute where they are more than usual. */
const DEAR = 4;
const USUAL_ATTRIBUTES = 16;
/** Longer stretches of text are searched by native code, shorter ones faster here. */
const SHORT = 48;

/**
 * Why a part cannot be read, where it is well-formed XML as words behind the name of the part; the one who knows the place
 * makes an error of it.
 */
export class PartError extends Error {
  constructor(
    what: string,
    readonly code = 'malformed_xml',
    options?: ErrorOptions,
  ) {
    super(what, options);
  }
}

const CUT_OFF = 'ends in the middle';
const ENDLESS = 'holds a text or tag that does not end';
/** Entities can be defined there, which is how small XML becomes endless. */
const DOCTYPE = 'holds a DOCTYPE, which no workbook needs';
const TOO_MANY =
  'holds far more tags than the file has bytes for, as in files that are made to harm';

const SLOTS = 512;

/**
 * Names seen before, so that the same few element names are not decoded millions of times. A slot holds the latest
 * name that fell into it, so that a file with endless different names takes no memory.
 */
class Names {
  private readonly slots: (Name | undefined)[] = new Array<Name | undefined>(SLOTS).fill(undefined);

  at(buffer: Buffer, from: number, to: number): Name {
    const first = buffer[from] ?? 0;
    const last = buffer[to - 1] ?? 0;
    const slot = (first * 31 + last * 7 + (to - from) * 131) & (SLOTS - 1);
    const known = this.slots[slot];
    if (known !== undefined && isNamed(known, buffer, from, to)) return known;
    const name = read(buffer, from, to);
    this.slots[slot] = name;
    return name;
  }
}

const COLON = 0x3a;

/**
 * Splits the UTF-8 bytes of an XML document into tags and text. Bytes are pushed as they come; a token that is not yet
 * complete gives `more` and is looked at again with the next ones. Comments and processing instructions are left out,
 * an empty element gives `open` and `close`. Whether elements nest properly is checked here.
 */
export class XmlScanner {
  buffer: Buffer = Buffer.alloc(0);
  position = 0;
  /** Tags, comments, attributes and entities so far, by the time that they take: a tag is one. */
  marks = 0;
  /** How many there may be; looked at with each push. */
  maxMarks = Infinity;
  /** Local name of the element that was opened or closed. */
  local = '';
  /** Number of open elements, the one just opened included, the one just closed left out. */
  depth = 0;
  /** Where the attributes or the text of the current token lie in the buffer. */
  from = 0;
  to = 0;
  private raw = false;
  private final = false;
  /** Whether the element just opened is empty, so that its end comes next. */
  closing = false;
  private hadRoot = false;
  private readonly open: Name[] = [];
  private readonly names = new Names();

  push(piece: Buffer): void {
    const rest = this.buffer.length - this.position;
    if (rest > LIMITS.tokenBytes) throw new PartError(ENDLESS, 'cell_too_long');
    if (this.marks > this.maxMarks) throw new PartError(TOO_MANY, 'zip_bomb');
    this.buffer = rest === 0 ? piece : Buffer.concat([this.buffer.subarray(this.position), piece]);
    this.position = 0;
  }

  finish(): void {
    this.final = true;
  }

  /** Local name of an open element: 1 is the root. */
  ancestor(depth: number): string {
    return this.open[depth - 1]?.local ?? '';
  }

  attributes(): Map<string, string> {
    const attributes = readAttributes(this.buffer, this.from, this.to);
    this.marks += attributes.size > USUAL_ATTRIBUTES ? DEAR * attributes.size : attributes.size;
    return attributes;
  }

  text(): string {
    const text = decodeText(this.buffer, this.from, this.to, this.raw);
    // No character takes more than three bytes by itself: the text is of entities for the most part.
    if (this.to - this.from > 3 * text.length) this.marks += 2 * text.length;
    return text;
  }

  textBytes(): number {
    return this.to - this.from;
  }

  next(): Token {
    if (this.closing) {
      this.closing = false;
      this.open.pop();
      this.depth--;
      return TOKEN.close;
    }
    while (this.position < this.buffer.length) {
      const token = this.buffer[this.position] === LESS ? this.markup() : this.characters();
      if (token !== null) return token;
    }
    if (!this.final) return TOKEN.more;
    if (this.depth > 0 || !this.hadRoot) throw new PartError(CUT_OFF, 'truncated_xml');
    return TOKEN.end;
  }

  /** `null`: something was passed over that is no token. */
  private markup(): Token | null {
    this.marks++;
    const next = this.buffer[this.position + 1];
    if (next === undefined) return this.incomplete();
    if (next === SLASH) return this.closeTag();
    if (next === QUESTION || next === BANG) this.marks += DEAR;
    if (next === QUESTION) return this.passOver('?>', 2);
    if (next === BANG) return this.declaration();
    return this.openTag();
  }

  private declaration(): Token | null {
    const start = this.buffer.toString('latin1', this.position, this.position + 9);
    if (start.startsWith(MARKUP.comment)) return this.passOver('-->', 4);
    if (start === MARKUP.cdata) return this.cdata();
    if (start.startsWith('<!D')) throw new PartError(DOCTYPE, 'doctype');
    const possible = Object.values(MARKUP).some((markup) => markup.startsWith(start));
    if (possible || '<!D'.startsWith(start)) return this.incomplete();
    throw new PartError('it holds a declaration that does not belong there');
  }

  private passOver(end: string, from: number): Token | null {
    const at = this.buffer.indexOf(end, this.position + from, 'latin1');
    if (at < 0) return this.incomplete();
    this.position = at + end.length;
    return null;
  }

  private cdata(): Token {
    if (this.depth === 0) throw new PartError('it holds text outside of its root element');
    const from = this.position + MARKUP.cdata.length;
    const at = this.buffer.indexOf(']]>', from, 'latin1');
    if (at < 0) return this.incomplete();
    this.setText(from, at, true);
    this.position = at + 3;
    return TOKEN.text;
  }

  private characters(): Token | null {
    const end = this.endOfText();
    if (end < 0) return this.incomplete();
    this.setText(this.position, end, false);
    this.position = end;
    if (this.depth > 0) return TOKEN.text;
    if (this.text().trim() !== '') throw new PartError('it holds text outside of its root element');
    return null;
  }

  private endOfText(): number {
    const { buffer, position } = this;
    const near = Math.min(position + SHORT, buffer.length);
    for (let at = position; at < near; at++) if (buffer[at] === LESS) return at;
    const at = buffer.indexOf(LESS, near);
    if (at >= 0) return at;
    return this.final && this.depth === 0 ? buffer.length : -1;
  }

  private setText(from: number, to: number, raw: boolean): void {
    this.from = from;
    this.to = to;
    this.raw = raw;
  }

  private closeTag(): Token {
    const { buffer } = this;
    const from = this.position + 2;
    const end = buffer.indexOf(GREATER, from);
    if (end < 0) return this.incomplete();
    let to = end;
    while (to > from && (buffer[to - 1] ?? 0) <= SPACE) to--;
    const name = this.open.pop();
    if (name === undefined || !isNamed(name, buffer, from, to))
      throw new PartError('an end tag does not match its start tag');
    this.local = name.local;
    this.depth--;
    this.position = end + 1;
    return TOKEN.close;
  }

  private openTag(): Token {
    const { buffer } = this;
    const end = this.endOfTag();
    if (end < 0) return this.incomplete();
    const from = this.position + 1;
    const empty = buffer[end - 1] === SLASH;
    const to = empty ? end - 1 : end;
    let nameEnd = from;
    while (nameEnd < to && (buffer[nameEnd] ?? 0) > SPACE) nameEnd++;
    if (nameEnd === from) throw new PartError('it holds a "<" that begins no tag');
    this.opened(this.names.at(buffer, from, nameEnd));
    this.from = nameEnd;
    this.to = to;
    this.closing = empty;
    this.position = end + 1;
    return TOKEN.open;
  }

  private opened(name: Name): void {
    if (this.depth === 0 && this.hadRoot) throw new PartError('it has two root elements');
    if (this.depth >= LIMITS.depth) throw new PartError('its elements nest too deeply');
    this.hadRoot = true;
    this.open.push(name);
    this.local = name.local;
    this.depth++;
  }

  /** Position of the `>` of the tag that begins here, -1 when it has not come yet. A `>` may stand between quotes. */
  private endOfTag(): number {
    const { buffer } = this;
    const { length } = buffer;
    let quote = 0;
    for (let at = this.position + 1; at < length; at++) {
      const byte = buffer[at];
      if (quote !== 0) {
        if (byte === quote) quote = 0;
      } else if (byte === GREATER) return at;
      else if (byte === QUOTE || byte === APOSTROPHE) quote = byte;
      else if (byte === LESS) throw new PartError('a tag has no end');
    }
    return -1;
  }

  private incomplete(): Token {
    if (this.final) throw new PartError(CUT_OFF, 'truncated_xml');
    return TOKEN.more;
  }
}

/** An element name as it stands in the XML, and without its prefix. */
interface Name {
  readonly bytes: Buffer;
  readonly local: string;
}

function isNamed({ bytes }: Name, buffer: Buffer, from: number, to: number): boolean {
  const { length } = bytes;
  if (length !== to - from) return false;
  for (let i = 0; i < length; i++) if (bytes[i] !== buffer[from + i]) return false;
  return true;
}

/** Whether these bytes are at this place. */
export function hasBytesAt(bytes: Buffer, buffer: Buffer, at: number): boolean {
  if (at + bytes.length > buffer.length) return false;
  for (let index = 0; index < bytes.length; index++)
    if (buffer[at + index] !== bytes[index]) return false;
  return true;
}

function read(buffer: Buffer, from: number, to: number): Name {
  const bytes = Buffer.from(buffer.subarray(from, to));
  return { bytes, local: bytes.subarray(bytes.indexOf(COLON) + 1).toString() };
}

const EQUALS = 0x3d;

/** The attributes of a tag by local name; of `a:x` and `x` the one without a prefix is kept. @throws PartError */
function readAttributes(buffer: Buffer, from: number, to: number): Map<string, string> {
  const attributes = new Map<string, string>();
  const seen = new Set<string>();
  let at = skipSpace(buffer, from, to);
  while (at < to) {
    if (at > from && (buffer[at - 1] ?? 0) > SPACE) throw new PartError('attributes touch');
    const nameEnd = endOfName(buffer, at, to);
    const name = buffer.toString('utf8', at, nameEnd);
    const open = skipSpace(buffer, skipEquals(buffer, nameEnd, to), to);
    const close = endOfValue(buffer, open, to);
    if (name === '' || seen.has(name)) throw new PartError('a tag has an attribute twice');
    seen.add(name);
    const value = decodeText(buffer, open + 1, close, false);
    const local = name.slice(name.indexOf(':') + 1);
    if (local === name || !attributes.has(local)) attributes.set(local, value);
    at = skipSpace(buffer, close + 1, to);
  }
  return attributes;
}

function skipSpace(buffer: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && (buffer[at] ?? 0) <= SPACE) at++;
  return at;
}

function endOfName(buffer: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && buffer[at] !== EQUALS && (buffer[at] ?? 0) > SPACE) at++;
  return at;
}

function skipEquals(buffer: Buffer, from: number, to: number): number {
  const at = skipSpace(buffer, from, to);
  if (at >= to || buffer[at] !== EQUALS) throw new PartError('an attribute has no value');
  return at + 1;
}

function endOfValue(buffer: Buffer, open: number, to: number): number {
  const quote = buffer[open];
  if (open >= to || (quote !== QUOTE && quote !== APOSTROPHE))
    throw new PartError('the value of an attribute has no quotes');
  for (let at = open + 1; at < to; at++) {
    if (buffer[at] === quote) return at;
    if (buffer[at] === LESS) throw new PartError('the value of an attribute holds a "<"');
  }
  throw new PartError('the value of an attribute has no end');
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};
const AMPERSAND = 0x26;
const CARRIAGE_RETURN = 0x0d;
const REPLACEMENT = '\ufffd';

/**
 * Character data of XML as text: UTF-8 decoded, line ends made one (XML 1.0, 2.11), entities replaced unless `raw`
 * says that it came from CDATA.
 * @throws PartError on bytes that are not UTF-8 and on entities that XML does not know.
 */
function decodeText(buffer: Buffer, from: number, to: number, raw: boolean): string {
  let ascii = true;
  let special = false;
  for (let i = from; i < to; i++) {
    const byte = buffer[i] ?? 0;
    if (byte >= 0x80) ascii = false;
    else if (byte === AMPERSAND || byte === CARRIAGE_RETURN) special = true;
  }
  const text = ascii ? buffer.toString('latin1', from, to) : decodeUtf8(buffer, from, to);
  if (!special) return text;
  const lines = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
  return raw ? lines : replaceEntities(lines);
}

/** UTF-8 as text. @throws PartError when it is not UTF-8: a silent U+FFFD in a name would be lost data. */
export function decodeUtf8(buffer: Buffer, from: number, to: number): string {
  const text = buffer.toString('utf8', from, to);
  if (text.includes(REPLACEMENT) && !isUtf8(buffer.subarray(from, to)))
    throw new PartError('it holds bytes that are not UTF-8');
  return text;
}

function replaceEntities(text: string): string {
  if (!text.includes('&')) return text;
  const replaced = text.replaceAll(
    /&(?:#x([0-9a-f]{1,8})|#([0-9]{1,8})|([a-z]+));|&/gi,
    (_all, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return character(parseInt(hex, 16));
      if (decimal !== undefined) return character(parseInt(decimal, 10));
      const text = name === undefined ? undefined : ENTITIES[name];
      if (text === undefined) throw new PartError('it holds an "&" that begins no known entity');
      return text;
    },
  );
  if (LONE_SURROGATE.test(replaced)) throw new PartError('it refers to half a character');
  return replaced;
}

/** With the `u` flag the class matches halves of characters only, not pairs. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** Halves of a pair are let through one by one, since some programs write them so; a lone one is refused later. */
function character(code: number): string {
  if (code === 0 || code > 0x10ffff) throw new PartError('it refers to a character that is none');
  return String.fromCodePoint(code);
}

/**
 * Turns `_xHHHH_` into the character that it stands for (ECMA-376, 22.9.2.19); `_x005F_` protects an underscore.
 */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  const decoded = text.replaceAll(/_x([0-9a-f]{4})_/gi, (_all, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return LONE_SURROGATE.test(decoded) ? text : decoded;
}
