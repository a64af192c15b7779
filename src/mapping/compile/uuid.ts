import { hash } from 'node:crypto';

/** Namespace of cardline's UUIDs; never to be changed, since rows are recognised by them from one run to the next. */
export const NAMESPACE = '6f3b1c52-8a0e-4d57-9c41-2e5d7a90b3f8';

const NAMESPACE_BYTES = 16;
const LONGEST_CHARACTER = 3;
/** The four variants that may follow from the two highest bits `10`. */
const VARIANT = ['8', '9', 'a', 'b'] as const;

let buffer = withNamespace(512);

/** UUIDv5 (RFC 9562) of a name in cardline's namespace. */
export function uuidOf(name: string): string {
  if (NAMESPACE_BYTES + name.length * LONGEST_CHARACTER > buffer.length) {
    buffer = withNamespace(NAMESPACE_BYTES + name.length * LONGEST_CHARACTER);
  }
  const end = NAMESPACE_BYTES + buffer.write(name, NAMESPACE_BYTES, 'utf8');
  const hex = hash('sha1', buffer.subarray(0, end), 'hex');
  const variant = VARIANT[Number.parseInt(hex.charAt(16), 16) & 3] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
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
    for (const { before, index } of order) text += before + JSON.stringify(values[index] ?? null);
    return `${text}}`;
  };
}
