import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { refuseOtherPlace } from '../files/own-file.js';
import { mayBecomeMetrics, NO_METRICS } from '../files/place.js';
import { carriedOver } from './carried-over.js';

/** How often the file is written while a run is under way, in milliseconds. */
const EVERY_MS = 10_000;
/** Whoever collects metrics is another user. */
const MODE = 0o644;

export interface MetricsFile {
  /** Writes the last state. */
  close(): Promise<void>;
}

/**
 * Keeps metrics in a file, for a collector of text files: it is replaced as a whole, now and then and at the end. A
 * file that cannot be written is no reason to stop, and is told of once.
 */
export async function keepMetricsFile(
  file: string,
  text: () => Promise<string>,
  onWarning: (message: string) => void,
): Promise<MetricsFile> {
  const before = await readFile(file, 'utf8').catch(() => '');
  let isWarned = false;
  const write = async (): Promise<void> => {
    try {
      await replaceFile(file, carriedOver(await text(), before));
    } catch (error) {
      if (!isWarned) onWarning(`The metrics cannot be written to ${file} (${reasonOf(error)}).`);
      isWarned = true;
    }
  };
  let writing = write();
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, EVERY_MS);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}

/** Beside its place and renamed, so that nobody reads a half. */
async function replaceFile(file: string, text: string): Promise<void> {
  refuseOtherPlace(file);
  if (!mayBecomeMetrics(file)) throw new Error(`it ${NO_METRICS}`);
  const part = `${file}.${process.pid}.part`;
  try {
    await writeFile(part, text, { mode: MODE, flag: 'wx' });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  return error instanceof Error ? error.message : String(error);
}
