import type { Writable } from 'node:stream';
import { CardlineError, EXIT } from '../core/errors.js';

/** What was printed cannot be stored where the shell sends it. */
class OutputError extends CardlineError {
  readonly exitCode = EXIT.stopped;
}

/** How a write fails when nobody reads any more, as after `| head`, or when the terminal has been closed. */
const CLOSED = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/**
 * Writes text and waits until it is taken. Resolves with false when nobody reads any more: then there is no use in
 * going on printing.
 * @throws CardlineError when it cannot be written for another reason, such as a full disk
 */
export function print(stream: Writable, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    stream.write(text, (fault) => {
      if (!fault) resolve(true);
      else if ('code' in fault && CLOSED.has(String(fault.code))) resolve(false);
      else reject(new OutputError(`The output cannot be written: ${fault.message}.`));
    });
  });
}

/** A failing stream must not end the process: who writes to it learns of it. */
export function tolerateErrors(stream: Writable): void {
  stream.on('error', () => undefined);
}

/** What a terminal may take for commands: names from a file are part of what it is shown. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** One line for the person, on stderr. Whether anybody reads it changes nothing. */
export function note(stream: Writable, text: string): void {
  stream.write(`${text.replace(CONTROLS, '\ufffd')}\n`);
}
