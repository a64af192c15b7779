import { codeOf, InputError } from '../core/errors.js';
import { NotRegularError, openRegularFile, type OtherKind } from '../files/regular-file.js';

/** A file that is there, and how it is stored. */
export interface FoundFile {
  readonly file: string;
  /** Size on the disk. */
  readonly bytes: number;
  /** Whether it is packed with gzip. */
  readonly gzip: boolean;
  /** The part of a zip file that is the list; absent where the file is the list itself. */
  readonly part?: string;
  readonly format: string;
  /** What a person calls a file of this format. */
  readonly formatName: string;
}

/** Bytes read at a time: each read wakes a thread and waits for it, which takes as long as reading 64 KiB. */
const CHUNK = 256 * 1024;
/** One piece is at work, one may still be held for its last character, and one is being read. */
const BUFFERS = 3;

const REASONS: Readonly<Record<string, readonly [code: string, reason: string]>> = {
  ENOENT: ['no_such_file', 'there is no such file. Check the path.'],
  ENOTDIR: ['no_such_file', 'there is no such file. Check the path.'],
  EACCES: ['not_readable', 'the file may not be read. Ask for the right to read it.'],
  EPERM: ['not_readable', 'the file may not be read. Ask for the right to read it.'],
  EISDIR: ['is_a_directory', 'this is a folder. Name a file in it.'],
};

/** What is said of a name that is no file, such as a pipe or a device. */
export function notRegular(file: string, kind: OtherKind): InputError {
  if (kind === 'folder') return new InputError(...described('EISDIR'), { file });
  const reason =
    `this is a ${kind}, which cannot be read twice. Give what comes out of it as standard input, as in ` +
    '"cardline import - < PIPE", or save it to a file first.';
  return new InputError('not_a_file', reason, { file });
}

/** The error for a file without any content. */
export const emptyFile = (file: string): InputError =>
  new InputError('empty_file', 'the file is empty. Check that it was saved whole.', { file });

/**
 * The bytes of a file, piece by piece, each read while the one before is at work. The file is closed when the iteration
 * ends, early or not. A piece holds its bytes until the piece after the next one is asked for: they are read into the
 * same few buffers, since the engine would walk through the whole heap for every few megabytes of new ones.
 * @throws InputError when it cannot be read
 */
export async function* readChunks(
  file: string,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<Buffer, void, undefined> {
  const handle = await withInputErrors(file, openRegularFile(file));
  const buffers: Buffer[] = [];
  let reads = 0;
  const read = () => {
    const buffer = (buffers[reads++ % BUFFERS] ??= Buffer.allocUnsafeSlow(CHUNK));
    return handle.read(buffer, 0, CHUNK, null);
  };
  let pending = read();
  try {
    for (;;) {
      const { bytesRead, buffer } = await withInputErrors(file, pending);
      if (bytesRead === 0) return;
      onRead(bytesRead);
      pending = read();
      // Not lost: it is thrown when the next piece is asked for.
      pending.catch(() => undefined);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await Promise.allSettled([pending]);
    await handle.close();
  }
}

/**
 * Up to `size` bytes at each of the places.
 * @throws InputError when the file cannot be read
 */
export async function readAt(
  file: string,
  places: readonly number[],
  size: number,
): Promise<Buffer[]> {
  const handle = await withInputErrors(file, openRegularFile(file));
  try {
    const pieces: Buffer[] = [];
    for (const place of places) {
      const read = handle.read(Buffer.alloc(size), 0, size, place);
      const { buffer, bytesRead } = await withInputErrors(file, read);
      pieces.push(buffer.subarray(0, bytesRead));
    }
    return pieces;
  } finally {
    await handle.close();
  }
}

/** The first bytes of what `chunks` gives: `size` of them, or all when there are fewer. */
export async function readHead(chunks: AsyncIterable<Buffer>, size: number): Promise<Buffer> {
  const head: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    head.push(Buffer.from(chunk));
    length += chunk.length;
    if (length >= size) break;
  }
  return Buffer.concat(head).subarray(0, size);
}

/** Takes all that `chunks` gives, for the errors that it may end with. */
export async function readWhole(chunks: AsyncIterable<unknown>): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  while (!(await iterator.next()).done);
}

/** Waits for work on a file, and throws an InputError that names it where the system refuses. */
export async function withInputErrors<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NotRegularError) throw notRegular(file, error.kind);
    const code = codeOf(error);
    throw new InputError(...described(code), { file }, { cause: error });
  }
}

function described(code: string): readonly [string, string] {
  return REASONS[code] ?? ['read_failed', `the file cannot be read (${code || 'unknown cause'}).`];
}
