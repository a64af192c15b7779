import { codeOf } from '../../core/errors.js';

/** What the file system answers; `undefined` when it is not there (any more). */
export async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
