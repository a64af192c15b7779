import { InputError, type InputPlace } from '../core/errors.js';
import type { FileHandle } from 'node:fs/promises';
import {
  fromFdPromise,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  type Entry,
  type ZipFile,
  RandomAccessReader,
} from 'yauzl';
import { fail, failEncrypted, SAVE_AGAIN, shownName, LIMITS } from './xlsx/limits.js';
import { read as readBytes } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { openRegularFile } from '../files/regular-file.js';
import { readWhole } from './file.js';

/** Names of the parts of a zip file or of the streams of a compound file; none where it cannot be read. */
export async function namesInContainer(file: string): Promise<ReadonlySet<string>> {
  const { streams } = await beginningOf(file);
  return streams ?? ofZip<ReadonlySet<string>>(file, (archive) => archive.names(), new Set());
}

/** What the parts of a zip file unpack to at most, in bytes, since one that is longer than it says is refused; `Infinity` for what is none. */
export function bytesInZip(file: string): Promise<number> {
  return ofZip(file, (archive) => archive.unpackedSize(), Infinity);
}

/** What a zip file says of itself. Of one that cannot be read, the reader that opens it says what is wrong. */
async function ofZip<T>(file: string, about: (archive: Archive) => T, otherwise: T): Promise<T> {
  try {
    return await Archive.use(file, (archive) => Promise.resolve(about(archive)));
  } catch (error) {
    if (error instanceof InputError) return otherwise;
    throw error;
  }
}

const CUT_OFF = 'the file is cut off or damaged. Copy or download it again.';

/**
 * An open zip file. Its parts are found by the central directory, so that their order does not matter.
 * The descriptor is ours: yauzl reads from it and never closes it.
 */
export class Archive {
  private constructor(
    readonly place: InputPlace,
    readonly bytes: number,
    private readonly handle: FileHandle,
    private readonly zip: ZipFile,
    private readonly entries: Entries,
  ) {}

