import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { InputFile } from './prepare/plan.js';

/** How every workbook begins: the mark of a zip. */
const ZIP_MARK = 'PK';

/** How many threads read and map, where the inputs are text; a workbook has one. */
const THREADS = {
  /** Nothing is sent, so the processors are free for mapping; more than two would wait for the thread that counts. */
  check: (processors: number) => Math.min(2, processors),
  /** Sending takes a processor, and so does what the contact center sees of it, the engine and the ledger. */
  send: (processors: number) => (processors >= 4 ? 2 : 1),
} as const;

/**
 * How many threads are to prepare these inputs. Every one of them reads all of it: that costs little for text, and more
 * than the mapping for a workbook.
 */
export async function readingThreads(
  files: readonly InputFile[],
  purpose: keyof typeof THREADS,
): Promise<number> {
  const threads = THREADS[purpose](availableParallelism());
  if (threads > 1) for (const { path } of files) if (await isZip(path)) return 1;
  return threads;
}

/** A file that cannot be read is told by whoever opens it next. */
async function isZip(path: string): Promise<boolean> {
  const file = await open(path).catch(() => null);
  if (!file) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ZIP_MARK.length));
    return buffer.toString('latin1', 0, bytesRead) === ZIP_MARK;
  } catch {
    return false;
  } finally {
    await file.close();
  }
}
