import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { CardlineError, EXIT } from '../core/errors.js';
import { systemErrorOf } from './system-error.js';

/** What was printed cannot be stored where the shell sends it. */
class OutputError extends CardlineError {
  readonly exitCode = EXIT.stopped;
}

/**
 * Writes text and waits until the stream can take more. Resolves with false when nobody reads any more, as after
 * `| head`: then there is no use in going on printing.
 * @throws CardlineError when the stream cannot take it for another reason, such as a full disk
 */
export async function print(stream: Writable, text: string): Promise<boolean> {
  if (!isOpen(stream)) return false;
  if (!stream.write(text)) {
    const given = new AbortController();
    const ways = ['drain', 'close'].map((event) => once(stream, event, { signal: given.signal }));
    await Promise.race(ways).catch(() => undefined);
    given.abort();
    await Promise.allSettled(ways);
  }
  return isOpen(stream);
}

function isOpen(stream: Writable): boolean {
  const fault = stream.errored;
  if (fault && systemErrorOf(fault)?.code !== 'EPIPE') {
    throw new OutputError(`The output cannot be written: ${fault.message}.`);
  }
  return !stream.destroyed && stream.writable;
}

/** A failing stream must not end the process: `print` looks at its state before each write. */
export function tolerateErrors(stream: Writable): void {
  stream.on('error', () => undefined);
}

/** One line for the person, on stderr. Whether anybody reads it changes nothing. */
export function note(stream: Writable, text: string): void {
  if (!stream.destroyed && stream.writable) stream.write(`${text}\n`);
}
