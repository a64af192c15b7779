import { createWriteStream } from 'node:fs';
import { rm, stat, statfs } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Refusal } from '../refusal.js';

/** What stays free on the disk: the ledger and the reports need room too, in bytes. */
const RESERVE = 256 * 1024 * 1024;

/** @throws Refusal when the disk has no room for so many bytes */
export async function refuseWithoutRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bytes + RESERVE <= bavail * bsize) return;
  throw new Refusal(507, {
    code: 'no_room',
    sentence: 'The disk has no room for a copy of this file.',
    next: 'Make room, or name the file on the command line: cardline ui FILE reads it where it is.',
  });
}

/**
 * Writes what is uploaded to a private file, piece by piece.
 * @returns its size
 */
export async function receive(
  upload: Readable,
  path: string,
  signal: AbortSignal,
): Promise<number> {
  const file = createWriteStream(path, { mode: 0o600 });
  upload.pipe(file);
  try {
    const [read, written] = [finished(upload, { signal }), finished(file, { signal })];
    await Promise.all([read, written]);
  } catch (error) {
    // `pipeline` would end the upload, and a browser looks for the answer when all of its file has been taken.
    upload.unpipe(file);
    upload.resume();
    // A write that is still under way fails now: a consequence of what is thrown here.
    file.on('error', () => undefined);
    file.destroy();
    await rm(path, { force: true });
    throw error;
  }
  return (await stat(path)).size;
}
