import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, and what has to be free there. */
const MEMORY = { folder: '/dev/shm', bytes: 4 * 1024 ** 3 } as const;
const NAME = /^cardline-tests-(\d+)$/;

/**
 * Makes the folder that tests have for the one of temporary files, which is gone with the process: in memory where there
 * is room, since ledgers wait for the disk more than tests compute.
 */
export function useTemporaryFolder(): void {
  const place = hasRoom() ? MEMORY.folder : tmpdir();
  removeLeftOver(place);
  const folder = join(place, `cardline-tests-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.env['TMPDIR'] = folder;
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
}

function hasRoom(): boolean {
  if (process.platform !== 'linux' || !existsSync(MEMORY.folder)) return false;
  const { bavail, bsize } = statfsSync(MEMORY.folder);
  return bavail * bsize >= MEMORY.bytes;
}

/** Folders of processes that were killed: nobody else would remove them. */
function removeLeftOver(place: string): void {
  for (const name of readdirSync(place)) {
    const [, id] = NAME.exec(name) ?? [];
    if (id === undefined || isAlive(Number(id))) continue;
    try {
      rmSync(join(place, name), { recursive: true, force: true });
    } catch (error) {
      // A small disk that a killed test has mounted there.
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
      console.warn(`${join(place, name)} is left over, and a disk in it is in use: unmount that.`);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // One of another user may not be asked.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
