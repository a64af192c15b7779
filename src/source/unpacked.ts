import { readChunks, type FoundFile } from './file.js';
import { gunzipChunks } from './gunzip.js';

/**
 * The bytes of a text file, unpacked where it is packed, piece by piece.
 * @param onRead called with how many bytes of the file itself have been read since
 * @throws InputError when it cannot be read, is damaged or a bomb, after everything before the damage has been given
 */
export async function* unpackedChunks(
  { file, gzip, part }: FoundFile,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  if (part !== undefined) {
    const { zippedChunks } = await import('./archive/zipped-list.js');
    yield* zippedChunks(file, part, onRead);
  } else if (gzip) yield* gunzipChunks(readChunks(file, onRead), file);
  else yield* readChunks(file, onRead);
}
