import * as zlib from 'node:zlib';
import type { Compressors } from 'hyparquet';

/** No page may unpack to more than the file says of it, nor to more than this. */
const MAX_PAGE = 256 * 2 ** 20;

const limited = (length: number) => ({ maxOutputLength: Math.min(Math.max(length, 1), MAX_PAGE) });

/** What Node can unpack; Snappy, which most files use, is in the library. Zstandard came with Node 22. */
export const COMPRESSORS: Compressors = {
  GZIP: (input, length) => zlib.gunzipSync(input, limited(length)),
  BROTLI: (input, length) => zlib.brotliDecompressSync(input, limited(length)),
  ...('zstdDecompressSync' in zlib && {
    ZSTD: (input: Uint8Array, length: number) => zstd(input, length),
  }),
};

function zstd(input: Uint8Array, length: number): Uint8Array {
  const unpack: unknown = Reflect.get(zlib, 'zstdDecompressSync');
  const unpacked: unknown =
    typeof unpack === 'function' ? Reflect.apply(unpack, zlib, [input, limited(length)]) : null;
  if (unpacked instanceof Uint8Array) return unpacked;
  throw new Error('this Node cannot unpack Zstandard');
}
