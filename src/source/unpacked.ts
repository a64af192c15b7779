import { readChunks, type FoundFile } from './file.js';
import { createGunzip, type Gunzip } from 'node:zlib';
import { InputError } from '../core/errors.js';

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
    const { zippedChunks } = await import('./archive.js');
    yield* zippedChunks(file, part, onRead);
  } else if (gzip) yield* gunzipChunks(readChunks(file, onRead), file);
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

/**
 * Unpacks gzip, several members one after the other included.
 * @throws InputError when the data is damaged, cut off or a bomb, after everything before the damage has been given
 */
async function* gunzipChunks(
  chunks: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<Buffer, void, undefined> {
  const unpacking = new Unpacking(file);
  try {
    for await (const chunk of chunks)
      for (let start = 0; start < chunk.length; start += PIECE) {
        const failure = await unpacking.write(chunk.subarray(start, start + PIECE));
        yield* unpacking.take();
        if (failure) throw gzipError(failure, file);
      }
    const failure = await unpacking.end();
    yield* unpacking.take();
    if (failure) throw gzipError(failure, file);
  } finally {
    unpacking.close();
  }
}

/** A gunzip stream driven by hand: as an iterable it would drop, on an error, what it had unpacked before. */
class Unpacking {
  readonly #gunzip: Gunzip = createGunzip({ chunkSize: 128 * 1024 });
  /** Resolves, with the failure if there was one, when nothing more will be unpacked. */
  readonly #over: Promise<Error | undefined>;
  readonly #file: string;
  #unpacked: Buffer[] = [];
  #ended = false;
  #bytesIn = 0;
  #bytesOut = 0;

  constructor(file: string) {
    this.#file = file;
    this.#gunzip.on('data', (bytes: Buffer) => this.#unpacked.push(bytes));
    this.#over = new Promise((resolve) => {
      this.#gunzip.on('error', resolve).on('end', () => {
        this.#ended = true;
        resolve(undefined);
      });
    });
  }

  /** Resolves when the piece is unpacked, with the failure if there was one. */
  write(piece: Buffer): Promise<Error | undefined> {
    // Zeros after the last member end the stream, and what follows them is left alone; such a write never calls back.
    if (this.#ended) return this.#over;
    this.#bytesIn += piece.length;
    const written = new Promise<Error | undefined>((resolve) => {
      this.#gunzip.write(piece, (error) => resolve(error ?? undefined));
    });
    return Promise.race([this.#over, written]);
  }

  end(): Promise<Error | undefined> {
    if (!this.#ended) this.#gunzip.end();
    return this.#over;
  }

  /** What has been unpacked since the last call. @throws InputError when that is too much for what was packed */
  *take(): Generator<Buffer, void, undefined> {
    const unpacked = this.#unpacked;
    this.#unpacked = [];
    for (const bytes of unpacked) {
      this.#bytesOut += bytes.length;
      if (this.#bytesOut > Math.max(FREE_BYTES, RATIO * this.#bytesIn)) throw bomb(this.#file);
      yield bytes;
    }
  }

  close(): void {
    this.#gunzip.destroy();
  }
}

function bomb(file: string): InputError {
  const reason =
    `the gzip file unpacks to more than ${RATIO} times its size, as files do that are made to harm. ` +
    'If you trust it, unpack it yourself and give the .csv file.';
  return new InputError('zip_bomb', reason, { file });
}

function gzipError(cause: Error, file: string): InputError {
  const cut = 'code' in cause && cause.code === 'Z_BUF_ERROR';
  const [code, reason] = cut
    ? ['truncated_gzip', 'the gzip file is cut off. Copy or download it again.']
    : ['broken_gzip', 'the gzip file is damaged. Copy or download it again.'];
  return new InputError(code, reason, { file }, { cause });
}
