import type { FileHandle } from 'node:fs/promises';
import { fromFdPromise, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl';
import type { InputPlace } from '../../core/errors.js';
import { openFile } from './container.js';
import { fail, SAVE_AGAIN } from './fault.js';
import { LIMITS } from './limits.js';
import { inflatePart, type PartKind } from './part.js';

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
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly ambiguous: ReadonlySet<string>,
  ) {}

  /** Opens the file and reads the zip's directory. */
  static async open(file: string): Promise<Archive> {
    const place = { file };
    const handle = await openFile(file);
    try {
      const { size } = await handle.stat();
      const zip = await readEnd(handle, place);
      const { entries, ambiguous } = await readDirectory(zip, place);
      return new Archive(place, size, handle, zip, entries, ambiguous);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  /** Names of the parts, in lower case, with slashes, without a leading one. */
  names(): Iterable<string> {
    return this.entries.keys();
  }

  has(name: string): boolean {
    return this.entries.has(partKey(name));
  }

  /** Compressed size of a part; 0 when it is absent. */
  compressedBytes(name: string): number {
    return this.entries.get(partKey(name))?.compressedSize ?? 0;
  }

  /**
   * The inflated bytes of a part, piece by piece. Length, checksum and limits are checked on the way.
   * `onRead` is told how many compressed bytes of the part have been read so far.
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
    const key = partKey(name);
    const entry = this.entries.get(key);
    if (entry === undefined)
      fail('missing_part', `the workbook lacks its part ${name}. ${SAVE_AGAIN}`, this.place);
    if (this.ambiguous.has(key))
      fail('broken_zip', `the workbook holds its part ${name} twice. ${SAVE_AGAIN}`, this.place);
    return entry;
  }

  private async dataStart(entry: Entry, name: string): Promise<number> {
    try {
      return (await this.zip.readLocalFileHeaderPromise(entry, { minimal: true })).fileDataStart;
    } catch (error) {
      fail('broken_zip', `its part ${name} cannot be found: ${CUT_OFF}`, this.place, error);
    }
  }
}

/** Part names are compared without regard to case and to the kind or number of leading slashes. */
export function partKey(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

async function readEnd(handle: FileHandle, place: InputPlace): Promise<ZipFile> {
  try {
    return await fromFdPromise(handle.fd, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    });
  } catch (error) {
    fail('truncated_zip', `the end of the zip container is missing: ${CUT_OFF}`, place, error);
  }
}

async function readDirectory(zip: ZipFile, place: InputPlace) {
  if (zip.entryCount > LIMITS.parts)
    fail('too_large', `the zip container holds more than ${LIMITS.parts} parts.`, place);
  const entries = new Map<string, Entry>();
  const ambiguous = new Set<string>();
  try {
    for await (const entry of zip.eachEntry()) {
      const key = partKey(nameOf(entry));
      if (entries.has(key)) ambiguous.add(key);
      entries.set(key, entry);
    }
  } catch (error) {
    fail(
      'broken_zip',
      `the directory of the zip container cannot be read: ${CUT_OFF}`,
      place,
      error,
    );
  }
  return { entries, ambiguous };
}

function nameOf(entry: Entry): string {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}
