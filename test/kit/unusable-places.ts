import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { canMount, mountDisk, unmountDisk } from './small-disk.js';

const run = promisify(execFile);

/** A place into which nothing can be written, as a folder, a file and a ledger would be named there. */
export interface UnusablePlace {
  readonly folder: string;
  readonly file: string;
  readonly ledger: string;
  /** What is said of it. */
  readonly words: RegExp;
}

/** Made by `makePlaces`, by what they are; full and read-only disks where they can be. */
export const PLACES = [
  ...['an existing file', 'a device', 'a device that is full', 'a file of the kernel'],
  ...(canMount ? ['a full disk', 'a read-only disk'] : []),
];

export async function makePlaces(
  at: (name: string) => string,
): Promise<{ readonly of: (what: string) => UnusablePlace; readonly close: () => Promise<void> }> {
  await writeFile(at('a-file'), 'kept\n');
  const below = (path: string, words: RegExp): UnusablePlace => ({
    ...{ folder: join(path, 'x'), file: join(path, 'x'), ledger: join(path, 'x'), words },
  });
  const itself = (path: string, words: RegExp): UnusablePlace => ({
    ...{ folder: path, file: path, ledger: path, words },
  });
  const disks: string[] = [];
  const disk = async (name: string, prepare: (path: string) => Promise<unknown>) => {
    await mkdir(at(name));
    if (!canMount) return;
    await mountDisk(at(name), 65_536);
    disks.push(at(name));
    await prepare(at(name));
  };
  await disk('full', (path) =>
    writeFile(join(path, 'filler'), Buffer.alloc(100_000)).catch(() => undefined),
  );
  await disk('read-only', (path) => run('mount', ['-o', 'remount,ro', path]));
  const places: Record<string, UnusablePlace> = {
    'an existing file': {
      ...{ folder: at('a-file'), file: at('a-file/x.csv'), ledger: at('a-file') },
      words: /is a file, not a folder|lies below a file|is not a (ledger|database of a sandbox)/,
    },
    'a device': itself('/dev/null', /is a device/),
    'a device that is full': itself('/dev/full', /is a device/),
    'a file of the kernel': below('/proc/self/task', /files of the operating system/),
    'a full disk': below(at('full'), /the disk is full/),
    'a read-only disk': below(at('read-only'), /read-only/),
  };
  return {
    of: (what) => places[what]!,
    close: async () => {
      for (const path of disks) await unmountDisk(path);
    },
  };
}
