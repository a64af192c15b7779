import { readFileSync, readlinkSync } from 'node:fs';
import { codeOf } from '../../core/errors.js';

/**
 * What the numbers of processes mean here: the start of the machine and the container. `null` where that cannot be
 * known, so that only time tells whether a process is gone.
 */
export function hereOf(): string | null {
  try {
    const start = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${start} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // Another system than Linux.
    return null;
  }
}

/** Whether a process of this number is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
