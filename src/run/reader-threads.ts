import type { InputFile } from '../prepare/plan.js';
import { availableParallelism } from 'node:os';
import { openRegularFile } from '../files/regular-file.js';
import { traitsOf, signatureOf, SIGNATURE_BYTES } from '../source/source.js';

/**
 * Up to this, text is prepared on the thread that asks for it, in bytes: a thread loads all modules, the mapping and the
 * tables of phones for itself, which takes longer than mapping the rows.
 */
const WITHOUT_THREADS = 1024 * 1024;

/** Below this, a second thread takes as long to start as it saves, in bytes. */
const WORTH_A_THREAD = 8 * 1024 * 1024;

interface Texts {
  readonly purpose: 'check' | 'send';
  readonly processors: number;
  /** Size of all inputs. */
  readonly bytes: number;
}

/**
 * How many threads are to read and map these texts; 0: none beside the one that asks. Where nothing is sent, the processors are free for mapping, and more
 * than two would wait for the thread that counts. Sending takes a processor, and so do the ledger and the engine.
 */
export function threadsForTexts({ purpose, processors, bytes }: Texts): 0 | 1 | 2 {
  if (bytes <= WITHOUT_THREADS) return 0;
  if (purpose === 'check') return processors > 1 ? 2 : 1;
  return processors >= 4 && bytes >= WORTH_A_THREAD ? 2 : 1;
}

/**
 * How many threads are to prepare these inputs, for `prepareInThreads`. Every one of them reads all of it: that costs
 * little for text, and more than the mapping for a workbook, whose cells each would keep in memory. What is packed has a
 * thread whatever its size: a small file may hold a lot, and a thread has limits.
 */
export async function readerThreads(
  files: readonly InputFile[],
  purpose: Texts['purpose'],
): Promise<number> {
  const processors = availableParallelism();
  let bytes = 0;
  let isGzipped = false;
  for (const found of await Promise.all(files.map(({ path }) => firstLook(path)))) {
    if (found.isPacked) return 1;
    isGzipped ||= found.isGzipped;
    bytes += found.bytes;
  }
  const threads = threadsForTexts({ purpose, processors, bytes });
  return threads === 0 && isGzipped ? 1 : threads;
}

interface FirstLook {
  /** Whether it is of a format that is packed itself. */
  readonly isPacked: boolean;
  /** Whether it is packed with gzip, whatever is in it. */
  readonly isGzipped: boolean;
  readonly bytes: number;
}

const NOTHING_SEEN: FirstLook = { isPacked: false, isGzipped: false, bytes: 0 };

/** A file that cannot be read is reported by whoever opens it next. */
async function firstLook(path: string): Promise<FirstLook> {
  const file = await openRegularFile(path).catch(() => null);
  if (!file) return NOTHING_SEEN;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SIGNATURE_BYTES));
    const found = signatureOf(buffer.subarray(0, bytesRead));
    const formats = found.kind === 'input' ? found.formats : [];
    const isPacked = formats.some((format) => traitsOf(format).isPacked);
    return { isPacked, isGzipped: found.kind === 'gzip', bytes: (await file.stat()).size };
  } catch {
    return NOTHING_SEEN;
  } finally {
    await file.close();
  }
}
