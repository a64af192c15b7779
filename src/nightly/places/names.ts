import { createHash } from 'node:crypto';
import { extname } from 'node:path';

/** Longest name of a file, in bytes, that file systems have in common. */
const MAX_BYTES = 255;
/** What the names of a report, or the mark of a file that was put away, add to its own. */
const ADDED_BYTES = 48;

/** A hidden folder of a place, for what is being worked on; each pickup has its own in it. */
export const WORK = '.cardline';

/** Whether a name is one of a file in a folder, wherever it comes from. */
export const isPlainName = (name: string): boolean =>
  !['', '.', '..'].includes(name) && !/[/\0]/.test(name);

/**
 * The name that a file is put away by: its own, shortened where those of its reports would be too long; `number`: it is
 * the second one of its name, or the third.
 */
export function shelfName(name: string, number: number): string {
  const end = extname(name);
  const stem = end === '' ? name : name.slice(0, -end.length);
  const suffix = number === 1 ? end : `-${number}${end}`;
  if (Buffer.byteLength(stem + suffix) <= MAX_BYTES - ADDED_BYTES) return stem + suffix;
  const sign = createHash('sha256').update(name).digest('hex').slice(0, 8);
  const shortEnd = Buffer.byteLength(suffix) > 32 ? '' : suffix;
  const room = MAX_BYTES - ADDED_BYTES - Buffer.byteLength(shortEnd) - sign.length - 1;
  return `${firstBytes(stem, room)}~${sign}${shortEnd}`;
}

/** As many whole characters as fit. */
function firstBytes(text: string, room: number): string {
  let taken = '';
  for (const sign of text) {
    if (Buffer.byteLength(taken) + Buffer.byteLength(sign) > room) break;
    taken += sign;
  }
  return taken;
}

/** A name with what is appended to it, no longer than a name may be. */
export const suffixed = (name: string, suffix: string): string =>
  Buffer.byteLength(name + suffix) <= MAX_BYTES
    ? name + suffix
    : name + firstBytes(suffix, MAX_BYTES - Buffer.byteLength(name));
