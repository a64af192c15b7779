import { crc32, deflateRawSync } from 'node:zlib';

/** A file to be put into a zip container. */
export interface ZipPart {
  readonly name: string;
  readonly data: string | Buffer;
  /** @default true */
  readonly deflate?: boolean;
  /** Stands in the directory in place of the right checksum. */
  readonly crc?: number;
  /** Stands in the directory in place of the right length of the data. */
  readonly length?: number;
  /** General purpose flags: bit 0 says encrypted. @default 0x800, names are UTF-8 */
  readonly flags?: number;
  /** Compression method that the directory claims. */
  readonly method?: number;
}

/** Bytes of a zip container with these parts in this order. */
export function zip(parts: readonly ZipPart[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const { local, central } = records(part, offset);
    bodies.push(local);
    directory.push(central);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  return Buffer.concat([...bodies, entries, end(parts.length, entries.length, offset)]);
}

function records(part: ZipPart, offset: number) {
  const data = Buffer.from(part.data);
  const body = part.deflate === false ? data : deflateRawSync(data);
  const name = Buffer.from(part.name);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(part.flags ?? 0x800, 2);
  common.writeUInt16LE(part.method ?? (part.deflate === false ? 0 : 8), 4);
  common.writeUInt32LE(part.crc ?? crc32(data), 10);
  common.writeUInt32LE(body.length, 14);
  common.writeUInt32LE(part.length ?? data.length, 18);
  common.writeUInt16LE(name.length, 22);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(offset, 10);
  return {
    local: Buffer.concat([Buffer.from('PK\x03\x04'), common, name, body]),
    central: Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, tail, name]),
  };
}

function end(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(22);
  record.write('PK\x05\x06', 'latin1');
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}
