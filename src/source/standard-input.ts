import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { interruption } from '../core/errors.js';

/**
 * Copies a stream, such as standard input, to a file, so that it can be read twice. What was written is removed when
 * the stream fails.
 * @param folder an existing folder
 * @param signal aborted by whoever does not want to wait for the end of the stream
 * @returns path of the new file, which its owner alone may read; the caller deletes it
 */
export async function spoolStandardInput(
  stream: AsyncIterable<Uint8Array>,
  folder: string,
  signal?: AbortSignal,
): Promise<string> {
  const file = join(folder, `standard-input-${randomUUID()}`);
  try {
    const copy = createWriteStream(file, { mode: 0o600, flags: 'wx' });
    await (signal ? pipeline(stream, copy, { signal }) : pipeline(stream, copy));
    return file;
  } catch (error) {
    await rm(file, { force: true });
    throw signal?.aborted ? interruption(signal, { cause: error }) : error;
  }
}
