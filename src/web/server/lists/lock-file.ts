import { open, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../../core/errors.js';

/** How often its holder shows that it is at work, and after how long without that it is taken to be gone. */
const [TOUCH_MS, GONE_MS] = [1_000, 30_000];
const ASK_MS = 20;

/**
 * Does what no other process may do at the same moment, while a file shows that it is being done. That of a process
 * which was killed is removed after half a minute.
 * @throws what the file system says, and what the work throws
 */
export async function withLockFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!(await take(file))) {
    await sleep(ASK_MS);
    const found = await stat(file).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > GONE_MS) await rm(file, { force: true });
  }
  const touching = setInterval(() => {
    const now = new Date();
    // Where its folder is gone, so is what it was for.
    void utimes(file, now, now).catch(() => undefined);
  }, TOUCH_MS);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}
