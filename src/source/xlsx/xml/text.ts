import { isUtf8 } from 'node:buffer';

/** Why a stretch of character data is wrong; the one who knows the place turns it into an error. */
export class TextError extends Error {}

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
 * @throws TextError on bytes that are not UTF-8 and on entities that XML does not know.
 */
export function decodeText(buffer: Buffer, from: number, to: number, raw: boolean): string {
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

/** UTF-8 as text. @throws TextError when it is not UTF-8: a silent U+FFFD in a name would be lost data. */
export function decodeUtf8(buffer: Buffer, from: number, to: number): string {
  const text = buffer.toString('utf8', from, to);
  if (text.includes(REPLACEMENT) && !isUtf8(buffer.subarray(from, to)))
    throw new TextError('it holds bytes that are not UTF-8');
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
  if (LONE_SURROGATE.test(replaced)) throw new TextError('it refers to half a character');
  return replaced;
}

/** With the `u` flag the class matches halves of characters only, not pairs. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** Halves of a pair are let through one by one, since some programs write them so; a lone one is refused later. */
function character(code: number): string {
  if (code === 0 || code > 0x10ffff) throw new TextError('it refers to a character that is none');
  return String.fromCodePoint(code);
}

function entity(name: string | undefined): string {
  const text = name === undefined ? undefined : ENTITIES[name];
  if (text === undefined) throw new TextError('it holds an "&" that begins no known entity');
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
