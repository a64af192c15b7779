import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

async function mayMount(): Promise<boolean> {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false;
  try {
    await run('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
    return true;
  } catch {
    return false;
  }
}

/** Whether file systems of any size can be made here. */
export const canMount = await mayMount();

/** Makes the folder a file system of so many bytes, in memory. */
export async function mountDisk(folder: string, bytes: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
}

/** Gives it another size, which what is there must fit. */
export async function resizeDisk(folder: string, bytes: number): Promise<void> {
  await run('mount', ['-o', `remount,size=${bytes}`, folder]);
}

export async function unmountDisk(folder: string): Promise<void> {
  await run('umount', ['-l', folder]);
}
