import { addAbortSignal } from 'node:stream';
import { CardlineError, EXIT } from '../../core/errors.js';
import { STANDARD_INPUT } from '../standard-input.js';
import type { Terminal } from './terminal.js';

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
