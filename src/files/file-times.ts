import { statSync } from 'node:fs';
import type { FileTimes } from '../core/prepared.js';

interface Stats {
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly ctimeNs: bigint;
}

export const timesOf = ({ size, mtimeNs, dev, ino, ctimeNs }: Stats): FileTimes =>
  `${size} ${mtimeNs} ${dev}/${ino} ${ctimeNs}`;

/** Whether size and time of change are the same. The file may be another one all the same: whoever copies can keep both. */
export const areSameTimes = (one: FileTimes, other: FileTimes): boolean =>
  startOf(one) === startOf(other);
const startOf = (times: FileTimes): string => times.split(' ', 2).join(' ');

/** Whether it is the same file, written to or not. */
export const isSameFile = (one: FileTimes, other: FileTimes): boolean =>
  one.split(' ')[2] === other.split(' ')[2];

/** Those of a file as it is now; `null` where it cannot be looked at. For threads that read it anyway: it waits for the disk. */
export function timesNow(path: string): FileTimes | null {
  try {
    return timesOf(statSync(path, { bigint: true }));
  } catch {
    // Whoever reads the file says why.
    return null;
  }
}
