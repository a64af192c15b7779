import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { NotRegularError, otherKind } from './regular-file.js';

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
// The last two are for what takes the file's place after it was looked at. Windows does not know them.
const APPEND = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/**
 * Makes sure that what is written to a path lands there: nothing is there yet, or a regular file.
 * @throws NotRegularError for a link, which leads to what is somebody else's, and for a pipe, a socket, a device, a folder
 */
export function refuseOtherPlace(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  const kind = found && otherKind(found);
  if (kind !== undefined) throw new NotRegularError(kind);
}

/** Whether a file begins with bytes, given as Latin-1. */
export function beginsWith(path: string, beginning: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(beginning.length);
    readSync(file, head, 0, head.length, 0);
    return head.toString('latin1') === beginning;
  } finally {
    closeSync(file);
  }
}

/**
 * Opens a file to append, or makes it for its owner alone; never through a link at the end of the path.
 * @returns the descriptor
 * @throws NotRegularError, and what the file system says
 */
export function openToAppend(path: string): number {
  refuseOtherPlace(path);
  const file = openSync(path, APPEND, 0o600);
  const kind = otherKind(fstatSync(file));
  if (kind === undefined) return file;
  closeSync(file);
  throw new NotRegularError(kind);
}
