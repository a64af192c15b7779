import { InputError } from '../../core/errors.js';
import { Archive } from '../xlsx/zip/archive.js';
import { asArchiveError, isList } from './zip-lists.js';

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
