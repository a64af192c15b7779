import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { InputError } from '../core/errors.js';
import { readChunks, type FoundFile } from './file.js';
import { SAVE_AGAIN, LIMITS } from './xlsx/limits.js';
import type { Archive } from './zip.js';

/**
 * The bytes of a text file, unpacked where it is packed, piece by piece.
 * @param onRead called with how many bytes of the file itself have been read since
 * @throws InputError when it cannot be read, is damaged or a bomb, after everything before the damage has been given
 */
export async function* unpackedChunks(
  { file, gzip, part }: FoundFile,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  if (part !== undefined) yield* zippedChunks(file, part, onRead);
  else if (gzip) yield* gunzipChunks(readChunks(file, onRead), file);
  else yield* readChunks(file, onRead);
}

/** Compressed bytes taken at a time. They can grow a thousandfold, which bounds the memory of a bomb to some 16 MB. */
const PIECE = 16 * 1024;
/**
 * A file may unpack to `FREE_BYTES` in any case, and beyond that to `RATIO` times what was read of it. Real CSV packs
 * 3 to 20 times; gzip ends at 1,032, where bombs are.
 */
const FREE_BYTES = 64 * 1024 * 1024;
const RATIO = 100;

/** Unpacks gzip, several members one after the other included. */
async function* gunzipChunks(
  chunks: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<Buffer, void, undefined> {
  // Driven by hand: as an iterable it would drop, on an error, what it had unpacked before.
  const gunzip = createGunzip({ chunkSize: 128 * 1024 });
  const unpacked: Buffer[] = [];
  let [bytesIn, bytesOut] = [0, 0];
  // Resolves, with the failure if there was one, when nothing more will be unpacked.
  const over = new Promise<Error | undefined>((resolve) => {
    gunzip.on('data', (bytes: Buffer) => unpacked.push(bytes));
    gunzip.on('error', resolve).on('end', () => {
      resolve(undefined);
    });
  });
  function* taken(failure: Error | undefined): Generator<Buffer, void, undefined> {
    for (const bytes of unpacked.splice(0)) {
      bytesOut += bytes.length;
      const reason =
        `the gzip file unpacks to more than ${RATIO} times its size, as files do that are made to harm. ` +
        'If you trust it, unpack it yourself and give the .csv file.';
      if (bytesOut > Math.max(FREE_BYTES, RATIO * bytesIn))
        throw new InputError('zip_bomb', reason, { file });
      yield bytes;
    }
    if (!failure) return;
    const [code, reason] =
      'code' in failure && failure.code === 'Z_BUF_ERROR'
        ? ['truncated_gzip', 'the gzip file is cut off. Copy or download it again.']
        : ['broken_gzip', 'the gzip file is damaged. Copy or download it again.'];
    throw new InputError(code, reason, { file }, { cause: failure });
  }
  try {
    for await (const chunk of chunks)
      for (let start = 0; start < chunk.length; start += PIECE) {
        // Zeros after the last member end the stream, and what follows them is left alone; such a write never calls back.
        if (gunzip.readableEnded) break;
        const piece = chunk.subarray(start, start + PIECE);
        bytesIn += piece.length;
        const written = new Promise<Error | undefined>((resolve) => {
          gunzip.write(piece, (error) => {
            resolve(error ?? undefined);
          });
        });
        yield* taken(await Promise.race([over, written]));
      }
    if (!gunzip.readableEnded) gunzip.end();
    yield* taken(await over);
  } finally {
    gunzip.destroy();
  }
}

/** Parts that documents of other programs have: those are no archives of lists. */
const DOCUMENTS = /^(?:\[content_types\]\.xml|mimetype|content\.xml|meta-inf\/|index\/.*\.iwa$)/i;
/** Files that are lists by their names; where there are none, any file may be one. */
const LISTS = /\.(?:csv|tsv|tab|jsonl|ndjson|json)$/i;
const NO_LIST = 'the zip file holds no list. Check that it was packed whole.';
/** Names that a message lists at most. */
const MAX_LISTED = 10;

/**
 * The name of the one list in a zip file; `undefined` where it is a document such as a workbook.
 * @param names of the parts
 * @throws InputError where it holds several lists, or none
 */
export function listInZip(file: string, names: ReadonlySet<string>): string | undefined {
  if ([...names].some((name) => DOCUMENTS.test(name))) return undefined;
  if (names.size === 0) return undefined;
  const files = [...names].filter(isList).sort();
  const byName = files.filter((name) => LISTS.test(name));
  const lists = byName.length > 0 ? byName : files;
  const [only, second] = lists;
  if (only === undefined) throw new InputError('empty_file', NO_LIST, { file });
  if (second === undefined) return only;
  const shown = lists
    .slice(0, MAX_LISTED)
    .map((name) => `"${name.replaceAll(/\p{C}/gu, '\ufffd').slice(-80)}"`);
  if (lists.length > MAX_LISTED) shown.push(`and ${lists.length - MAX_LISTED} more`);
  const reason = `the zip file holds several files: ${shown.join(', ')}. Unpack it and give the list, or all of them.`;
  throw new InputError('several_lists', reason, { file });
}

/** The unpacked bytes of a list in a zip file, piece by piece. */
async function* zippedChunks(
  file: string,
  part: string,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  let archive: Archive | undefined;
  try {
    const { Archive } = await import('./zip.js');
    archive = await Archive.open(file);
    yield* archive.read(part, 'sheet', onRead);
  } catch (error) {
    throw asArchiveError(error);
  } finally {
    await archive?.close();
  }
}

/** Most lists in an archive, and most bytes that they may have together when they are unpacked. */
const MAX_LISTS = 1_000;
const MAX_BYTES = 16 * 2 ** 30;

/**
 * Unpacks the lists of a zip file into a folder, in the order of their names as the archive calls them, with its folders.
 * Their names in the folder are numbers and the last part of their own, so that none leads out of it. Hidden files, and
 * those that programs add, are left out.
 * @throws InputError when it is damaged, encrypted, too large, or inflates as a bomb does
 */
export async function unpackZip(file: string, folder: string) {
  const unpackAll = async (archive: Archive) => {
    const names = [...archive.names()].filter(isList).sort();
    const bytes = names.reduce((sum, name) => sum + archive.unpackedBytes(name), 0);
    // Parts may share what they are inflated from: each is honest then, and all together are a bomb.
    const limit = Math.min(MAX_BYTES, Math.max(LIMITS.freeBytes, LIMITS.ratio * archive.bytes));
    if (names.length > MAX_LISTS || bytes > limit) {
      const reason = `the archive holds more than ${MAX_LISTS} lists, 16 GiB, or ${LIMITS.ratio} times its size. Pack them into several archives.`;
      throw new InputError('too_large', reason, { file });
    }
    const lists: { readonly name: string; readonly path: string }[] = [];
    for (const [index, name] of names.entries()) {
      // Short enough for any file system, and of letters that all of them take.
      const last = (name.split('/').at(-1) ?? '').replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').slice(-60);
      const path = join(folder, `${String(index + 1).padStart(4, '0')}-${last}`);
      await pipeline(
        archive.read(name, 'sheet'),
        createWriteStream(path, { mode: 0o600, flags: 'wx' }),
      );
      lists.push({ name, path });
    }
    return lists;
  };
  const { Archive } = await import('./zip.js');
  return Archive.use(file, unpackAll).catch((error: unknown) => {
    throw asArchiveError(error);
  });
}

/** An error of the reader of zip files in words that fit an archive, which is no workbook; any other as it is. */
function asArchiveError(error: unknown): unknown {
  if (!(error instanceof InputError)) return error;
  const reason = error.reason
    .replace(SAVE_AGAIN, 'Pack it again.')
    .replace('Save it without a password.', 'Pack it again without a password.')
    .replace('workbook', 'archive');
  return new InputError(error.code, reason, error.place, { cause: error });
}

/** The parts of the path that are neither hidden nor made by a Mac for itself. */
const isList = (name: string): boolean =>
  !name.endsWith('/') &&
  name.split('/').every((part) => part === '..' || part === '.' || !part.startsWith('.')) &&
  !name.split('/').includes('__MACOSX');
