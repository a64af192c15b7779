import type { ResourceLimits } from 'node:worker_threads';
import { codeOf, InputError } from '../../core/errors.js';

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
