import { UsageError } from '../../core/errors.js';

/** Turns text into bytes of one encoding. */
export type Encode = (text: string) => Uint8Array;

const QUESTION_MARK = 0x3f;

/**
 * The encoder for an encoding label such as `windows-1251`: UTF-8, UTF-16LE, UTF-16BE and every single-byte encoding
 * that Node can decode. A character that the encoding lacks becomes `?`.
 * @throws UsageError when the encoding is not one of these.
 */
export function encoderFor(label: string): Encode {
  const name = canonical(label);
  if (name === 'utf-8') return (text) => Buffer.from(text, 'utf8');
  if (name === 'utf-16le') return (text) => Buffer.from(text, 'utf16le');
  if (name === 'utf-16be') return (text) => Buffer.from(text, 'utf16le').swap16();
  return singleByteEncoder(name);
}

/** Whether the encoding is one of two bytes for a character, which nobody finds out without a byte order mark. */
export function isUtf16(label: string): boolean {
  return canonical(label).startsWith('utf-16');
}

function canonical(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    throw new UsageError(`"${label}" is no encoding that can be written.`, { cause: error });
  }
}

function singleByteEncoder(name: string): Encode {
  const bytes = tableOf(name);
  return (text) => {
    const encoded = Buffer.allocUnsafe(text.length);
    let length = 0;
    for (const character of text) {
      encoded[length] = bytes.get(character) ?? QUESTION_MARK;
      length += 1;
    }
    return encoded.subarray(0, length);
  };
}

/** Found by decoding each byte, so that encoding is the exact reverse of how Node reads the file. */
function tableOf(name: string): Map<string, number> {
  const table = new Map<string, number>();
  for (let byte = 0; byte < 256; byte += 1) {
    // Without `stream` Node 20 decodes windows-1252 as Latin-1; with it, an incomplete sequence gives no text.
    const character = new TextDecoder(name).decode(Uint8Array.of(byte), { stream: true });
    if (character.length !== 1) {
      throw new UsageError(`${name} cannot be written. Convert the file to UTF-8.`);
    }
    if (character !== '\uFFFD') table.set(character, byte);
  }
  return table;
}
