import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeAtExit } from '../../files/at-exit.js';

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
