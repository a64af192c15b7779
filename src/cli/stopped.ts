import { CardlineError, EXIT } from '../core/errors.js';

/** The person stopped a command that keeps nothing. */
export class StoppedError extends CardlineError {
  readonly exitCode = EXIT.stopped;
}

/** Resolves with the work, or rejects as soon as the person wants to stop. */
export async function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const stop = new AbortController();
  const stopped = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(new StoppedError('Stopped.'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { signal: stop.signal });
  });
  return Promise.race([work, stopped]).finally(() => stop.abort());
}

/** Resolves when the person wants to stop. */
export function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
