import { createGunzip, type Gunzip } from 'node:zlib';
import { InputError } from '../core/errors.js';

/** Compressed bytes taken at a time. They can grow a thousandfold, which bounds the memory of a bomb to some 16 MB. */
const PIECE = 16 * 1024;

/**
 * Unpacks gzip, several members one after the other included.
 * @throws InputError when the data is damaged or cut off, after everything before the fault has been given
 */
export async function* gunzipChunks(
  chunks: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<Buffer, void, undefined> {
  const unpacking = new Unpacking();
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
  #unpacked: Buffer[] = [];
  #ended = false;

  constructor() {
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
    const written = new Promise<Error | undefined>((resolve) => {
      this.#gunzip.write(piece, (error) => resolve(error ?? undefined));
    });
    return Promise.race([this.#over, written]);
  }

  end(): Promise<Error | undefined> {
    if (!this.#ended) this.#gunzip.end();
    return this.#over;
  }

  take(): Buffer[] {
    const unpacked = this.#unpacked;
    this.#unpacked = [];
    return unpacked;
  }

  close(): void {
    this.#gunzip.destroy();
  }
}

function gzipError(cause: Error, file: string): InputError {
  const cut = 'code' in cause && cause.code === 'Z_BUF_ERROR';
  const [code, reason] = cut
    ? ['truncated_gzip', 'the gzip file is cut off. Copy or download it again.']
    : ['broken_gzip', 'the gzip file is damaged. Copy or download it again.'];
  return new InputError(code, reason, { file }, { cause });
}
