import { availableParallelism } from 'node:os';
import { openRegularFile } from '../../files/regular-file.js';
import type { InputFile } from '../../prepare/plan.js';
import { traitsOf } from '../../source/formats.js';
import { signatureOf, SIGNATURE_BYTES } from '../../source/signature.js';

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
 * than the mapping for a workbook, whose cells each would keep in memory.
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
    if (found.isPacked) return 1;
    bytes += found.bytes;
  }
  return threadsForTexts({ purpose, processors, bytes });
}

/** A file that cannot be read is reported by whoever opens it next. */
async function firstLook(path: string): Promise<{ isPacked: boolean; bytes: number }> {
  const file = await openRegularFile(path).catch(() => null);
  if (!file) return { isPacked: false, bytes: 0 };
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SIGNATURE_BYTES));
    const found = signatureOf(buffer.subarray(0, bytesRead));
    const formats = found.kind === 'input' ? found.formats : [];
    const isPacked = formats.some((format) => traitsOf(format).isPacked);
    return { isPacked, bytes: (await file.stat()).size };
  } catch {
    return { isPacked: false, bytes: 0 };
  } finally {
    await file.close();
  }
}
