import { codeOf } from '../core/errors.js';

/** Whether the file system, or what a user may have of it, has no room for what was written. */
export function isDiskFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}
