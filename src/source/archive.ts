import { InputError } from '../core/errors.js';
import { Archive } from './zip.js';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SAVE_AGAIN, LIMITS } from './xlsx/limits.js';

/** Parts that documents of other programs have: those are no archives of lists. */
const DOCUMENTS = /^(?:\[content_types\]\.xml|mimetype|content\.xml|meta-inf\/|index\/.*\.iwa$)/i;
/** Files that are lists by their names; where there are none, any file may be one. */
const LISTS = /\.(?:csv|tsv|tab|jsonl|ndjson|json)$/i;
/** Names that a message lists at most. */
const MAX_LISTED = 10;

/**
 * The name of the one list in a zip file; `undefined` where it is a document such as a workbook.
 * @param names of the parts
 * @throws InputError where it holds several lists, or none
 */
export function listInZip(file: string, names: ReadonlySet<string>): string | undefined {
  if ([...names].some((name) => DOCUMENTS.test(name))) return undefined;
  const files = [...names].filter(isList).sort();
  if (names.size === 0) return undefined;
  const byName = files.filter((name) => LISTS.test(name));
  const [only, second] = byName.length > 0 ? byName : files;
  if (only === undefined)
    throw new InputError(
      'empty_file',
      'the zip file holds no list. Check that it was packed whole.',
      {
        file,
      },
    );
  if (second === undefined) return only;
  const lists = byName.length > 0 ? byName : files;
  const shown = lists.slice(0, MAX_LISTED).map((name) => `"${shownName(name)}"`);
  if (lists.length > MAX_LISTED) shown.push(`and ${lists.length - MAX_LISTED} more`);
  const reason = `the zip file holds several files: ${shown.join(', ')}. Unpack it and give the list, or all of them.`;
  throw new InputError('several_lists', reason, { file });
}

const shownName = (name: string): string => name.replaceAll(/\p{C}/gu, '\ufffd').slice(-80);

/**
 * The unpacked bytes of a list in a zip file, piece by piece.
 * @param onRead called with how many packed bytes have been read since
 * @throws InputError when it is damaged, encrypted, too large or a bomb, after everything before that has been given
 */
export async function* zippedChunks(
  file: string,
  part: string,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<Buffer, void, undefined> {
  let read = 0;
  try {
    const archive = await Archive.open(file);
    try {
      yield* archive.read(part, 'sheet', (bytes) => {
        onRead(bytes - read);
        read = bytes;
      });
    } finally {
      await archive.close();
    }
  } catch (error) {
    throw asArchiveError(error);
  }
}

/** Most lists in an archive, and most bytes that they may have together when they are unpacked. */
const MAX_LISTS = 1_000;
const MAX_BYTES = 16 * 2 ** 30;

/** A list that was unpacked. */
interface UnpackedList {
  /** As the archive calls it, with its folders. */
  readonly name: string;
  readonly path: string;
}

/**
 * Unpacks the lists of a zip file into a folder, in the order of their names. Their names in the folder are numbers and
 * the last part of their own, so that none leads out of it. Hidden files, and those that programs add, are left out.
 * @throws InputError when it is damaged, encrypted, too large, or inflates as a bomb does
 */
export async function unpackZip(file: string, folder: string): Promise<UnpackedList[]> {
  const unpackAll = async (archive: Archive): Promise<UnpackedList[]> => {
    const names = [...archive.names()].filter(isList).sort();
    refuseSize(archive, names, file);
    const lists: UnpackedList[] = [];
    for (const [index, name] of names.entries()) {
      const path = join(folder, `${String(index + 1).padStart(4, '0')}-${lastPart(name)}`);
      await pipeline(
        archive.read(name, 'sheet'),
        createWriteStream(path, { mode: 0o600, flags: 'wx' }),
      );
      lists.push({ name, path });
    }
    return lists;
  };
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

/** Short enough for any file system, and of letters that all of them take. */
const lastPart = (name: string): string =>
  (name.split('/').at(-1) ?? '').replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').slice(-60);

function refuseSize(archive: Archive, names: readonly string[], file: string): void {
  const bytes = names.reduce((sum, name) => sum + archive.unpackedBytes(name), 0);
  // Parts may share what they are inflated from: each is honest then, and all together are a bomb.
  const limit = Math.min(MAX_BYTES, Math.max(LIMITS.freeBytes, LIMITS.ratio * archive.bytes));
  if (names.length <= MAX_LISTS && bytes <= limit) return;
  throw new InputError(
    'too_large',
    `the archive holds more than ${MAX_LISTS} lists, 16 GiB, or ${LIMITS.ratio} times its size. Pack them into several archives.`,
    { file },
  );
}
