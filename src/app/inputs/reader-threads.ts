import { availableParallelism } from 'node:os';
import { openRegularFile } from '../../files/regular-file.js';
import type { InputFile } from '../../prepare/plan.js';

/** How every workbook begins: the mark of a zip. */
const ZIP_MARK = 'PK';

/** Below this, a second thread takes as long to start as it saves, in bytes. */
const WORTH_A_THREAD = 8 * 1024 * 1024;

interface Texts {
  readonly purpose: 'check' | 'send';
  readonly processors: number;
  /** Size of all inputs. */
  readonly bytes: number;
}

/**
 * How many threads are to read and map these texts. Where nothing is sent, the processors are free for mapping, and more
 * than two would wait for the thread that counts. Sending takes a processor, and so do the ledger and the engine.
 */
export function threadsForTexts({ purpose, processors, bytes }: Texts): 1 | 2 {
  if (purpose === 'check') return processors > 1 ? 2 : 1;
  return processors >= 4 && bytes >= WORTH_A_THREAD ? 2 : 1;
}

/**
 * How many threads are to prepare these inputs. Every one of them reads all of it: that costs little for text, and more
 * than the mapping for a workbook.
 */
export async function readerThreads(
  files: readonly InputFile[],
  purpose: Texts['purpose'],
): Promise<number> {
  const processors = availableParallelism();
  // No file is looked at where it would change nothing.
  if (threadsForTexts({ purpose, processors, bytes: Infinity }) === 1) return 1;
  let bytes = 0;
  for (const { path } of files) {
    const found = await firstLook(path);
    if (found.isZip) return 1;
    bytes += found.bytes;
  }
  return threadsForTexts({ purpose, processors, bytes });
}

/** A file that cannot be read is reported by whoever opens it next. */
async function firstLook(path: string): Promise<{ isZip: boolean; bytes: number }> {
  const file = await openRegularFile(path).catch(() => null);
  if (!file) return { isZip: false, bytes: 0 };
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ZIP_MARK.length));
    const isZip = buffer.toString('latin1', 0, bytesRead) === ZIP_MARK;
    return { isZip, bytes: (await file.stat()).size };
  } catch {
    return { isZip: false, bytes: 0 };
  } finally {
    await file.close();
  }
}
