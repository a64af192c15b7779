import { InputError } from '../../core/errors/errors.js';
import type { FoundFile } from '../file.js';
import { readWhole } from '../file.js';
import { Archive } from '../xlsx/zip/archive.js';
import { LIMITS } from './limits.js';

const MIB = 2 ** 20;

/** Refuses a file that would take too much memory. @throws InputError `too_large` */
export function checkSize({ file, bytes }: FoundFile): void {
  if (bytes > LIMITS.fileBytes)
    throw tooLarge(file, `is larger than ${LIMITS.fileBytes / MIB} MiB`);
}

/**
 * Unpacks the parts of a zip once, so that the library, which has no limits, meets nothing but whole parts that are not
 * too large.
 * @throws InputError
 */
export async function checkParts(file: string): Promise<void> {
  const archive = await Archive.open(file);
  try {
    const names = [...archive.names()];
    const unpacked = names.reduce((sum, name) => sum + archive.unpackedBytes(name), 0);
    if (unpacked > LIMITS.unpackedBytes)
      throw tooLarge(file, `holds more than ${LIMITS.unpackedBytes / MIB} MiB, unpacked`);
    for (const name of names) await readWhole(archive.read(name, 'sheet'));
  } finally {
    await archive.close();
  }
}

function tooLarge(file: string, what: string): InputError {
  const reason = `the workbook ${what}, and files of this kind are read into memory whole. Save it as .xlsx or CSV, which have no such limit.`;
  return new InputError('too_large', reason, { file });
}
