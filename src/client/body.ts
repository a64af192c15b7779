import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** A response as it came over the wire. Header names are in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** What a response body turned out to be, whatever its content-type says. */
export type Body =
  | { readonly kind: 'empty' | 'unreadable' }
  | { readonly kind: 'json'; readonly json: unknown }
  | { readonly kind: 'text'; readonly text: string };

/** Largest body that is unpacked, in bytes. */
const UNPACKED_BYTES = 64 * 1024 * 1024;
const unpackers = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
} as const;

/** How JSON begins. */
const MAY_BE_JSON = /^[[{"\-\dtfn]/;

/** Reads the body of an answer: as JSON where it is JSON, else as text. Never throws. */
export function readBody(answer: Answer): Body {
  const bytes = unpack(answer);
  if (bytes === undefined) return { kind: 'unreadable' };
  // A byte order mark is legal in front of text but not of JSON; trim() takes it for white space.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString().trim();
  if (text === '') return { kind: 'empty' };
  // An error that is thrown and caught costs more than all else here, and every change is answered by a plain word.
  if (!MAY_BE_JSON.test(text)) return { kind: 'text', text };
  try {
    return { kind: 'json', json: JSON.parse(text) };
  } catch {
    return { kind: 'text', text };
  }
}

/** Compression is not asked for, but some proxies compress unasked. */
function unpack({ headers, body }: Answer): Uint8Array | undefined {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity' || body.byteLength === 0) return body;
  const unpacker = Object.entries(unpackers).find(([name]) => name === encoding)?.[1];
  try {
    return unpacker?.(body, { maxOutputLength: UNPACKED_BYTES });
  } catch {
    return undefined;
  }
}
