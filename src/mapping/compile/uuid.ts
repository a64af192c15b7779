import { hash } from 'node:crypto';
import { jsonOf } from '../../core/text.js';

/** Namespace of cardline's UUIDs; never to be changed, since rows are recognised by them from one run to the next. */
export const NAMESPACE = '6f3b1c52-8a0e-4d57-9c41-2e5d7a90b3f8';

const NAMESPACE_BYTES = 16;
const LONGEST_CHARACTER = 3;
/** Where the bytes of a UUID stand in its text, which is made here. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const [VERSION_BYTE, VARIANT_BYTE] = [PLACES[6], PLACES[8]];
const DIGITS = Buffer.from('0123456789abcdef');
const text = Buffer.alloc(36, '-');

let buffer = withNamespace(512);
/** Its beginnings by their length, each made once. */
let beginnings: Buffer[] = [];

/** UUIDv5 (RFC 9562) of a name in cardline's namespace. */
export function uuidOf(name: string): string {
  if (NAMESPACE_BYTES + name.length * LONGEST_CHARACTER > buffer.length) {
    buffer = withNamespace(NAMESPACE_BYTES + name.length * LONGEST_CHARACTER);
    beginnings = [];
  }
  const end = NAMESPACE_BYTES + buffer.write(name, NAMESPACE_BYTES, 'utf8');
  const bytes = (beginnings[end] ??= buffer.subarray(0, end));
  const digest = hash('sha1', bytes, 'binary');
  for (let index = 0; index < PLACES.length; index++) {
    const place = PLACES[index] ?? 0;
    let byte = digest.charCodeAt(index);
    if (place === VERSION_BYTE) byte = (byte & 0x0f) | 0x50;
    else if (place === VARIANT_BYTE) byte = (byte & 0x3f) | 0x80;
    text[place] = DIGITS[byte >> 4] ?? 0;
    text[place + 1] = DIGITS[byte & 0x0f] ?? 0;
  }
  // In one piece: one that is put together from slices of the digest takes several times the memory.
  return text.toString('latin1');
}

function withNamespace(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write(NAMESPACE.replaceAll('-', ''), 'hex');
  return bytes;
}

type Scalar = string | number | boolean | null;

/** Canonical JSON (RFC 8785) of an object with these names and scalar values, compiled for speed. */
export function canonicalJson(names: readonly string[]): (values: readonly Scalar[]) => string {
  const order = names
    .map((name, index) => ({ name, index }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, index }, place) => ({
      before: `${place === 0 ? '{' : ','}${JSON.stringify(name)}:`,
      index,
    }));
  return (values) => {
    let text = order.length === 0 ? '{' : '';
    for (const { before, index } of order) text += before + jsonOf(values[index] ?? null);
    return `${text}}`;
  };
}
