import type { FileHandle } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import type { Entry } from 'yauzl';
import type { InputPlace } from '../../../core/errors.js';
import { fail, SAVE_AGAIN, shownPart } from '../errors.js';
import { LIMITS } from '../limits.js';

export type PartKind = 'structure' | 'sharedStrings' | 'sheet';

export interface PartOf {
  readonly name: string;
  readonly kind: PartKind;
  readonly place: InputPlace;
}

const STORED = 0;
const DEFLATED = 8;
/** Large pieces: fewer trips to the thread that inflates while this one reads cells. */
const PIECE = 2 ** 17;

/**
 * Inflates one entry of the zip from `start` on, piece by piece.
 * @throws InputError `encrypted`, `unsupported_compression`, `too_large`, `zip_bomb`, `broken_zip`.
 */
export async function* inflatePart(
  handle: FileHandle,
  start: number,
  entry: Entry,
  part: PartOf,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const maxLength = checkPart(entry, part);
  let length = 0;
  let checksum = 0;
  for await (const piece of pieces(handle, start, entry, part, onRead)) {
    length += piece.length;
    if (length > maxLength) failBomb(part);
    if (length > entry.uncompressedSize) failBroken('is longer than it says', part);
    checksum = crc32(piece, checksum);
    yield piece;
  }
  if (length !== entry.uncompressedSize) failBroken('is shorter than it says', part);
  if (checksum !== entry.crc32) failBroken('does not match its checksum', part);
}

/**
 * Checks what the directory says of a part.
 * @returns how many bytes it may inflate to
 * @throws InputError `encrypted`, `unsupported_compression`, `too_large`, `zip_bomb`
 */
export function checkPart(entry: Entry, part: PartOf): number {
  checkReadable(entry, part);
  return allowedBytes(entry, part);
}

function checkReadable(entry: Entry, part: PartOf): void {
  if (entry.isEncrypted())
    fail('encrypted', 'the zip container is encrypted. Save it without a password.', part.place);
  const { compressionMethod } = entry;
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
    fail(
      'unsupported_compression',
      `its part ${shownPart(part.name)} is compressed in a way (${compressionMethod}) that is not known here. ${SAVE_AGAIN}`,
      part.place,
    );
}

function allowedBytes(entry: Entry, part: PartOf): number {
  const absolute = {
    structure: LIMITS.structureBytes,
    sharedStrings: LIMITS.sharedStringsBytes,
    sheet: LIMITS.sheetBytes,
  }[part.kind];
  if (entry.uncompressedSize > absolute)
    fail(
      'too_large',
      `its part ${shownPart(part.name)} is larger than ${absolute} bytes.`,
      part.place,
    );
  const ratio = Math.max(LIMITS.freeBytes, LIMITS.ratio * entry.compressedSize);
  if (entry.uncompressedSize > ratio) failBomb(part);
  return Math.min(absolute, ratio);
}

async function* pieces(
  handle: FileHandle,
  start: number,
  entry: Entry,
  part: PartOf,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const raw = readRange(handle, start, start + entry.compressedSize, onRead);
  if (entry.compressionMethod === STORED) {
    yield* raw;
    return;
  }
  const inflated = inflating(raw);
  try {
    for await (const piece of inflated) if (Buffer.isBuffer(piece)) yield piece;
  } catch (error) {
    const reason = `its part ${shownPart(part.name)} cannot be inflated: the file is damaged. Copy it again.`;
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
    onRead?.(at - start);
    yield buffer.subarray(0, bytesRead);
  }
}

function inflating(raw: AsyncIterable<Buffer>): Readable {
  const inflate = createInflateRaw({ chunkSize: PIECE });
  // Errors of either stream reach the one who iterates, since `pipeline` destroys the last stream with them.
  return pipeline(Readable.from(raw, { objectMode: false }), inflate, () => undefined);
}

function failBomb(part: PartOf): never {
  fail(
    'zip_bomb',
    `its part ${shownPart(part.name)} inflates to more than ${LIMITS.ratio} times its size, as a zip bomb does. ${SAVE_AGAIN}`,
    part.place,
  );
}

function failBroken(what: string, part: PartOf): never {
  fail(
    'broken_zip',
    `its part ${shownPart(part.name)} ${what}: the file is damaged. Copy it again.`,
    part.place,
  );
}