  static async open(file: string): Promise<Archive> {
    const place = { file };
    const handle = await openFile(file);
    try {
      const { size } = await handle.stat();
      const zip = await readEnd(handle, size, place);
      return new Archive(place, size, handle, zip, await readDirectory(zip, place));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  static async use<T>(file: string, work: (archive: Archive) => Promise<T>): Promise<T> {
    const archive = await Archive.open(file);
    try {
      return await work(archive);
    } finally {
      await archive.close();
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  /** Reads parts whole, for the errors that they may end with; absent ones are passed over. */
  async verify(parts: Iterable<readonly [name: string, kind: PartKind]>): Promise<void> {
    for (const [name, kind] of parts) if (this.has(name)) await readWhole(this.read(name, kind));
  }

  /** Tells how much of the file has been read by what is read of some parts: pictures and other sheets do not count. */
  progress(parts: readonly string[], onBytes: (bytes: number) => void): (bytes: number) => void {
    const total = Math.max(this.compressedBytes(parts), 1);
    let read = 0;
    return (bytes) => {
      read += bytes;
      onBytes(Math.floor((this.bytes * read) / total));
    };
  }

  /** Size of all parts when they are inflated, as the directory says. */
  unpackedSize(): number {
    const entries = new Set([...this.entries.values()].flat());
    return [...entries].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  }

  names(): ReadonlySet<string> {
    return new Set([...this.entries.keys()].filter((key) => !key.startsWith('/')));
  }

  has(name: string): boolean {
    return this.named(name).length > 0;
  }

  /** Compressed size of parts; that of an absent one is 0. */
  compressedBytes(names: readonly string[]): number {
    return names.reduce((sum, name) => sum + (this.named(name)[0]?.compressedSize ?? 0), 0);
  }

  /** Size of a part when it is inflated, as the directory says; 0 when it is absent. */
  unpackedBytes(name: string): number {
    return this.named(name)[0]?.uncompressedSize ?? 0;
  }

  /** Makes sure that a part is there, once, with all of its bytes within the file, and says of itself that it is sane. */
  async probe(name: string, kind: PartKind): Promise<void> {
    const entry = this.find(name);
    checkPart(entry, { name, kind, place: this.place });
    const start = await this.dataStart(entry, name);
    if (start + entry.compressedSize > this.bytes)
      fail('broken_zip', `its part ${shownName(name)} is not whole: ${CUT_OFF}`, this.place);
  }

  /**
   * The inflated bytes of a part, piece by piece. Length, checksum and limits are checked on the way.
   * `onRead` is called with how many compressed bytes of the part have been read since.
   * @throws InputError as `checkPart`, `broken_zip`
   */
  async *read(
    name: string,
    kind: PartKind,
    onRead?: (bytes: number) => void,
  ): AsyncGenerator<Buffer> {
    const entry = this.find(name);
    const start = await this.dataStart(entry, name);
    const part = { name, kind, place: this.place };
    const maxLength = checkPart(entry, part);
    const raw = readRange(this.handle, start, start + entry.compressedSize, onRead);
    let [length, checksum] = [0, 0];
    for await (const piece of entry.compressionMethod === STORED ? raw : inflated(raw, part)) {
      length += piece.length;
      if (length > maxLength) failBomb(part);
      if (length > entry.uncompressedSize) failBroken(part, 'is longer than it says');
      checksum = crc32(piece, checksum);
      yield piece;
    }
    if (length !== entry.uncompressedSize) failBroken(part, 'is shorter than it says');
    if (checksum !== entry.crc32) failBroken(part, 'does not match its checksum');
  }

  private find(name: string): Entry {
    const [entry, second] = this.named(name);
    const shown = shownName(name);
    if (entry === undefined)
      fail('missing_part', `the workbook lacks its part ${shown}. ${SAVE_AGAIN}`, this.place);
    if (second !== undefined)
      fail('broken_zip', `the workbook holds its part ${shown} twice. ${SAVE_AGAIN}`, this.place);
    return entry;
  }

  /** The entries of a name: of just this one, else of the same without regard to case, which parts may differ in. */
  private named(name: string): readonly Entry[] {
    const key = partKey(name);
    return this.entries.get(key) ?? this.entries.get(folded(key)) ?? [];
  }

  private async dataStart(entry: Entry, name: string): Promise<number> {
    try {
      return (await this.zip.readLocalFileHeaderPromise(entry, { minimal: true })).fileDataStart;
    } catch (error) {
      const reason = `its part ${shownName(name)} cannot be found: ${CUT_OFF}`;
      fail('broken_zip', reason, this.place, error);
    }
  }
}

/** Entries by their names, and by their names in lower case; more than one where a name occurs twice. */
type Entries = ReadonlyMap<string, readonly Entry[]>;

/** Part names have slashes, and none in front. */
const partKey = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '');

/** Name without regard to case; no other name begins with a slash. */
const folded = (key: string): string => `/${key.toLowerCase()}`;

const OPTIONS = { autoClose: false, decodeStrings: false, validateEntrySizes: false } as const;

async function readEnd(handle: FileHandle, size: number, place: InputPlace): Promise<ZipFile> {
  try {
    return await fromFdPromise(handle.fd, OPTIONS);
  } catch (error) {
    // Bytes behind the end, as some transfers add them, do no harm where the zip before them is whole.
    const end = await findEnd(handle, size);
    const opening =
      end === null || end === size
        ? null
        : fromRandomAccessReaderPromise(new FileReader(handle), end, OPTIONS).catch(() => null);
    const reason = `the end of the zip container is missing: ${CUT_OFF}`;
    return (await opening) ?? fail('truncated_zip', reason, place, error);
  }
}

async function readDirectory(zip: ZipFile, place: InputPlace): Promise<Entries> {
  if (zip.entryCount > LIMITS.parts)
    fail('too_large', `the zip container holds more than ${LIMITS.parts} parts.`, place);
  const entries = new Map<string, Entry[]>();
  const add = (key: string, entry: Entry) => entries.set(key, [...(entries.get(key) ?? []), entry]);
  try {
    for await (const entry of zip.eachEntry()) {
      const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
      const key = partKey(
        getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false),
      );
      add(key, entry);
      add(folded(key), entry);
    }
  } catch (error) {
    const reason = `the directory of the zip container cannot be read: ${CUT_OFF}`;
    fail('broken_zip', reason, place, error);
  }
  return entries;
}

const SIGNATURE = Buffer.from('504b0506', 'hex');
/** Length of the end record without its comment, and where things stand in it (APPNOTE 4.3.16). */
const RECORD = 22;
const AT = { directorySize: 12, directoryStart: 16, commentLength: 20 } as const;
/** Stands for a number that only the record for large files holds. */
const IN_ZIP64 = 0xffffffff;
/** Bytes behind the end that are looked through: mail programs and transfers add kilobytes. */
const MAX_TAIL = 2 ** 20;

/** Where a zip ends that other bytes follow, with a directory that lies before its end record; `null`: nowhere. */
async function findEnd(handle: FileHandle, size: number): Promise<number | null> {
  const start = Math.max(0, size - MAX_TAIL);
  const tail = Buffer.alloc(size - start);
  await handle.read(tail, 0, tail.length, start);
  for (let at = tail.lastIndexOf(SIGNATURE); at >= 0; at = tail.lastIndexOf(SIGNATURE, at - 1)) {
    const end = at + RECORD;
    if (end <= tail.length) {
      const from = tail.readUInt32LE(at + AT.directoryStart);
      const length = tail.readUInt32LE(at + AT.directorySize);
      const whole = start + end + tail.readUInt16LE(at + AT.commentLength);
      if (from === IN_ZIP64 || length === IN_ZIP64 || from + length === start + at)
        return whole <= size ? whole : null;
    }
    if (at === 0) break;
  }
  return null;
}

/** Lets yauzl read a file whose zip ends before the file does. Only reads at a position are needed of it. */
class FileReader extends RandomAccessReader {
  constructor(private readonly handle: FileHandle) {
    super();
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    readBytes(this.handle.fd, buffer, offset, length, position, (error) => {
      callback(error);
    });
  }
}

export type PartKind = 'structure' | 'sharedStrings' | 'sheet';

interface PartOf {
  readonly name: string;
  readonly kind: PartKind;
  readonly place: InputPlace;
}

const STORED = 0;
const DEFLATED = 8;
/** Large pieces: fewer trips to the thread that inflates while this one reads cells. */
const PIECE = 2 ** 17;

/** Checks what the directory says of a part, and tells how many bytes it may inflate to. @throws InputError */
function checkPart(entry: Entry, part: PartOf): number {
  const { name, kind, place } = part;
  if (entry.isEncrypted())
    fail('encrypted', 'the zip container is encrypted. Save it without a password.', place);
  const { compressionMethod: method } = entry;
  if (method !== STORED && method !== DEFLATED) {
    const reason = `its part ${shownName(name)} is compressed in a way (${method}) that is not known here. ${SAVE_AGAIN}`;
    fail('unsupported_compression', reason, place);
  }
  const absolute = LIMITS[`${kind}Bytes`];
  if (entry.uncompressedSize > absolute)
    fail('too_large', `its part ${shownName(name)} is larger than ${absolute} bytes.`, place);
  const ratio = Math.max(LIMITS.freeBytes, LIMITS.ratio * entry.compressedSize);
  if (entry.uncompressedSize > ratio) failBomb(part);
  return Math.min(absolute, ratio);
}

async function* inflated(raw: AsyncIterable<Buffer>, part: PartOf): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: PIECE });
  // Errors of either stream reach the one who iterates, since `pipeline` destroys the last stream with them.
  const pieces = pipeline(Readable.from(raw, { objectMode: false }), inflate, () => undefined);
  try {
    for await (const piece of pieces) if (Buffer.isBuffer(piece)) yield piece;
  } catch (error) {
    const reason = `its part ${shownName(part.name)} cannot be inflated: the file is damaged. Copy it again.`;
    fail('broken_zip', reason, part.place, error);
  }
}

