import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { ChangedInput } from '../../core/report.js';
import type { QuickFingerprint } from '../../core/ledger.js';
import { openRegularFile } from '../../files/regular-file.js';
import type { SeenInputs } from '../inputs/seen-inputs.js';

const MIB = 1024 * 1024;

/** A whole digest of no more bytes than this takes no time worth speaking of. */
const SMALL_BYTES = 8 * MIB;
/** How many pieces of so many bytes are taken of a file; in a small one they overlap, and are all of it. */
interface Samples {
  readonly pieces: number;
  readonly bytes: number;
}

/** A digest is of every byte: samples would call two lists the same that differ between them. */
const WHOLE: Samples = { pieces: Infinity, bytes: MIB };
/** The sample of a file: its first and last bytes, and some between. */
const SAMPLE: Samples = { pieces: 16, bytes: 64 * 1024 };

/** What the inputs of a run hold. */
export interface Content {
  /** What large inputs show at once; absent where digesting them took no time. */
  readonly fingerprint?: QuickFingerprint;
  /** SHA-256 over all inputs, as hexadecimal text; of large ones, what stands for it until it is known. */
  readonly known: string;
  /**
   * The digest of large inputs too; begun with the first call. `null` when the signal was aborted before, or an input
   * was changed meanwhile, so that nobody can say what has been read.
   */
  readonly digest: (signal?: AbortSignal) => Promise<string | null>;
  /** What is not any more what it was when the command began; to be asked at the end, with whatever has been digested. */
  readonly changed: () => Promise<readonly ChangedInput[]>;
}

/** Looks at the inputs. Large ones are not read as a whole before that is asked for. */
export async function contentOf(paths: readonly string[], seen: SeenInputs): Promise<Content> {
  if (seen.bytes <= SMALL_BYTES) {
    const known = await digestOf(paths, WHOLE);
    const isSame = async (): Promise<boolean> => (await digestOf(paths, WHOLE)) === known;
    return { known, digest: () => Promise.resolve(known), changed: () => seen.lookAgain(isSame) };
  }
  const fingerprint = await digestOf(paths, SAMPLE);
  const known = `${fingerprint} ${seen.text}`;
  let digesting: Promise<string | null> | undefined;
  const digest = (signal?: AbortSignal): Promise<string | null> =>
    (digesting ??= digestOf(paths, WHOLE, signal).then((found) =>
      signal?.aborted ? null : found,
    ));
  // Where the digest was given up, the sample has to do: nobody waits for all of a large file after Ctrl-C.
  const isSame = async (): Promise<boolean> => {
    if ((await digestOf(paths, SAMPLE)) !== fingerprint) return false;
    const found = await digesting?.catch(() => null);
    return found === null || found === undefined || (await digestOf(paths, WHOLE)) === found;
  };
  return {
    fingerprint: { sample: fingerprint, content: known },
    known,
    digest: async (signal) => {
      const found = await digest(signal);
      const unlessAborted = (): Promise<boolean> =>
        signal?.aborted ? Promise.resolve(true) : isSame();
      return found !== null && (await seen.lookAgain(unlessAborted)).length > 0 ? null : found;
    },
    changed: () => seen.lookAgain(isSame),
  };
}

async function digestOf(
  paths: readonly string[],
  samples: Samples,
  signal?: AbortSignal,
): Promise<string> {
  const all = createHash('sha256');
  for (const path of paths) all.update(await using(path, (file) => sampled(file, samples, signal)));
  return all.digest('hex');
}

/** SHA-256 of a file's size and of its pieces, evenly spread, its first and last among them. */
async function sampled(
  file: FileHandle,
  { pieces, bytes }: Samples,
  signal?: AbortSignal,
): Promise<Buffer> {
  const { size } = await file.stat();
  const hash = createHash('sha256').update(`${size} `);
  const isWhole = size <= pieces * bytes;
  const step = isWhole ? bytes : Math.floor((size - bytes) / (pieces - 1));
  const buffer = Buffer.allocUnsafe(bytes);
  for (let at = 0; at < size && !signal?.aborted; at += step) {
    const { bytesRead } = await file.read(buffer, 0, bytes, at);
    hash.update(buffer.subarray(0, bytesRead));
  }
  return hash.digest();
}

async function using<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await openRegularFile(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
