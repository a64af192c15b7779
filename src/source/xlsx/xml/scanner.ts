import { LIMITS } from '../limits.js';
import { isUtf8 } from 'node:buffer';

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

/** Why XML cannot be read, where it is well-formed as words behind the name of its part; the one who knows the place makes an error of it. */
export class XmlError extends Error {
  constructor(
    what: string,
    readonly code = 'malformed_xml',
  ) {
    super(what);
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
    if (rest > LIMITS.tokenBytes) throw new XmlError(ENDLESS, 'cell_too_long');
    if (this.marks > this.maxMarks) throw new XmlError(TOO_MANY, 'zip_bomb');
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
    if (this.closing) return this.closeItself();
    while (this.position < this.buffer.length) {
      const token = this.buffer[this.position] === LESS ? this.markup() : this.characters();
      if (token !== null) return token;
    }
    if (!this.final) return TOKEN.more;
    if (this.depth > 0 || !this.hadRoot) throw new XmlError(CUT_OFF, 'truncated_xml');
    return TOKEN.end;
  }

  private closeItself(): Token {
    this.closing = false;
    this.open.pop();
    this.depth--;
    return TOKEN.close;
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
    if (start.startsWith('<!D')) throw new XmlError(DOCTYPE, 'doctype');
    const possible = Object.values(MARKUP).some((markup) => markup.startsWith(start));
    if (possible || '<!D'.startsWith(start)) return this.incomplete();
    throw new XmlError('it holds a declaration that does not belong there');
  }

  private passOver(end: string, from: number): Token | null {
    const at = this.buffer.indexOf(end, this.position + from, 'latin1');
    if (at < 0) return this.incomplete();
    this.position = at + end.length;
    return null;
  }

  private cdata(): Token {
    if (this.depth === 0) throw new XmlError('it holds text outside of its root element');
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
    if (this.text().trim() !== '') throw new XmlError('it holds text outside of its root element');
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
      throw new XmlError('an end tag does not match its start tag');
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
    if (nameEnd === from) throw new XmlError('it holds a "<" that begins no tag');
    this.opened(this.names.at(buffer, from, nameEnd));
    this.from = nameEnd;
    this.to = to;
    this.closing = empty;
    this.position = end + 1;
    return TOKEN.open;
  }

  private opened(name: Name): void {
    if (this.depth === 0 && this.hadRoot) throw new XmlError('it has two root elements');
    if (this.depth >= LIMITS.depth) throw new XmlError('its elements nest too deeply');
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
      else if (byte === LESS) throw new XmlError('a tag has no end');
    }
    return -1;
  }

  private incomplete(): Token {
    if (this.final) throw new XmlError(CUT_OFF, 'truncated_xml');
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

/**
 * The attributes of a tag by local name; of `a:x` and `x` the one without a prefix is kept.
 * @throws XmlError when they break the rules of XML.
 */
function readAttributes(buffer: Buffer, from: number, to: number): Map<string, string> {
  const attributes = new Map<string, string>();
  const seen = new Set<string>();
  let at = skipSpace(buffer, from, to);
  while (at < to) {
    if (at > from && (buffer[at - 1] ?? 0) > SPACE) throw new XmlError('attributes touch');
    const nameEnd = endOfName(buffer, at, to);
    const name = buffer.toString('utf8', at, nameEnd);
    const open = skipSpace(buffer, skipEquals(buffer, nameEnd, to), to);
    const close = endOfValue(buffer, open, to);
    if (name === '' || seen.has(name)) throw new XmlError('a tag has an attribute twice');
    seen.add(name);
    add(attributes, name, decodeText(buffer, open + 1, close, false));
    at = skipSpace(buffer, close + 1, to);
  }
  return attributes;
}

function add(attributes: Map<string, string>, name: string, value: string): void {
  const colon = name.indexOf(':');
  if (colon < 0) attributes.set(name, value);
  else if (!attributes.has(name.slice(colon + 1))) attributes.set(name.slice(colon + 1), value);
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
  if (at >= to || buffer[at] !== EQUALS) throw new XmlError('an attribute has no value');
  return at + 1;
}

function endOfValue(buffer: Buffer, open: number, to: number): number {
  const quote = buffer[open];
  if (open >= to || (quote !== QUOTE && quote !== APOSTROPHE))
    throw new XmlError('the value of an attribute has no quotes');
  for (let at = open + 1; at < to; at++) {
    if (buffer[at] === quote) return at;
    if (buffer[at] === LESS) throw new XmlError('the value of an attribute holds a "<"');
  }
  throw new XmlError('the value of an attribute has no end');
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
 * @throws XmlError on bytes that are not UTF-8 and on entities that XML does not know.
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

/** UTF-8 as text. @throws XmlError when it is not UTF-8: a silent U+FFFD in a name would be lost data. */
export function decodeUtf8(buffer: Buffer, from: number, to: number): string {
  const text = buffer.toString('utf8', from, to);
  if (text.includes(REPLACEMENT) && !isUtf8(buffer.subarray(from, to)))
    throw new XmlError('it holds bytes that are not UTF-8');
  return text;
}

function replaceEntities(text: string): string {
  if (!text.includes('&')) return text;
  const replaced = text.replaceAll(
    /&(?:#x([0-9a-f]{1,8})|#([0-9]{1,8})|([a-z]+));|&/gi,
    (_all, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return character(parseInt(hex, 16));
      if (decimal !== undefined) return character(parseInt(decimal, 10));
      return entity(name);
    },
  );
  if (LONE_SURROGATE.test(replaced)) throw new XmlError('it refers to half a character');
  return replaced;
}

/** With the `u` flag the class matches halves of characters only, not pairs. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** Halves of a pair are let through one by one, since some programs write them so; a lone one is refused later. */
function character(code: number): string {
  if (code === 0 || code > 0x10ffff) throw new XmlError('it refers to a character that is none');
  return String.fromCodePoint(code);
}

function entity(name: string | undefined): string {
  const text = name === undefined ? undefined : ENTITIES[name];
  if (text === undefined) throw new XmlError('it holds an "&" that begins no known entity');
  return text;
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
