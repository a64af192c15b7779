import { codeOf, CardlineError, EXIT, type ExitCode } from '../../core/errors.js';
import { type Writable, addAbortSignal, type Readable } from 'node:stream';
import { printable, printableJson } from '../../core/text.js';
import type { Moment } from '../../core/time.js';

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
export async function print(
  stream: Writable & { hasColors?: () => boolean },
  text: string,
): Promise<boolean> {
  const safe = printable(text);
  // A terminal knows whether it has colors, and heeds NO_COLOR and FORCE_COLOR.
  if (PLAIN.has(stream) || stream.hasColors?.() !== true) return printData(stream, safe);
  const { colored } = await import('./colors.js');
  return printData(stream, colored(safe));
}

/** Streams of people who want no colors (`--no-color`). */
const PLAIN = new WeakSet<Writable>();

/** Prints no colors there from now on. */
export function leavePlain(stream: Writable): void {
  PLAIN.add(stream);
}

/** Writes JSON, as `print` does: what a terminal would obey is escaped, so that the data stays what it is. */
export function printJson(stream: Writable, json: string): Promise<boolean> {
  return printData(stream, printableJson(json));
}

/** Writes a value as indented JSON. */
export const printValue = (stream: Writable, value: unknown): Promise<boolean> =>
  printJson(stream, `${JSON.stringify(value, null, 2)}\n`);

/** Writes a value for a program, where `json` asks for that, else the text of it for a person. */
export const printEither = (
  stream: Writable,
  json: boolean | undefined,
  value: unknown,
  text: string,
): Promise<boolean> => (json ? printValue(stream, value) : print(stream, text));

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

/** How long work may take to end by itself and tidy up, in milliseconds. */
const GRACE_MS = 2_000;

/** The person stopped a command that keeps nothing. */
export class StoppedError extends CardlineError {
  readonly exitCode = EXIT.stopped;
}

/** Resolves or rejects as the work does; rejects too when it goes on for long after the person wanted to stop. */
export async function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController();
  const stopped = untilStopped(signal, over.signal).then(async () => {
    await new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref());
    throw new StoppedError('Stopped.');
  });
  return Promise.race([work, stopped]).finally(() => over.abort());
}

/** Resolves when the person wants to stop, unless it is `over` before. */
export function untilStopped(signal: AbortSignal, over?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const options = over ? { once: true, signal: over } : { once: true };
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), options);
  });
}

/** Ends waiting for standard input, when it is among the files, as soon as the person wants to stop. */
export function stopWaiting(files: readonly string[], terminal: Terminal): void {
  if (files.includes(STANDARD_INPUT)) addAbortSignal(terminal.signal, terminal.stdin);
}

/** Everything that the command line has of the world around it. A test brings its own. */
export interface Terminal {
  /** `isTTY`: whether a person sits there, who can be asked. */
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** For machines: rows, documents, summaries. */
  readonly stdout: Writable;
  /** For people: progress, notes and errors. */
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether stderr is a terminal, on which a progress bar can be drawn. */
  readonly interactive: boolean;
  /** Width of the terminal in characters; absent when stdout is none. */
  readonly columns?: number | undefined;
  /** When the command was given. @default when its run is executed */
  readonly begun?: Moment;
  /** Aborted when the person wants to stop. */
  readonly signal: AbortSignal;
}

/** Whether a person sits there who sees questions on stdout and can answer them. */
export const canBeAsked = ({ stdin, columns }: Terminal): boolean =>
  columns !== undefined && stdin.isTTY === true;

/** How the person names standard input among the files. */
export const STANDARD_INPUT = '-';

// The parser loses a lone dash among the files; this word, which no file can have, takes its place meanwhile.
const STAND_IN = '\0stdin';

/** The arguments with each lone dash kept safe from the parser. */
export function keepDashes(argv: readonly string[]): string[] {
  return argv.map((word) => (word === STANDARD_INPUT ? STAND_IN : word));
}

/** Brings the dashes back into what was parsed. */
export function restoreDashes(args: Record<string, unknown>): void {
  const restore = (value: unknown): unknown => (value === STAND_IN ? STANDARD_INPUT : value);
  for (const [name, value] of Object.entries(args))
    args[name] = Array.isArray(value) ? value.map(restore) : restore(value);
}

const SYSTEM_REASONS: Readonly<Record<string, readonly [reason: string, exitCode: ExitCode]>> = {
  ENOENT: ['There is no such file or folder', EXIT.usage],
  ENOTDIR: ['A part of this path is a file, not a folder', EXIT.usage],
  EISDIR: ['This is a folder, not a file', EXIT.usage],
  EACCES: ['You may not open this', EXIT.usage],
  EPERM: ['You may not do this', EXIT.usage],
  EROFS: ['Nothing can be written here', EXIT.usage],
  EADDRINUSE: ['Another program listens here already; choose another port', EXIT.usage],
  EADDRNOTAVAIL: ['This machine does not have this address', EXIT.usage],
  ENOTFOUND: ['There is no such address', EXIT.usage],
  ENOSPC: ['The disk is full', EXIT.stopped],
  EMFILE: ['Too many files are open', EXIT.stopped],
};

/** Puts any error into words. `debug` adds the stack of unexpected ones, which may hold personal data. */
export function explain(
  error: unknown,
  debug: boolean,
): { readonly exitCode: ExitCode; readonly text: string } {
  // What a stream or a timer rejects with when the person stops the command.
  if (error instanceof Error && error.name === 'AbortError')
    return { exitCode: EXIT.stopped, text: 'Stopped.' };
  if (error instanceof CardlineError) return { exitCode: error.exitCode, text: error.message };
  const known =
    error instanceof Error && 'errno' in error ? SYSTEM_REASONS[codeOf(error)] : undefined;
  if (known && error instanceof Error && !debug)
    return { exitCode: known[1], text: `${known[0]} (${error.message}).` };
  const kind = error instanceof Error ? error.name : typeof error;
  const lines = [
    `This is an internal error of cardline (${kind}), not of your files. Sorry.`,
    'Nothing that was recorded in the ledger is lost.',
  ];
  // The message of an unexpected error may quote a row, so it is shown only on demand.
  if (debug) lines.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  else lines.push('Set CARDLINE_DEBUG=1 and run it again to see the details.');
  return { exitCode: EXIT.internal, text: lines.join('\n') };
}
