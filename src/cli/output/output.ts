import { codeOf, CardlineError, EXIT } from '../../core/errors.js';
import type { Writable } from 'node:stream';
import { printable, printableJson } from '../../core/text.js';

/** What was printed cannot be stored where the shell sends it. */
class OutputError extends CardlineError {
  readonly exitCode = EXIT.stopped;
}

/** How a write fails when nobody reads any more, as after `| head`, or when the terminal has been closed. */
const CLOSED = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/**
 * Writes text for a person and waits until it is taken: nothing in it is a command to the terminal. Resolves with false
 * when nobody reads any more: then there is no use in going on printing.
 * @throws CardlineError when it cannot be written for another reason, such as a full disk
 */
export function print(stream: Writable, text: string): Promise<boolean> {
  return printData(stream, printable(text));
}

/** Writes JSON, as `print` does: what a terminal would obey is escaped, so that the data stays what it is. */
export function printJson(stream: Writable, json: string): Promise<boolean> {
  return printData(stream, printableJson(json));
}

/** Writes what a program reads, as `print` does, but byte for byte: a file that goes to standard output, such as CSV. */
export function printData(stream: Writable, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    stream.write(text, (failure) => {
      if (!failure) resolve(true);
      else if (CLOSED.has(codeOf(failure))) resolve(false);
      else reject(new OutputError(`The output cannot be written: ${failure.message}.`));
    });
  });
}

/** A failing stream must not end the process: who writes to it learns of it. */
export function tolerateErrors(stream: Writable): void {
  stream.on('error', () => undefined);
}

/** One line for the person, on stderr. Whether anybody reads it changes nothing. */
export function note(stream: Writable, text: string): void {
  stream.write(`${printable(text)}\n`);
}
