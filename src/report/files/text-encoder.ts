import { UsageError } from '../../core/errors.js';
import { withOwnControls } from '../../core/cell-text.js';

/** Turns text into bytes of one encoding. A character may be held back until its other half comes. */
export type Encode = (text: string) => Uint8Array;

/** Encodings that Node and iconv-lite call by different names. */
const ICONV_NAMES: Readonly<Record<string, string>> = { 'x-mac-cyrillic': 'maccyrillic' };

const QUESTION_MARK = 0x3f;

/**
 * The encoder for an encoding label such as `windows-1251`. A character that the encoding lacks becomes `?`. iconv-lite
 * and its tables are loaded for encodings other than UTF-8 only.
 * @throws UsageError when the encoding cannot be written
 */
export async function encoderFor(label: string): Promise<Encode> {
  const name = canonical(label);
  if (name === 'utf-8') return (text) => Buffer.from(text);
  const { default: iconv } = await import('iconv-lite');
  const iconvName = ICONV_NAMES[name] ?? name;
  if (!iconv.encodingExists(iconvName))
    throw new UsageError(`${name} cannot be written. Convert the file to UTF-8.`);
  const encoder = iconv.getEncoder(iconvName);
  if (name === 'windows-1258') return (text) => encoder.write(withTonesApart(text));
  const exceptions = exceptionsOf(name, (text) => encoder.write(text));
  if (exceptions.size === 0) return (text) => encoder.write(text);
  const exceptional = new RegExp(`[${[...exceptions.keys()].join('')}]`, 'g');
  return (text) => {
    const bytes = encoder.write(text);
    for (const { 0: character, index } of text.matchAll(exceptional))
      bytes[index] = exceptions.get(character) ?? QUESTION_MARK;
    return bytes;
  };
}

/** Vietnamese tones, which windows-1258 writes behind the vowel; it has some letters with them in one byte. */
const TONED =
  /[\u00c3\u00d2\u00d5\u00e3\u00f2\u00f5\u00cc\u00ec\u00dd\u00fd]|[^\p{ASCII}\u0080-\u00ff\u0102\u0103\u0110\u0111\u0152\u0153\u0178\u01a0\u01a1\u01af\u01b0]/gu;
const TONE = /[\u0300\u0301\u0303\u0309\u0323]/;

function withTonesApart(text: string): string {
  return text.replace(TONED, (letter) => {
    const parts = letter.normalize('NFD');
    const tone = TONE.exec(parts)?.[0] ?? '';
    return tone === '' ? letter : parts.replace(tone, '').normalize('NFC') + tone;
  });
}

/** Whether the encoding has two bytes for a character, so that it is recognised by its byte order mark only. */
export function isUtf16(label: string): boolean {
  return canonical(label).startsWith('utf-16');
}

function canonical(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // iconv-lite knows a few more encodings than Node.
    return label.toLowerCase();
  }
}

/**
 * Characters of a single-byte encoding that iconv-lite writes otherwise than Node reads them, such as the control
 * characters that stand for undefined bytes: a cell that is not changed keeps its bytes.
 */
function exceptionsOf(name: string, encode: Encode): ReadonlyMap<string, number> {
  const exceptions = new Map<string, number>();
  if (!isKnownToNode(name)) return exceptions;
  for (let byte = 0; byte < 256; byte++) {
    // Without `stream` Node 20 decodes windows-1252 as Latin-1; with it, half a character gives no text.
    const read = new TextDecoder(name).decode(Uint8Array.of(byte), { stream: true });
    const character = withOwnControls(name, read);
    if (character.length !== 1) return new Map();
    if (character !== '\uFFFD' && encode(character)[0] !== byte) exceptions.set(character, byte);
  }
  return exceptions.set('\uFFFD', QUESTION_MARK);
}

function isKnownToNode(name: string): boolean {
  try {
    return new TextDecoder(name).encoding === name;
  } catch {
    return false;
  }
}