/** The bytes of the file in a range. A stream of the handle would close the descriptor when it ends. */
async function* readRange(
  handle: FileHandle,
  start: number,
  end: number,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for (let at = start; at < end;) {
    const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE, end - at));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    onRead?.(bytesRead);
    yield buffer.subarray(0, bytesRead);
  }
}

function failBomb({ name, place }: PartOf): never {
  const reason = `its part ${shownName(name)} inflates to more than ${LIMITS.ratio} times its size, as a zip bomb does. ${SAVE_AGAIN}`;
  fail('zip_bomb', reason, place);
}

function failBroken({ name, place }: PartOf, what: string): never {
  const reason = `its part ${shownName(name)} ${what}: the file is damaged. Copy it again.`;
  fail('broken_zip', reason, place);
}

const ZIP_MAGIC = Buffer.from('PK');

/**
 * Looks at the first bytes, so that a file that is no zip container is refused with what it is.
 * @throws InputError `encrypted`, `not_a_workbook`, `not_a_zip`, `empty_file`, `cannot_open`.
 */
export async function checkContainer(file: string): Promise<void> {
  const place = { file };
  const { head, streams } = await beginningOf(file);
  if (head.length === 0) fail('empty_file', 'the file is empty.', place);
  if (streams?.has('EncryptedPackage')) failEncrypted(place);
  const old = `the file is an old Office document, not a workbook. ${SAVE_AGAIN}`;
  if (streams) fail('not_a_workbook', old, place);
  if (!head.subarray(0, 2).equals(ZIP_MAGIC))
    fail('not_a_zip', `the file is not an .xlsx workbook. ${SAVE_AGAIN}`, place);
}

