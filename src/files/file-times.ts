import { statSync } from 'node:fs';
import type { FileTimes } from '../core/prepared.js';

interface Times {
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

export const timesOf = ({ size, mtimeNs }: Times): FileTimes => `${size} ${mtimeNs}`;

/** Those of a file as it is now; `null` where it cannot be looked at. For threads that read it anyway: it waits for the disk. */
export function timesNow(path: string): FileTimes | null {
  try {
    return timesOf(statSync(path, { bigint: true }));
  } catch {
    // Whoever reads the file says why.
    return null;
  }
}
