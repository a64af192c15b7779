import { createDeflateRaw, crc32, type DeflateRaw } from 'node:zlib';
import type { AtomicFile } from '../files/atomic-file.js';
import { OutputError } from '../files/output-error.js';

/** Fast: the texts of a workbook repeat themselves so much that more effort saves little. */
const LEVEL = 1;
/** What four bytes can tell; programs that open workbooks do not take the wider form for granted. */
const MOST_BYTES = 0xffffffff;
const DEFLATED = 8;
const VERSION = 20;
/** Length and checksum follow the data, since it is written before they are known; names are UTF-8. */
const FLAGS = 0x0808;
/** 1980-01-01, the first day that a zip knows: the same rows make the same file. */
const DATE = 0x0021;

interface Entry {
  readonly name: Buffer;
  readonly offset: number;
  checksum: number;
  packed: number;
  length: number;
}

/** A zip container that is written as its parts come, one after the other. Methods must be awaited in turn. */
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

  /** Adds bytes to the part at hand; resolves when what they became has been appended. */
  async write(bytes: Buffer): Promise<void> {
    const { entry, deflating } = this;
    if (!entry || !deflating) return;
    entry.length += bytes.length;
    entry.checksum = crc32(bytes, entry.checksum);
    await this.appendPacked(entry, await deflating.write(bytes));
  }

  /** Ends the part at hand. */
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

  /** Writes the directory: after it, the container is whole. */
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
    if (this.offset > MOST_BYTES || (this.entry?.length ?? 0) > MOST_BYTES)
      throw new OutputError(this.target.file, new Error('it would be larger than 4 GiB'));
    if (bytes.length > 0) await this.target.write(bytes);
  }
}

/** A stream that deflates, driven by hand, so that what is written is done with before more comes. */
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

/** What the local and the central header have in common, from the version that is needed to unpack on. */
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
