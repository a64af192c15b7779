import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rmSync } from 'node:fs';

/** A private folder of the system's temporary place. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** The folder goes when it is removed, or else when the process exits, as it does at once on a second Ctrl-C. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'cardline-'));
  const forget = removeAtExit(path);
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true });
      forget();
    },
  };
}

/** What goes when the process exits. One listener for all: Node warns of many. */
const paths = new Set<string>();

function removeAll(): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

/** Removes a file or folder when the process exits, however it does. @returns what forgets it */
export function removeAtExit(path: string): () => void {
  if (paths.size === 0) process.once('exit', removeAll);
  paths.add(path);
  return () => {
    if (paths.delete(path) && paths.size === 0) process.removeListener('exit', removeAll);
  };
}
