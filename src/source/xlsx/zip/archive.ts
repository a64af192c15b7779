import type { FileHandle } from 'node:fs/promises';
import {
  fromFdPromise,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  type Entry,
  type ZipFile,
  RandomAccessReader,
} from 'yauzl';
import type { InputPlace } from '../../../core/errors.js';
import { openFile } from './container.js';
import { fail, SAVE_AGAIN, shownPart } from '../errors.js';
import { LIMITS } from '../limits.js';
import { checkPart, inflatePart, type PartKind } from './part.js';
import { read as readBytes } from 'node:fs';

const CUT_OFF = 'the file is cut off or damaged. Copy or download it again.';

/**
 * An open zip file. Its parts are found by the central directory, so that their order does not matter.
 * The descriptor is ours: yauzl reads from it and never closes it.
 */
export class Archive {
  private constructor(
    readonly place: InputPlace,
    /** Size of the file in bytes. */
    readonly bytes: number,
    private readonly handle: FileHandle,
    private readonly zip: ZipFile,
    private readonly entries: Entries,
  ) {}

  /** Opens the file and reads the zip's directory. */
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

  close(): Promise<void> {
    return this.handle.close();
  }

  /** Names of all parts. */
  names(): ReadonlySet<string> {
    return new Set([...this.entries.keys()].filter((key) => !key.startsWith('/')));
  }

  has(name: string): boolean {
    return this.named(name).length > 0;
  }

  /** Compressed size of a part; 0 when it is absent. */
  compressedBytes(name: string): number {
    return this.named(name)[0]?.compressedSize ?? 0;
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
      fail('broken_zip', `its part ${shownPart(name)} is not whole: ${CUT_OFF}`, this.place);
  }

  /**
   * The inflated bytes of a part, piece by piece. Length, checksum and limits are checked on the way.
   * `onRead` is called with how many compressed bytes of the part have been read so far.
   */
  async *read(
    name: string,
    kind: PartKind,
    onRead?: (bytes: number) => void,
  ): AsyncGenerator<Buffer> {
    const entry = this.find(name);
    const start = await this.dataStart(entry, name);
    yield* inflatePart(this.handle, start, entry, { name, kind, place: this.place }, onRead);
  }

  private find(name: string): Entry {
    const [entry, second] = this.named(name);
    if (entry === undefined)
      fail(
        'missing_part',
        `the workbook lacks its part ${shownPart(name)}. ${SAVE_AGAIN}`,
        this.place,
      );
    if (second !== undefined)
      fail(
        'broken_zip',
        `the workbook holds its part ${shownPart(name)} twice. ${SAVE_AGAIN}`,
        this.place,
      );
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
      fail(
        'broken_zip',
        `its part ${shownPart(name)} cannot be found: ${CUT_OFF}`,
        this.place,
        error,
      );
    }
  }
}

/** Entries by their names, and by their names in lower case; more than one where a name occurs twice. */
type Entries = ReadonlyMap<string, readonly Entry[]>;

/** Part names have slashes, and none in front. */
function partKey(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '');
}

/** Name without regard to case; no other name begins with a slash. */
function folded(key: string): string {
  return `/${key.toLowerCase()}`;
}

const OPTIONS = { autoClose: false, decodeStrings: false, validateEntrySizes: false } as const;

async function readEnd(handle: FileHandle, size: number, place: InputPlace): Promise<ZipFile> {
  try {
    return await fromFdPromise(handle.fd, OPTIONS);
  } catch (error) {
    return (await readEarlierEnd(handle, size)) ?? failCutOff(place, error);
  }
}

/** Bytes behind the end, as some transfers add them, do no harm where the zip before them is whole. */
async function readEarlierEnd(handle: FileHandle, size: number): Promise<ZipFile | null> {
  const end = await findEnd(handle, size);
  if (end === null || end === size) return null;
  return fromRandomAccessReaderPromise(new FileReader(handle), end, OPTIONS).catch(() => null);
}

function failCutOff(place: InputPlace, cause: unknown): never {
  fail('truncated_zip', `the end of the zip container is missing: ${CUT_OFF}`, place, cause);
}

async function readDirectory(zip: ZipFile, place: InputPlace): Promise<Entries> {
  if (zip.entryCount > LIMITS.parts)
    fail('too_large', `the zip container holds more than ${LIMITS.parts} parts.`, place);
  const entries = new Map<string, Entry[]>();
  const add = (key: string, entry: Entry) => entries.set(key, [...(entries.get(key) ?? []), entry]);
  try {
    for await (const entry of zip.eachEntry()) {
      const key = partKey(nameOf(entry));
      add(key, entry);
      add(folded(key), entry);
    }
  } catch (error) {
    fail(
      'broken_zip',
      `the directory of the zip container cannot be read: ${CUT_OFF}`,
      place,
      error,
    );
  }
  return entries;
}

function nameOf(entry: Entry): string {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
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
    if (end <= tail.length && isEndRecord(tail.subarray(at, end), start + at)) {
      const whole = start + end + tail.readUInt16LE(at + AT.commentLength);
      return whole <= size ? whole : null;
    }
    if (at === 0) break;
  }
  return null;
}

function isEndRecord(record: Buffer, position: number): boolean {
  const from = record.readUInt32LE(AT.directoryStart);
  const length = record.readUInt32LE(AT.directorySize);
  return from === IN_ZIP64 || length === IN_ZIP64 || from + length === position;
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
