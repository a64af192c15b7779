import { isMainThread } from 'node:worker_threads';
import type { Source, ReopenOptions } from '../../core/table.js';
import { traitsOf } from '../../source/formats.js';
import { findFormat, openFound } from '../../source/open.js';

/**
 * Opens a spreadsheet file as `openSource` does. On the thread of the program, what is read into memory whole is read in
 * a thread of its own: an enormous file, or one that is made to harm, does not end the program.
 * @throws InputError, UsageError as `openSource` does; InputError `too_much_memory`
 */
export async function openWithinLimits(file: string, options: ReopenOptions = {}): Promise<Source> {
  const found = await findFormat(file);
  if (!traitsOf(found.format).isReadWhole || !isMainThread) return openFound(found, options);
  const { openInThread } = await import('./source-thread.js');
  return openInThread(file, options);
}
