import { decodeText, TextError } from './text.js';

const SPACE = 0x20;
const EQUALS = 0x3d;
const LESS = 0x3c;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

/**
 * The attributes of a tag by local name; of `a:x` and `x` the one without a prefix is kept.
 * @throws TextError when they break the rules of XML.
 */
export function readAttributes(buffer: Buffer, from: number, to: number): Map<string, string> {
  const attributes = new Map<string, string>();
  const seen = new Set<string>();
  let at = skipSpace(buffer, from, to);
  while (at < to) {
    if (at > from && (buffer[at - 1] ?? 0) > SPACE) throw new TextError('attributes touch');
    const nameEnd = endOfName(buffer, at, to);
    const name = buffer.toString('utf8', at, nameEnd);
    const open = skipSpace(buffer, skipEquals(buffer, nameEnd, to), to);
    const close = endOfValue(buffer, open, to);
    if (name === '' || seen.has(name)) throw new TextError('a tag has an attribute twice');
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
  if (at >= to || buffer[at] !== EQUALS) throw new TextError('an attribute has no value');
  return at + 1;
}

function endOfValue(buffer: Buffer, open: number, to: number): number {
  const quote = buffer[open];
  if (open >= to || (quote !== QUOTE && quote !== APOSTROPHE))
    throw new TextError('the value of an attribute has no quotes');
  for (let at = open + 1; at < to; at++) {
    if (buffer[at] === quote) return at;
    if (buffer[at] === LESS) throw new TextError('the value of an attribute holds a "<"');
  }
  throw new TextError('the value of an attribute has no end');
}
