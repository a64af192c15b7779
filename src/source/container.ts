import { InputError } from '../core/errors.js';
import { Archive } from './xlsx/zip/archive.js';
import { openFile } from './xlsx/zip/container.js';
import { OLE_MAGIC, readOleNames } from './xlsx/zip/ole.js';

/** Names of the parts of a zip file or of the streams of a compound file; none where it cannot be read. */
export async function namesInContainer(file: string): Promise<ReadonlySet<string>> {
  const handle = await openFile(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(OLE_MAGIC.length), 0, OLE_MAGIC.length, 0);
    if (buffer.equals(OLE_MAGIC)) return await readOleNames(handle);
  } finally {
    await handle.close();
  }
  return namesInZip(file);
}

async function namesInZip(file: string): Promise<ReadonlySet<string>> {
  try {
    const archive = await Archive.open(file);
    await archive.close();
    return archive.names();
  } catch (error) {
    // The reader that opens it then says what is wrong with it.
    if (error instanceof InputError) return new Set();
    throw error;
  }
}
