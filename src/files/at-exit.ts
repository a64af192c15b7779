import { rmSync } from 'node:fs';

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
