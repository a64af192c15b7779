import { read as readBytes } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { RandomAccessReader } from 'yauzl';

const SIGNATURE = Buffer.from('504b0506', 'hex');
/** Length of the end record without its comment, and where things stand in it (APPNOTE 4.3.16). */
const RECORD = 22;
const AT = { directorySize: 12, directoryStart: 16, commentLength: 20 } as const;
/** Stands for a number that only the record for large files holds. */
const IN_ZIP64 = 0xffffffff;
/** Bytes behind the end that are looked through: mail programs and transfers add kilobytes. */
const MAX_TAIL = 2 ** 20;

/** Where a zip ends that other bytes follow, with a directory that lies before its end record; `null`: nowhere. */
export async function findEnd(handle: FileHandle, size: number): Promise<number | null> {
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
export class FileReader extends RandomAccessReader {
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