/** The first bytes of a file, and where it is a compound file the names of its streams. */
async function beginningOf(file: string) {
  const handle = await openFile(file);
  try {
    const head = await read(handle, 0, OLE_MAGIC.length);
    return { head, streams: head.equals(OLE_MAGIC) ? await readOleNames(handle) : undefined };
  } finally {
    await handle.close();
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await openRegularFile(file);
  } catch (error) {
    const reason = 'the file cannot be opened. Check its name and whether you may read it.';
    fail('cannot_open', reason, { file }, error);
  }
}

/** First bytes of a compound file: what Office wrote before 2007, and what wraps an encrypted workbook. */
const OLE_MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');

const HEADER = 512;
const DIRECTORY_ENTRY = 128;
const NAME_LENGTH_AT = 64;
/** Offsets in the header ([MS-CFB] 2.2). */
const OLE_AT = { sectorShift: 30, firstDirectory: 48, fatSectors: 76 } as const;
const FAT_SECTORS_IN_HEADER = 109;
const LAST_SECTOR = 0xfffffffa;
/** Enough for the streams of any workbook; a chain may also go round in a circle. */
const MAX_SECTORS = 256;

/** Names of the streams in a compound file, as far as its directory can be read. */
async function readOleNames(handle: FileHandle): Promise<Set<string>> {
  const header = await read(handle, 0, HEADER);
  const names = new Set<string>();
  if (header.length < HEADER) return names;
  const size = 2 ** Math.min(header.readUInt16LE(OLE_AT.sectorShift), 12);
  let sector = header.readUInt32LE(OLE_AT.firstDirectory);
  for (let count = 0; count < MAX_SECTORS && sector < LAST_SECTOR; count++) {
    const directory = await read(handle, (sector + 1) * size, size);
    for (let at = 0; at + DIRECTORY_ENTRY <= directory.length; at += DIRECTORY_ENTRY) {
      const length = directory.readUInt16LE(at + NAME_LENGTH_AT);
      if (length >= 2 && length <= NAME_LENGTH_AT)
        names.add(directory.toString('utf16le', at, at + length - 2));
    }
    const perFat = size / 4;
    const fat = Math.floor(sector / perFat);
    if (fat >= FAT_SECTORS_IN_HEADER) break;
    const fatSector = header.readUInt32LE(OLE_AT.fatSectors + fat * 4);
    const entry = await read(handle, (fatSector + 1) * size + (sector % perFat) * 4, 4);
    if (entry.length < 4) break;
    sector = entry.readUInt32LE(0);
  }
  return names;
}

async function read(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/**
 * How much the rows of a workbook may hold in all, measured by the parts that they are read from. One text can be
 * referred to by millions of cells, one cell far to the right makes a row of thousands, and a row that is like the one
 * before takes next to nothing.
 */
export class Allowance {
  private content: number;
  private gaps: number;
  private rows: number;

  /** @param bytes compressed size of the parts */
  constructor(bytes: number) {
    this.content = Math.max(LIMITS.freeBytes, LIMITS.rowsRatio * bytes);
    this.gaps = Math.max(LIMITS.freeGaps, LIMITS.gapsRatio * bytes);
    this.rows = Math.max(LIMITS.freeRows, LIMITS.rowCountRatio * bytes);
  }

  /**
   * Takes a row from it; false when there is not enough left.
   * @param characters of its cells
   * @param cells up to its last one that is not empty
   * @param gaps how many of these are empty
   */
  spend(characters: number, cells: number, gaps: number): boolean {
    this.content -= characters + cells;
    this.gaps -= gaps;
    this.rows--;
    return this.content >= 0 && this.gaps >= 0 && this.rows >= 0;
  }
}
