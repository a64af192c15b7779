import { isUtf8 } from 'node:buffer';
import { UsageError } from '../../core/errors.js';
import { guessUtf16 } from './utf16.js';

/** How the bytes of a text file become text. */
export interface Encoding {
  /** Label of the WHATWG encoding standard. */
  readonly label: string;
  /** Length of the byte order mark at the beginning; 0 when there is none. */
  readonly bomBytes: number;
  /** Whether it was found in the sample; else the person named it. */
  readonly guessed: boolean;
}

const BOMS: readonly (readonly [label: string, bytes: Buffer])[] = [
  ['utf-8', Buffer.of(0xef, 0xbb, 0xbf)],
  ['utf-16le', Buffer.of(0xff, 0xfe)],
  ['utf-16be', Buffer.of(0xfe, 0xff)],
];

/**
 * The encoding of a text by its first bytes: byte order mark, then valid UTF-8, then UTF-16, then the best of
 * windows-1251, koi8-r and windows-1252. `undefined` when it is no text.
 * @param wanted a label, or `auto`; a byte order mark is skipped when it fits the label
 * @throws UsageError when the label is unknown
 */
export async function findEncoding(head: Buffer, wanted: string): Promise<Encoding | undefined> {
  const bom = BOMS.find(([, bytes]) => head.subarray(0, bytes.length).equals(bytes));
  if (wanted !== 'auto') {
    const label = /^utf-?16$/i.test(wanted) && bom ? bom[0] : canonicalLabel(wanted);
    return { label, bomBytes: bom?.[0] === label ? bom[1].length : 0, guessed: false };
  }
  if (bom) return { label: bom[0], bomBytes: bom[1].length, guessed: true };
  const label = await guess(head);
  return label === undefined ? undefined : { label, bomBytes: 0, guessed: true };
}

async function guess(head: Buffer): Promise<string | undefined> {
  if (head.includes(0)) return guessUtf16(head);
  if (isUtf8(head.subarray(0, utf8Border(head)))) return 'utf-8';
  // Most files need none of it.
  return (await import('./single-byte.js')).guessSingleByte(head);
}

/** Where the last whole UTF-8 character ends: at most 3 bytes before the end. */
export function utf8Border(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? bytes.length - back : bytes.length;
    }
    if (byte < 0x80) break;
  }
  return bytes.length;
}

function canonicalLabel(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (cause) {
    const known = 'auto, utf-8, utf-16le, utf-16be, windows-1251, windows-1252 or koi8-r';
    throw new UsageError(`unknown encoding "${label}". Use ${known}.`, { cause });
  }
}
