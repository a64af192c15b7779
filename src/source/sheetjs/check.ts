import { InputError } from '../../core/errors.js';
import { type FoundFile, readWhole } from '../file.js';
import { Archive } from '../xlsx/zip/archive.js';

const MIB = 2 ** 20;

/** Refuses a file that would take too much memory. @throws InputError `too_large` */
export function checkSize({ file, bytes }: FoundFile, kind: keyof typeof FILE_BYTES): void {
  const limit = FILE_BYTES[kind];
  if (bytes > limit) throw tooLarge(file, `has ${inMib(bytes)}, and the limit is ${inMib(limit)}`);
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
    if (unpacked > UNPACKED_BYTES) {
      const limit = inMib(UNPACKED_BYTES);
      throw tooLarge(file, `holds ${inMib(unpacked)}, unpacked, and the limit is ${limit}`);
    }
    for (const name of names) await readWhole(archive.read(name, 'sheet'));
  } finally {
    await archive.close();
  }
}

const inMib = (bytes: number): string => `${Math.ceil(bytes / MIB)} MiB`;

function tooLarge(file: string, what: string): InputError {
  const reason = `the workbook ${what}: files of this kind are read into memory whole. Save it as .xlsx or CSV, which have no such limit.`;
  return new InputError('too_large', reason, { file });
}

const MiB = 2 ** 20;

/**
 * Sizes of files that are held in memory whole. Measured, with 65,000 rows of 14 columns: a new `.xls` of 21 MB takes
 * 60 MB beside the file; SheetJS takes 21 to 48 bytes for each byte of an old one, which has 16,384 rows at the most, and
 * 5 for each unpacked byte of an `.xlsb`.
 */
const FILE_BYTES = {
  xls: 64 * MiB,
  oldXls: 8 * MiB,
  xlsb: 64 * MiB,
} as const;

/** Bytes of all parts of an `.xlsb` together, unpacked. */
const UNPACKED_BYTES = 128 * MiB;
