import {
  CardlineError,
  ConfigurationError,
  type ConfigMistake,
  InputError,
  type InputPlace,
  UsageError,
  codeOf,
} from '../core/errors.js';
import type { PreparedChunk } from '../core/prepared.js';
import type { Preparation, PreparePlan } from './plan.js';
import type { ResourceLimits } from 'node:worker_threads';

/** Messages from the reading thread. */
export type FromThread =
  | { readonly kind: 'ready'; readonly preparation: Omit<Preparation, 'chunks' | 'close'> }
  | { readonly kind: 'chunk'; readonly chunk: PreparedChunk }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: PlainError };

/** Messages to the reading thread: first what to read, then that it may prepare one more chunk. */
export type ToThread = 'more' | PreparePlan;

/** An error as it travels between threads, where classes are lost. */
export type PlainError =
  | {
      readonly type: 'input';
      readonly code: string;
      readonly reason: string;
      readonly place: InputPlace;
    }
  | { readonly type: 'configuration'; readonly mistakes: readonly ConfigMistake[] }
  | { readonly type: 'usage'; readonly message: string }
  | { readonly type: 'internal'; readonly message: string; readonly stack: string | undefined };

export function toPlainError(error: unknown): PlainError {
  if (error instanceof InputError)
    return { type: 'input', code: error.code, reason: error.reason, place: error.place };
  if (error instanceof ConfigurationError)
    return { type: 'configuration', mistakes: error.mistakes };
  if (error instanceof CardlineError) return { type: 'usage', message: error.message };
  const { message, stack } =
    error instanceof Error ? error : new Error('The reading thread failed.');
  return { type: 'internal', message, stack };
}

export function fromPlainError(plain: PlainError): Error {
  switch (plain.type) {
    case 'input':
      return new InputError(plain.code, plain.reason, plain.place);
    case 'configuration':
      return new ConfigurationError(plain.mistakes);
    case 'usage':
      return new UsageError(plain.message);
    case 'internal': {
      const error = new Error(plain.message);
      if (plain.stack !== undefined) error.stack = plain.stack;
      return error;
    }
  }
}

/** An error as it would be had it come from a thread, for whoever prepares without one. */
export const asFromThread = (error: unknown): Error => fromPlainError(toPlainError(error));

/** Memory of a thread that reads: a file that would need more ends the thread, not the program. */
export const READER_LIMITS = {
  /** Heap in MiB. */
  maxOldGenerationSizeMb: 1024,
  /** Room for what is short-lived, in MiB: all that is made there but the bytes of the chunks. */
  maxYoungGenerationSizeMb: 48,
} as const satisfies ResourceLimits;

/** What the end of such a thread means for whoever waits for its rows. @param file as the person knows it */
export function threadError(error: unknown, file: string): Error {
  if (codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY') {
    const reason =
      `reading it needs more than ${READER_LIMITS.maxOldGenerationSizeMb} MiB of memory, which no list should; it may be ` +
      'damaged or made to harm. Save it as CSV and try again.';
    return new InputError('too_much_memory', reason, { file });
  }
  return error instanceof Error ? error : new Error('The reading thread failed.');
}
