import { createDeflateRaw, crc32, type DeflateRaw } from 'node:zlib';
import type { AtomicFile } from '../files/atomic-file.js';
import { OutputError } from '../files/output-error.js';

/** The fastest level: the texts of a workbook repeat so much that a higher one saves little. */
const LEVEL = 1;
/** The largest size in four bytes; not every program that opens workbooks reads the 64-bit form of a zip. */
const MAX_BYTES = 0xffffffff;
const DEFLATED = 8;
const VERSION = 20;
/** Sizes and checksum follow the data, since they are not known before it is written; names are UTF-8. */
const FLAGS = 0x0808;
/** 1980-01-01, the first day of the format: the same rows make the same file. */
const DATE = 0x0021;

interface Entry {
  readonly name: Buffer;
  readonly offset: number;
  checksum: number;
  packed: number;
  length: number;
}

/** A zip container that is written part by part. Each call must be awaited before the next. */
export class ZipFile {
  private readonly entries: Entry[] = [];
  private offset = 0;
  private entry: Entry | undefined;
  private deflating: Deflating | undefined;

  constructor(private readonly target: AtomicFile) {}

  /** Begins a part. */
  async begin(name: string): Promise<void> {
    const entry = {
      name: Buffer.from(name),
      offset: this.offset,
      checksum: 0,
      packed: 0,
      length: 0,
    };
    this.entry = entry;
    this.deflating = new Deflating();
    await this.append(Buffer.concat([localHeader(entry), entry.name]));
  }

  /** Adds bytes to the current part; resolves when they are compressed and appended. */
  async write(bytes: Buffer): Promise<void> {
    const { entry, deflating } = this;
    if (!entry || !deflating) return;
    entry.length += bytes.length;
    entry.checksum = crc32(bytes, entry.checksum);
    await this.appendPacked(entry, await deflating.write(bytes));
  }

  /** Ends the current part. */
  async end(): Promise<void> {
    const { entry, deflating } = this;
    if (!entry || !deflating) return;
    await this.appendPacked(entry, await deflating.end());
    await this.append(descriptor(entry));
    this.entries.push(entry);
    this.entry = undefined;
  }

  /** Writes a part at once. */
  async add(name: string, text: string): Promise<void> {
    await this.begin(name);
    await this.write(Buffer.from(text));
    await this.end();
  }

  /** Writes the directory, which completes the container. */
  async finish(): Promise<void> {
    const start = this.offset;
    for (const entry of this.entries)
      await this.append(Buffer.concat([centralHeader(entry), entry.name]));
    await this.append(endOfDirectory(this.entries.length, this.offset - start, start));
  }

  private async appendPacked(entry: Entry, bytes: Buffer): Promise<void> {
    entry.packed += bytes.length;
    await this.append(bytes);
  }

  private async append(bytes: Buffer): Promise<void> {
    this.offset += bytes.length;
    if (this.offset > MAX_BYTES || (this.entry?.length ?? 0) > MAX_BYTES)
      throw new OutputError(this.target.file, new Error('it would be larger than 4 GiB'));
    if (bytes.length > 0) await this.target.write(bytes);
  }
}

/** A deflate stream that is awaited write by write, so that memory is bounded. */
class Deflating {
  private readonly stream: DeflateRaw = createDeflateRaw({ level: LEVEL });
  private packed: Buffer[] = [];

  constructor() {
    this.stream.on('data', (bytes: Buffer) => this.packed.push(bytes));
  }

  write(bytes: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.stream.write(bytes, (error) => {
        if (error) reject(error);
        else resolve(this.take());
      });
    });
  }

  end(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.stream.once('error', reject).once('end', () => resolve(this.take()));
      this.stream.end();
    });
  }

  private take(): Buffer {
    const packed = Buffer.concat(this.packed);
    this.packed = [];
    return packed;
  }
}

/** The fields that the local and the central header share, beginning with the version needed to unpack. */
function common({ name }: Entry, numbers: Pick<Entry, 'checksum' | 'packed' | 'length'>): Buffer {
  const bytes = Buffer.alloc(26);
  bytes.writeUInt16LE(VERSION, 0);
  bytes.writeUInt16LE(FLAGS, 2);
  bytes.writeUInt16LE(DEFLATED, 4);
  bytes.writeUInt16LE(DATE, 8);
  bytes.writeUInt32LE(numbers.checksum, 10);
  bytes.writeUInt32LE(numbers.packed, 14);
  bytes.writeUInt32LE(numbers.length, 18);
  bytes.writeUInt16LE(name.length, 22);
  return bytes;
}

function localHeader(entry: Entry): Buffer {
  const none = { checksum: 0, packed: 0, length: 0 };
  return Buffer.concat([Buffer.from('PK\x03\x04'), common(entry, none)]);
}

function centralHeader(entry: Entry): Buffer {
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(entry.offset, 10);
  return Buffer.concat([
    Buffer.from('PK\x01\x02'),
    Buffer.of(VERSION, 0),
    common(entry, entry),
    tail,
  ]);
}

function descriptor({ checksum, packed, length }: Entry): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.write('PK\x07\x08', 'latin1');
  bytes.writeUInt32LE(checksum, 4);
  bytes.writeUInt32LE(packed, 8);
  bytes.writeUInt32LE(length, 12);
  return bytes;
}

function endOfDirectory(count: number, size: number, offset: number): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.write('PK\x05\x06', 'latin1');
  bytes.writeUInt16LE(count, 8);
  bytes.writeUInt16LE(count, 10);
  bytes.writeUInt32LE(size, 12);
  bytes.writeUInt32LE(offset, 16);
  return bytes;
}
