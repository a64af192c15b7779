import { DEFAULT_FORMAT, INPUT_FORMATS, traitsOf, type InputFormat } from './formats.js';

/** What a file is by its first bytes. */
export type Kind =
  /** Input files; of several formats that begin alike, what the container holds decides. */
  | { readonly kind: 'input'; readonly formats: readonly InputFormat[] }
  | { readonly kind: 'gzip' }
  /** Something known that is no spreadsheet; `name` says what. */
  | { readonly kind: 'other'; readonly name: string; readonly packed: boolean };

/** Bytes that are enough to know it. */
export const SIGNATURE_BYTES = 64;

const GZIP = '1f8b';
const PACKED: readonly (readonly [magic: string, name: string])[] = [
  ['526172211a07', 'RAR archive'],
  ['377abcaf271c', '7-Zip archive'],
  ['425a68', 'bzip2 archive'],
  ['28b52ffd', 'zstd archive'],
  ['fd377a585a00', 'xz archive'],
  ['504b0506', 'empty ZIP archive'],
];
const OTHERS: readonly (readonly [magic: string, name: string])[] = [
  ['255044462d', 'PDF document'],
  ['89504e470d0a', 'PNG image'],
  ['ffd8ff', 'JPEG image'],
  ['47494638', 'GIF image'],
  ['7b5c727466', 'RTF document'],
  ['7f454c46', 'program'],
  ['4d5a90', 'program'],
  ['53514c69746520666f726d61742033', 'SQLite database'],
];
const MARKUP = /^(?:\ufeff|ï»¿)?\s*<(?:!doctype html|html|table|\?xml)[\s>]/i;

/** The kind of a file by its first `SIGNATURE_BYTES` bytes. */
export function signatureOf(head: Buffer): Kind {
  const hex = head.subarray(0, SIGNATURE_BYTES).toString('hex');
  const isOf = ([magic]: readonly [string, string]): boolean => hex.startsWith(magic);
  const text = head.subarray(0, SIGNATURE_BYTES).toString('latin1');
  const formats = INPUT_FORMATS.filter((each) => {
    const { signatures, begins } = traitsOf(each);
    return signatures.some((magic) => hex.startsWith(magic)) || begins?.test(text) === true;
  });
  if (formats.length > 0) return { kind: 'input', formats };
  if (hex.startsWith(GZIP)) return { kind: 'gzip' };
  const packed = PACKED.find(isOf);
  if (packed) return { kind: 'other', name: packed[1], packed: true };
  const other = OTHERS.find(isOf);
  if (other) return { kind: 'other', name: other[1], packed: false };
  if (MARKUP.test(text)) return { kind: 'other', name: 'page of HTML or XML', packed: false };
  return { kind: 'input', formats: [DEFAULT_FORMAT] };
}
