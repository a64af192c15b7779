/** An element name as it stands in the XML, and without its prefix. */
export interface Name {
  readonly bytes: Buffer;
  readonly local: string;
}

const SLOTS = 512;
const COLON = 0x3a;

/**
 * Names seen before, so that the same few element names are not decoded millions of times. A slot holds the latest
 * name that fell into it, so that a file with endless different names takes no memory.
 */
export class Names {
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

/** Whether the bytes are this name. */
export function isNamed({ bytes }: Name, buffer: Buffer, from: number, to: number): boolean {
  const { length } = bytes;
  if (length !== to - from) return false;
  for (let i = 0; i < length; i++) if (bytes[i] !== buffer[from + i]) return false;
  return true;
}

function read(buffer: Buffer, from: number, to: number): Name {
  const bytes = Buffer.from(buffer.subarray(from, to));
  return { bytes, local: bytes.subarray(bytes.indexOf(COLON) + 1).toString() };
}
