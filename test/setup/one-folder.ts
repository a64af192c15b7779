import { mkdirSync, rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';

/**
 * Makes the folder that quick tests have for the one of temporary files, which is gone with them: a module that several
 * of them share does not know which is the last.
 */
export function setup({ config }: TestProject): () => void {
  const folder = config.env['TMPDIR'];
  if (typeof folder !== 'string') throw new Error('vitest.config.ts names no folder.');
  mkdirSync(folder);
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
