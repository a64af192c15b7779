import type { FileHandle } from 'node:fs/promises';
import type { InputPlace } from '../../../core/errors.js';
import { openRegularFile } from '../../../files/regular-file.js';
import { fail, SAVE_AGAIN } from '../errors.js';
import { OLE_MAGIC, readOleNames } from './ole.js';

const ZIP_MAGIC = Buffer.from('PK');

/**
 * Looks at the first bytes, so that a file that is no zip container is refused with what it is.
 * @throws InputError `encrypted`, `not_a_workbook`, `not_a_zip`, `empty_file`, `cannot_open`.
 */
export async function checkContainer(file: string): Promise<void> {
  const place = { file };
  const handle = await openFile(file);
  try {
    const head = Buffer.alloc(8);
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    if (bytesRead === 0) fail('empty_file', 'the file is empty.', place);
    if (head.equals(OLE_MAGIC)) refuseOle(await readOleNames(handle), place);
    if (!head.subarray(0, 2).equals(ZIP_MAGIC))
      fail('not_a_zip', `the file is not an .xlsx workbook. ${SAVE_AGAIN}`, place);
  } finally {
    await handle.close();
  }
}

/** Opens a file to read. @throws InputError `cannot_open`. */
export async function openFile(file: string): Promise<FileHandle> {
  try {
    return await openRegularFile(file);
  } catch (error) {
    const reason = 'the file cannot be opened. Check its name and whether you may read it.';
    fail('cannot_open', reason, { file }, error);
  }
}

function refuseOle(names: ReadonlySet<string>, place: InputPlace): never {
  if (names.has('EncryptedPackage'))
    fail(
      'encrypted',
      'the workbook is encrypted. Save it without a password and try again.',
      place,
    );
  fail(
    'not_a_workbook',
    `the file is an old Office document, not a workbook. ${SAVE_AGAIN}`,
    place,
  );
}
